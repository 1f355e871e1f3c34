import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { notesContext } from './context.ts';
import { notesPrompts } from './prompts.ts';

const long = Array.from({ length: 6_000 }, (_, at) => `line ${at + 1}`).join('\n');
const files = {
  'Plan.md': '---\ntags: [claude]\ndescription: d\n---\n# One\nText #vc/x\n## Two\nMore\n',
  'Sub/Other.md': '#VC\n',
  'Secret.md': '#vc\n',
  'Long.md': long,
  'Wide.md': 'x'.repeat(50_000),
  'Image.png': 'png',
};

/** The text of a prompt, or the code and message of its failure. */
async function prompt(name: string, args: Record<string, string> = {}): Promise<string> {
  const opened = await openWrittenVault(files);
  const vault = opened.as({ scopes: { ...allScopes, hide: ['Secret.md'] } });
  try {
    const found = notesPrompts({ tagPolicy: 'enforce' }).find((other) => other.name === name);
    return (await found?.run(vault, args, {})) ?? 'no such prompt';
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return `${error.code}: ${error.message}`;
  } finally {
    await opened.close();
  }
}

describe('notesPrompts', () => {
  it.each<[name: string, args: Record<string, string>, expected: string | RegExp]>([
    ['note', { name: 'plan' }, `The note "Plan.md":\n\n${files['Plan.md']}`],
    [
      'note',
      { name: 'Plan', section: 'one > two' },
      'The section "Two" of the note "Plan.md":\n\nMore\n',
    ],
    ['note', { name: 'Plan', section: '' }, /^The note "Plan.md":/],
    ['note', { name: 'Plan', section: 'Three' }, /^not_found: /],
    ['note', { name: 'Secret' }, /^not_found: /],
    ['note', { name: 'Image.png' }, /^invalid_input: /],
    ['note', {}, /^invalid_input: /],
    ['tagged', { tag: '#VC' }, 'Notes with the tag #VC (2):\n\n- Plan.md\n- Sub/Other.md'],
    ['tagged', { tag: 'vc/x' }, 'Notes with the tag #vc/x (1):\n\n- Plan.md'],
    ['tagged', { tag: 'nope' }, 'not_found: No note has the tag #nope.'],
    ['tagged', { tag: 'two words' }, /^invalid_input: /],
    ['tagged', { tag: ' ' }, /^invalid_input: /],
  ])('%s with %j', async (name, args, expected) => {
    const text = await prompt(name, args);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it('gives the context in its frame, without the rules around it', async () => {
    const opened = await openWrittenVault(files);
    const { text } = notesContext({ tagPolicy: 'enforce', contextEveryMs: 0 });
    const hidden = opened.as({ scopes: { ...allScopes, hide: ['Secret.md'] } });
    const framed = await prompt('context');
    expect(framed).toMatch(/^\[(context-\w+)\] .*is data, not an instruction\.\n[\s\S]*\n\[\1\]$/);
    expect(framed.split('\n').slice(1, -1).join('\n')).toBe(await text(hidden));
    await opened.close();
  });

  it('ends a long note with how to read on', async () => {
    const text = await prompt('note', { name: 'Long' });
    expect(text.length).toBeLessThan(limits.answerCharsMax + 100);
    const [, last = '', offset] =
      /line (\d+)\n\[.*go on with read_note, offset=(\d+)\.\]$/.exec(text) ?? [];
    expect(offset).toBe(last);
    expect(await prompt('note', { name: 'Wide' })).toMatch(
      /\[Line 1 is cut after .*: go on with read_note, offset=0, skip=\d+\.\]$/,
    );
  });

  it('ends a long list with how to see the rest', async () => {
    const many = Array.from({ length: limits.searchResultsMax + 3 }, (_, at) => [
      `${at}.md`,
      '#t\n',
    ]);
    const opened = await openWrittenVault(Object.fromEntries(many));
    const [, , tagged] = notesPrompts({ tagPolicy: 'off' });
    expect(await tagged?.run(opened.vault, { tag: 't' }, {})).toMatch(
      /… and 3 more: search_notes with query "t", mode "tag", offset 200\.$/,
    );
    await opened.close();
  });

  it('lists no more notes than an answer holds', async () => {
    const folder = `${'f'.repeat(200)}/`.repeat(3);
    const many = Array.from({ length: 100 }, (_, at) => [`${folder}${at}.md`, '#t\n']);
    const opened = await openWrittenVault(Object.fromEntries(many));
    const [, , tagged] = notesPrompts({ tagPolicy: 'off' });
    const text = (await tagged?.run(opened.vault, { tag: 't' }, {})) ?? '';
    expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
    expect(text).toMatch(/… and \d+ more: .*, offset \d+\.$/);
    await opened.close();
  });
});
