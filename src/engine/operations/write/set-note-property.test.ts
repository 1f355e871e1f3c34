import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { addTags, removeTags } from './change-tags.ts';
import { removeNoteProperty, setNoteProperty } from './set-note-property.ts';

const types =
  '{"types":{"aliases":"aliases","Due":"date","count":"number","done":"checkbox","people":"multitext","x":"plugin-type"}}';

/** The note after the operation, or the code of its failure. */
async function run<Request extends object>(
  text: string,
  operation: (draft: never, request: Request) => Promise<object>,
  request: Omit<Request, 'name'>,
): Promise<{ after: string; answer: Record<string, unknown> }> {
  const opened = await openWrittenVault({ 'N.md': text, '.obsidian/types.json': types });
  try {
    const answer = await opened.change(operation as never, { name: 'N', ...request });
    return { after: opened.text('N.md'), answer: answer as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    expect(opened.text('N.md')).toBe(text);
    return { after: error.code, answer: { message: error.message } };
  } finally {
    await opened.close();
  }
}

describe('setNoteProperty', () => {
  type Request = Omit<Parameters<typeof setNoteProperty>[1], 'name'>;
  const rows: [name: string, text: string, request: Request, expected: string][] = [
    ['a first property', 'a\n', { key: 'k', value: 'v' }, '---\nk: v\n---\na\n'],
    [
      'a new one at the end',
      '---\nb: 1\n---\n',
      { key: 'k', value: [1, 2] },
      '---\nb: 1\nk:\n  - 1\n  - 2\n---\n',
    ],
    [
      'the name as written',
      '---\nTitle: a\n---\n',
      { key: 'title', value: 'b' },
      '---\nTitle: b\n---\n',
    ],
    ['the text of a number', '', { key: 'k', value: '7' }, '---\nk: 7\n---\n'],
    [
      'one that would be written otherwise',
      '',
      { key: 'k', value: '1.10' },
      '---\nk: "1.10"\n---\n',
    ],
    ['a number by type', '', { key: 'k', value: '7', type: 'number' }, '---\nk: 7\n---\n'],
    [
      'a list by type',
      '',
      { key: 'k', value: 'a, b', type: 'list' },
      '---\nk:\n  - a\n  - b\n---\n',
    ],
    ['what does not fit', '', { key: 'k', value: 'x', type: 'number' }, 'invalid_input'],
    [
      "the vault's type, any case",
      '',
      { key: 'due', value: '2026-03-09' },
      '---\ndue: 2026-03-09\n---\n',
    ],
    ["what does not fit the vault's type", '', { key: 'due', value: 'soon' }, 'invalid_input'],
    [
      'a type that is asked for wins',
      '',
      { key: 'due', value: 'soon', type: 'text' },
      '---\ndue: soon\n---\n',
    ],
    ['a number of the vault', '', { key: 'count', value: '3' }, '---\ncount: 3\n---\n'],
    ['a checkbox of the vault', '', { key: 'done', value: 'true' }, '---\ndone: true\n---\n'],
    [
      'a list of the vault',
      '',
      { key: 'people', value: '[[A]], [[B]]' },
      '---\npeople:\n  - "[[A]]"\n  - "[[B]]"\n---\n',
    ],
    ['the type of a plugin says nothing', '', { key: 'x', value: '03' }, '---\nx: "03"\n---\n'],
    ['a number where the vault has dates', '', { key: 'due', value: 3 }, 'invalid_input'],
    ['JSON as it is', '', { key: 'count', value: '"3"', type: 'json' }, '---\ncount: "3"\n---\n'],
    ['what is no JSON', '', { key: 'count', value: '{', type: 'json' }, 'invalid_input'],
    ['one tag', '', { key: 'tags', value: '#a' }, '---\ntags:\n  - a\n---\n'],
    ['several tags', '', { key: 'Tags', value: 'a, b/c' }, '---\nTags:\n  - a\n  - b/c\n---\n'],
    [
      'tags in the style they have',
      '---\ntags: [a, b]\n---\n',
      { key: 'tags', value: ['a', '#c'] },
      '---\ntags: [a, c]\n---\n',
    ],
    ['what is no tag', '', { key: 'tags', value: 'two words' }, 'invalid_input'],
    ['nothing', '---\nk: 1\n---\n', { key: 'k', value: null }, '---\nk:\n---\n'],
    ['a wikilink in quotes (F14)', '', { key: 'up', value: '[[X]]' }, '---\nup: "[[X]]"\n---\n'],
    [
      'a comment stays (F18)',
      '---\n# c\nk: 1 # d\n---\n',
      { key: 'k', value: 2 },
      '---\n# c\nk: 2 # d\n---\n',
    ],
    [
      'properties that are not valid (F15)',
      '---\na: b: c\n---\n',
      { key: 'k', value: 1 },
      'invalid_input',
    ],
    [
      'CRLF',
      '---\r\na: 1\r\n---\r\nb',
      { key: 'k', value: 'v' },
      '---\r\na: 1\r\nk: v\r\n---\r\nb',
    ],
    [
      'properties that end with the text (F09)',
      '---\na: 1\n---',
      { key: 'a', value: 2 },
      '---\na: 2\n---',
    ],
  ];
  it.each(rows)('sets %s', async (_, text, request, expected) => {
    expect((await run(text, setNoteProperty, request)).after).toBe(expected);
  });

  it('answers name and value as they are written', async () => {
    const { answer } = await run('---\nTitle: a\n---\n', setNoteProperty, {
      key: 'title',
      value: 'b',
    });
    expect(answer).toMatchObject({ path: 'N.md', key: 'Title', value: 'b' });
  });

  it('makes no change when the value is there already', async () => {
    const { answer } = await run('---\na: 1\n---\n', setNoteProperty, { key: 'a', value: 1 });
    expect(answer).toMatchObject({ files: [] });
    expect(answer).not.toHaveProperty('change');
  });
});

describe('removeNoteProperty', () => {
  const rows: [name: string, text: string, key: string, expected: string, removed?: boolean][] = [
    ['one of several', '---\na: 1\nB: 2 # c\n---\nx', 'b', '---\na: 1\n---\nx', true],
    ['the last one', '---\na: 1\n---\nx', 'a', 'x', true],
    ['none', '---\na: 1\n---\nx', 'b', '---\na: 1\n---\nx', false],
    ['none without properties', 'x', 'b', 'x', false],
    ['properties that are not valid', '---\na: [\n---\n', 'a', 'invalid_input'],
  ];
  it.each(rows)('removes %s', async (_, text, key, expected, removed) => {
    const { after, answer } = await run(text, removeNoteProperty, { key });
    expect(after).toBe(expected);
    expect(answer['removed']).toBe(removed);
  });
});

describe('addTags', () => {
  const rows: [name: string, text: string, tags: string[], expected: string, all?: string[]][] = [
    ['a first tag', 'x', ['#a'], '---\ntags:\n  - a\n---\nx', ['a']],
    [
      'one more',
      '---\ntags:\n  - a # c\n---\n',
      ['b'],
      '---\ntags:\n  - a # c\n  - b\n---\n',
      ['a', 'b'],
    ],
    ['in the style it has', '---\ntags: [a]\n---\n', ['b'], '---\ntags: [a, b]\n---\n', ['a', 'b']],
    [
      'what is there in another case',
      '---\ntags: [A]\n---\n',
      ['a'],
      '---\ntags: [A]\n---\n',
      ['A'],
    ],
    [
      'what is there with a sign (T24)',
      '---\ntags: ["#a"]\n---\n',
      ['a'],
      '---\ntags: ["#a"]\n---\n',
      ['a'],
    ],
    ['the same twice', '---\ntags: []\n---\n', ['a', '#A'], '---\ntags:\n  - a\n---\n', ['a']],
    [
      'beside a single one (T16)',
      '---\ntags: a\n---\n',
      ['b'],
      '---\ntags:\n  - a\n  - b\n---\n',
      ['a', 'b'],
    ],
    [
      'beside words with commas (T17)',
      '---\ntags: a, b\n---\n',
      ['c'],
      '---\ntags:\n  - a\n  - b\n  - c\n---\n',
      ['a', 'b', 'c'],
    ],
    ['beside nothing (T18)', '---\ntags:\n---\n', ['a'], '---\ntags:\n  - a\n---\n', ['a']],
    ['what is no tag', 'x', ['1984'], 'invalid_input'],
    ['beside what is no list', '---\ntags: {a: b}\n---\n', ['c'], 'invalid_input'],
  ];
  it.each(rows)('adds %s', async (_, text, tags, expected, all) => {
    const { after, answer } = await run(text, addTags, { tags });
    expect(after).toBe(expected);
    expect(answer['tags']).toEqual(all);
  });
});

describe('removeTags', () => {
  const rows: [name: string, text: string, tags: string[], expected: string, left?: string[]][] = [
    ['one of several', '---\ntags: [a, b]\n---\n', ['#A'], '---\ntags: [b]\n---\n', ['b']],
    ['the last one', '---\ntags:\n  - a\n---\n', ['a'], '---\ntags: []\n---\n', []],
    ['a single one', '---\ntags: a\n---\n', ['a'], '---\ntags: []\n---\n', []],
    ['not those under it', '---\ntags: [a, a/b]\n---\n', ['a'], '---\ntags: [a/b]\n---\n', ['a/b']],
    [
      'those of several that are there',
      '---\ntags: [a, b]\n---\n',
      ['a', 'x'],
      '---\ntags: [b]\n---\n',
      ['b'],
    ],
    ['none', '---\ntags: [a]\n---\n', ['b'], 'not_found'],
    ['none without properties', 'x', ['b'], 'not_found'],
  ];
  it.each(rows)('removes %s', async (_, text, tags, expected, left) => {
    const { after, answer } = await run(text, removeTags, { tags });
    expect(after).toBe(expected);
    expect(answer['tags']).toEqual(left);
  });

  it('leaves the text alone and says that the tag is still there', async () => {
    const text = '---\ntags: [a, b]\n---\nx #a\n#A and #ab\n';
    const { after, answer } = await run(text, removeTags, { tags: ['a'] });
    expect(after).toBe('---\ntags: [b]\n---\nx #a\n#A and #ab\n');
    expect(answer['warnings']).toEqual([expect.stringMatching(/#a on lines 4, 5/)]);
    const only = await run('x #a\n', removeTags, { tags: ['a'] });
    expect(only.after).toBe('not_found');
    expect(only.answer['message']).toMatch(/#a on line 1/);
  });
});
