import { describe, expect, it } from 'vitest';
import { openColdVault } from '../../../test/support/cold-vault.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { notesContext } from './context.ts';

async function context(
  files: Readonly<Record<string, string>>,
  options: {
    readonly policy?: TagPolicy;
    readonly scopes?: Partial<Scopes>;
    readonly bodyTags?: boolean;
  } = {},
): Promise<string> {
  const { policy = 'off', scopes = {}, bodyTags = false } = options;
  const opened = await openWrittenVault(files);
  const { text } = notesContext({
    tagPolicy: policy,
    contextEveryMs: 0,
    contextBodyTags: bodyTags,
  });
  const block = await text(opened.as({ scopes: { ...allScopes, ...scopes } }));
  await opened.close();
  return block ?? 'nothing';
}

/** The lines of the list. */
const lines = (block: string): string[] =>
  block.split('\n').filter((line) => line.startsWith('- ') || line.startsWith('…'));

const personal = (description: string): string =>
  `---\ntags: [claude]\ndescription: ${description}\n---\n`;

const noDescription =
  'No description yet: set it with set_frontmatter, key "description"; say when to read this note, not what is in it.';

describe('the list of personal notes', () => {
  it('has the form of the seed', async () => {
    const block = await context({
      'AI Text Quality Guidelines.md': personal('"Читать перед генерацией любого текста."'),
    });
    expect(block).toBe(
      '## Your personal notes\n\n' +
        '- "AI Text Quality Guidelines" — "Читать перед генерацией любого текста."\n\n' +
        'Use read_note() to access full content when needed.',
    );
  });

  it('says how to begin where there are none (Q7), and that nothing has to be done', async () => {
    expect(await context({ 'CLAUDE.md': 'Rules\n', 'A.md': '`#claude`\n' })).toBe(
      "## Your personal notes\n\nNo personal notes found. Create notes with tag 'claude' to use auto-context. (Optional: only if the user asks for it.)",
    );
  });

  const tagged = {
    'c/Z.md': '---\nTags: Claude/style\nDescription: z\n---\n',
    'b/Hash.md': '---\ntags: [x, "#CLAUDE"]\ndescription: h\n---\n',
    'b/Inline.md': '---\ndescription: i\n---\nText #CLAUDE\n',
    'b/Listed.md': '---\ntags: [x]\nkeywords: [claude]\ndescription: l\n---\n#claude\n',
    'b/Map.md': '---\ntags: { is: claude }\ndescription: m\n---\n#claude\n',
    'b/Words.md': '---\ntags: claude, x\ndescription: w\n---\n#claude\n',
    'a.md': personal('a'),
    'Other.md': '---\ntags: [claudette]\n---\n',
  };

  it('has the notes with the tag in the property tags, in path order', async () => {
    expect(lines(await context(tagged))).toEqual(['- "a" — "a"', '- "Hash" — "h"', '- "Z" — "z"']);
  });

  it('has those with the tag in their text where that is asked for', async () => {
    expect(lines(await context(tagged, { bodyTags: true }))).toEqual([
      '- "a" — "a"',
      '- "Hash" — "h"',
      '- "Inline" — "i"',
      '- "Listed" — "l"',
      '- "Map" — "m"',
      '- "Words" — "w"',
      '- "Z" — "z"',
    ]);
  });

  it('is not filled up by tags in texts', async () => {
    const clipped = Array.from({ length: 2 * limits.contextNotesMax }, (_, at) => [
      `A${at}.md`,
      '---\ndescription: Obey.\n---\n#claude\n',
    ]);
    const files = { ...Object.fromEntries(clipped), 'Z.md': personal('z') };
    expect(lines(await context(files))).toEqual(['- "Z" — "z"']);
  });

  it('gives the path where others have the name', async () => {
    const files = { 'a/Style.md': personal('one'), 'b/style.md': 'no tag\n' };
    expect(lines(await context(files))).toEqual(['- "a/Style.md" — "one"']);
  });

  it.each<[name: string, description: string, shown: string]>([
    ['asks for a missing description (Q5)', '', noDescription],
    ['asks for an empty one', '"  "', noDescription],
    ['asks where it is no text', '[a, b]', noDescription],
    ['quotes lines', '"a\\n\\n---\\n## Obey\\n- x\\n"', '"a\\n\\n---\\n## Obey\\n- x"'],
    ['quotes quotes', '\'a" — the server says: "b\'', String.raw`"a\" — the server says: \"b"`],
    ['escapes what cannot be seen', '"a\\u001bb"', '"a\\u001bb"'],
  ])('%s', async (_name, description, shown) => {
    const block = await context({ 'N.md': personal(description) });
    expect(lines(block)).toEqual([`- "N" — ${shown}`]);
  });

  it('cuts long lines', async () => {
    const [line = ''] = lines(await context({ 'N.md': personal('x'.repeat(500)) }));
    expect(line).toBe(`- "N" — "${'x'.repeat(limits.contextLineCharsMax - 11)}…"`);
    expect(line).toHaveLength(limits.contextLineCharsMax);
    const [long = ''] = lines(await context({ [`${'n'.repeat(200)}.md`]: personal('x') }));
    expect(long).toBe(`- "${'n'.repeat(limits.contextNameCharsMax - 3)}…" — "x"`);
  });

  it('ends after so many and says how to find the rest', async () => {
    const names = Array.from({ length: limits.contextNotesMax + 2 }, (_, at) => `N${at + 10}.md`);
    const shown = lines(
      await context(Object.fromEntries(names.map((name) => [name, personal('d')]))),
    );
    expect(shown).toHaveLength(limits.contextNotesMax + 1);
    expect(shown.at(-1)).toBe('… and 2 more: search_notes with query "claude", mode "tag".');
  });

  it('has nothing of what is hidden or excluded', async () => {
    const files = {
      'Secret/A.md': personal('secret'),
      'Templates/T.md': personal('template'),
      'B.md': personal('b'),
      '.obsidian/app.json': '{"userIgnoreFilters":["Templates/"]}',
    };
    const block = await context(files, { policy: 'enforce', scopes: { hide: ['Secret'] } });
    expect(lines(block)).toEqual(['- "B" — "b"']);
  });

  it('reads descriptions from the files, and leaves out files that are gone or lost the tag', async () => {
    const files = { 'A.md': personal('old'), 'B.md': personal('b'), 'C.md': personal('c') };
    const opened = await openWrittenVault(files);
    opened.disk.write('A.md', personal('new'));
    opened.disk.write('C.md', '---\ntags: [other]\ndescription: c\n---\n#claude\n');
    opened.disk.erase('B.md');
    const { text } = notesContext({ tagPolicy: 'off', contextEveryMs: 0 });
    expect(lines((await text(opened.vault)) ?? '')).toEqual(['- "A" — "new"']);
    await opened.close();
  });
});

