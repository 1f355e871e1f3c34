import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { Version } from '../../../base/version.ts';
import { readNote } from '../read/read-note.ts';
import { appendNote, prependNote } from './append-note.ts';
import { replaceSection, updateBody } from './update-body.ts';

/** Runs one operation on a note `N.md` with this text. */
async function run(
  text: string,
  operation: typeof appendNote | typeof replaceSection,
  request: { text: string; section?: string; inline?: boolean },
) {
  const opened = await openWrittenVault({ 'N.md': text });
  const answer = await opened.change(operation as typeof appendNote, { name: 'N', ...request });
  const after = opened.text('N.md');
  await opened.close();
  return { ...answer, after };
}

describe('appendNote', () => {
  it('answers the line on which the text begins', async () => {
    expect(await run('a\nb', appendNote, { text: 'x' })).toMatchObject({
      line: 3,
      after: 'a\nb\nx\n',
    });
    expect(await run('a\n', appendNote, { text: ' x', inline: true })).toMatchObject({ line: 2 });
    expect(await run('# A\na\n\n# B\n', appendNote, { text: 'x', section: 'A' })).toMatchObject({
      line: 3,
      after: '# A\na\nx\n\n# B\n',
    });
  });

  const landings: [name: string, text: string, added: string, warning: RegExp | undefined][] = [
    ['after an open fence', 'a\n\n```js\ncode\n', 'x', /inside code that begins on line 3/],
    ['after an open comment', '%% a\nb\n', 'x', /inside a comment that begins on line 1/],
    ['after a closed fence', '```\ncode\n```\n', 'x', undefined],
    ['after a list', '- a\n', 'x', undefined],
    ['after a table', '| a |\n|---|\n| b |\n', 'x', undefined],
    ['that opens a fence at the end', 'a\n', '```\nx', undefined],
    ['that hides what follows', 'a\n\n%% s\n%%\n', '```\nx', /opens code on line 2/],
    [
      'that makes properties of the start',
      '---\na: 1\n',
      '---',
      /begins with a block of properties/,
    ],
  ];
  it.each(landings)('warns of a text %s, where it must', async (_, text, added, warning) => {
    const { warnings } = await run(text, appendNote, { text: added });
    if (warning === undefined) expect(warnings).toEqual([]);
    else expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  it('refuses a canvas, an attachment, a missing section and an old version', async () => {
    const opened = await openWrittenVault({
      'N.md': 'a\n',
      'C.canvas': '{}',
      'P.png': 'png',
    });
    const { version } = await readNote(opened.vault, { name: 'N' });
    const rows: [request: Parameters<typeof appendNote>[1], code: string][] = [
      [{ name: 'C.canvas', text: 'x' }, 'invalid_input'],
      [{ name: 'P.png', text: 'x' }, 'invalid_input'],
      [{ name: 'N', text: 'x', section: 'A' }, 'not_found'],
      [{ name: 'N', text: 'x', version: '0'.repeat(64) as Version }, 'conflict'],
      [{ name: 'Nowhere', text: 'x' }, 'not_found'],
    ];
    const before = opened.files();
    for (const [request, code] of rows) {
      const failure = await opened.change(appendNote, request).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(VaultError);
      expect(failure).toMatchObject({ code });
    }
    expect(opened.files()).toEqual(before);
    await opened.change(appendNote, { name: 'N', text: 'x', version });
    expect(opened.text('N.md')).toBe('a\nx\n');
    await opened.close();
  });

  it('shows the plan as a diff and touches nothing in a dry run', async () => {
    const opened = await openWrittenVault({ 'N.md': 'a\n' });
    const answer = await opened.change(appendNote, { name: 'N', text: 'x', dryRun: true });
    expect(answer.diff).toContain('+x');
    expect(answer.line).toBe(2);
    expect(opened.text('N.md')).toBe('a\n');
    await opened.close();
  });
});

describe('prependNote and updateBody', () => {
  const front = '---\ntitle: "A" # kept\n---\n';
  const rows: [
    name: string,
    operation: typeof prependNote,
    text: string,
    put: string,
    after: string,
  ][] = [
    ['prepends', prependNote, `${front}a\n`, 'x', `${front}x\na\n`],
    ['replaces the body', updateBody as typeof prependNote, `${front}\na\n`, 'x', `${front}x`],
    ['replaces all of a note', updateBody as typeof prependNote, 'a\nb\n', 'x\n', 'x\n'],
    ['keeps a byte order mark', updateBody as typeof prependNote, '\ufeffa', 'x', '\ufeffx'],
    ['empties the body', updateBody as typeof prependNote, `${front}a\n`, '', front],
    [
      'ends the properties first',
      updateBody as typeof prependNote,
      '---\na: 1\n---',
      'x',
      '---\na: 1\n---\nx',
    ],
    [
      'keeps CRLF',
      updateBody as typeof prependNote,
      '---\r\na: 1\r\n---\r\nb',
      'x\ny\n',
      '---\r\na: 1\r\n---\r\nx\r\ny\r\n',
    ],
    [
      'takes a rule for a rule',
      updateBody as typeof prependNote,
      `${front}a\n`,
      '---\nx\n',
      `${front}---\nx\n`,
    ],
  ];
  it.each(rows)('%s', async (_, operation, text, put, after) => {
    const opened = await openWrittenVault({ 'N.md': text });
    await opened.change(operation, { name: 'N', text: put });
    // Read as the program reads: with a byte order mark, if there is one.
    expect((await readNote(opened.vault, { name: 'N' })).text).toBe(after);
    await opened.close();
  });

  it.each([prependNote, updateBody])('refuse a second block of properties', async (operation) => {
    const opened = await openWrittenVault({ 'N.md': `${front}a\n` });
    const change = opened.change(operation as typeof prependNote, { name: 'N', text: front });
    await expect(change).rejects.toMatchObject({ code: 'invalid_input' });
    expect(opened.text('N.md')).toBe(`${front}a\n`);
    await opened.close();
  });
});

describe('replaceSection', () => {
  it('replaces what stands under a heading and answers where', async () => {
    const text = '# A\n\nold\n\n# B\n';
    expect(await run(text, replaceSection, { section: 'A', text: 'new' })).toMatchObject({
      line: 3,
      after: '# A\n\nnew\n\n# B\n',
    });
  });
});