describe('the tag policy', () => {
  const files = { 'A.md': '#b #Person\n', 'B.md': '#person #a\n', 'S.md': '#secret\n' };
  const agree = 'Ask the user before creating new tags, and pass those they want in `new_tags`.';
  const part = async (
    notes: Readonly<Record<string, string>>,
    options: Parameters<typeof context>[1],
  ): Promise<string | undefined> => (await context(notes, options)).split('## Tag policy\n\n')[1];

  it.each<[policy: TagPolicy, expected: string | undefined]>([
    ['off', undefined],
    ['warn', `Use only tags that the vault has: "Person", "a", "b". ${agree}`],
    [
      'enforce',
      `Use only tags that the vault has: "Person", "a", "b". ${agree} Others are refused, in text too.`,
    ],
    [
      'strict',
      `Use only tags that the vault has: "Person", "a", "b". ${agree} Others are refused, in text too.`,
    ],
  ])('under %s, the most used tags first', async (policy, expected) => {
    expect(await part(files, { policy, scopes: { hide: ['S.md'] } })).toBe(expected);
  });

  it('says so when there are no tags', async () => {
    expect(await part({}, { policy: 'warn' })).toBe(`The vault has no tags yet. ${agree}`);
  });

  it('names so many and says how to look for others', async () => {
    const many = Array.from({ length: limits.contextTagsMax + 1 }, (_, at) => `#t${at + 100}`);
    expect(await part({ 'A.md': many.join(' ') }, { policy: 'warn' })).toContain(
      `, "t111" (of 13; list_vault lists all). Ask`,
    );
  });

  it('is nothing for those who may only read', async () => {
    const block = await context(
      { 'A.md': '---\ntags: claude\n---\n' },
      { policy: 'strict', scopes: { effects: ['read'] } },
    );
    expect(block).not.toContain('## Tag policy');
    expect(lines(block)).toEqual(['- "A" — No description.']);
  });
});

describe('a vault that is still being indexed', () => {
  it('has no context yet, and then it has', async () => {
    const opened = await openWrittenVault({ 'A.md': personal('a') });
    opened.keeper.rebuild();
    const { text } = notesContext({ tagPolicy: 'off', contextEveryMs: 0 });
    expect(await text(opened.as({ indexWaitMs: 0 }))).toBeUndefined();
    expect(lines((await text(opened.vault)) ?? '')).toEqual(['- "A" — "a"']);
    await opened.close();
  });
});

describe('on a vault that was never seen', () => {
  const many = Object.fromEntries(
    Array.from({ length: limits.contextFilesMax + 1 }, (_, at) => [`${at}.md`, '']),
  );

  it('no call waits for it where there are many notes to read', async () => {
    const { vault, go, close } = await openColdVault(many);
    const { text } = notesContext({ tagPolicy: 'off', contextEveryMs: 0 });
    expect(await text(vault)).toBeUndefined();
    go();
    await vault.waitForIndex('facts');
    expect(await text(vault)).toContain('No personal notes found.');
    await close();
  });

  it('the first call waits for it where there are few', async () => {
    const { vault, go, close } = await openColdVault({ 'A.md': personal('a') });
    const { text } = notesContext({ tagPolicy: 'off', contextEveryMs: 0 });
    const context = text(vault);
    setTimeout(go, 20);
    expect(await context).toContain('- "A"');
    await close();
  });
});
