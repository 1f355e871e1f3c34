import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { readNote } from '../read/read-note.ts';
import { insertInNote } from './insert-in-note.ts';
import { replaceInNote } from './replace-in-note.ts';

const front = '---\ntitle: apple\n---\n';

/** The note after the operation with what it answered, or the code and lines of its failure. */
async function run<Request extends object>(
  text: string,
  operation: (draft: never, request: Request) => Promise<object>,
  request: Omit<Request, 'name'>,
): Promise<unknown> {
  const opened = await openWrittenVault({ 'N.md': text });
  try {
    const answer = await opened.change(operation as never, { name: 'N', ...request });
    const { lines, line } = answer as { lines?: number[]; line?: number };
    // Read as the program reads: with a byte order mark, if there is one.
    return [(await readNote(opened.vault, { name: 'N' })).text, lines ?? line];
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    expect(opened.text('N.md')).toBe(text);
    return [error.code, error.details['lines']];
  } finally {
    await opened.close();
  }
}

describe('replaceInNote', () => {
  type Request = Omit<Parameters<typeof replaceInNote>[1], 'name'>;
  const rows: [name: string, text: string, request: Request, expected: unknown][] = [
    ['the only one', 'a b\n', { find: 'b', put: 'c' }, ['a c\n', [1]]],
    ['none', 'a b\n', { find: 'x', put: 'c' }, ['not_found', undefined]],
    ['another case', 'a b\n', { find: 'B', put: 'c' }, ['not_found', undefined]],
    ['several', 'a\nb a\na\n', { find: 'a', put: 'c' }, ['ambiguous', [1, 2, 3]]],
    ['all', 'a\nb a\n', { find: 'a', put: 'c', all: true }, ['c\nb c\n', [1, 2]]],
    ['nothing to look for', 'a\n', { find: '', put: 'c' }, ['invalid_input', undefined]],
    [
      'only in the properties',
      `${front}b\n`,
      { find: 'apple', put: 'c' },
      ['not_found', undefined],
    ],
    [
      'never the properties',
      `${front}apple\n`,
      { find: 'apple', put: 'c', all: true },
      [`${front}c\n`, [4]],
    ],
    ['across lines', 'a\nb\nc\n', { find: 'a\nb', put: 'x' }, ['x\nc\n', [1]]],
    ['CRLF', 'a\r\nb\r\n', { find: 'a\nb', put: 'x\ny' }, ['x\r\ny\r\n', [1]]],
    ['literally (R20)', 'a.b\n', { find: '.', put: '$&$1' }, ['a$&$1b\n', [1]]],
    ['with nothing', 'a b\n', { find: ' b', put: '' }, ['a\n', [1]]],
  ];
  it.each(rows)('replaces: %s', async (_, text, request, expected) => {
    expect(await run(text, replaceInNote, request)).toEqual(expected);
  });

  it('says in words where the text is', async () => {
    const opened = await openWrittenVault({ 'N.md': `${front}${'a\n'.repeat(12)}` });
    const replace = (find: string) => opened.change(replaceInNote, { name: 'N', find, put: 'x' });
    await expect(replace('a')).rejects.toThrow(
      /12 times.*lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 …/,
    );
    await expect(replace('apple')).rejects.toThrow(/in the properties/);
    await opened.close();
  });
});

describe('insertInNote', () => {
  type Request = Omit<Parameters<typeof insertInNote>[1], 'name'>;
  const rows: [name: string, text: string, request: Request, expected: unknown][] = [
    ['above the line', 'a\nb b2\nc\n', { text: 'x', before: 'b2' }, ['a\nx\nb b2\nc\n', 2]],
    ['below the line', 'a\nb b2\nc\n', { text: 'x', after: 'b ' }, ['a\nb b2\nx\nc\n', 3]],
    ['below the last line', 'a', { text: 'x', after: 'a' }, ['a\nx\n', 2]],
    ['below a text with its line end', 'a\nb\n', { text: 'x', after: 'a\n' }, ['a\nx\nb\n', 2]],
    [
      'below the last of several lines',
      'a\nb\nc\n',
      { text: 'x', after: 'a\nb' },
      ['a\nb\nx\nc\n', 3],
    ],
    ['inline before', 'a b\n', { text: 'x', before: 'b', inline: true }, ['a xb\n', 1]],
    ['inline after', 'a b\n', { text: 'x', after: 'a', inline: true }, ['ax b\n', 1]],
    [
      'above the first line of the body',
      `${front}a`,
      { text: 'x', before: 'a' },
      [`${front}x\na`, 4],
    ],
    ['CRLF', 'a\r\nb\r\n', { text: 'x\ny', after: 'a' }, ['a\r\nx\r\ny\r\nb\r\n', 2]],
    ['after a byte order mark', '\ufeffa\n', { text: 'x', before: 'a' }, ['\ufeffx\na\n', 1]],
    ['no such text', 'a\n', { text: 'x', before: 'b' }, ['not_found', undefined]],
    ['several', 'a\na\n', { text: 'x', before: 'a' }, ['ambiguous', [1, 2]]],
    [
      'in the properties only',
      `${front}a\n`,
      { text: 'x', before: 'apple' },
      ['not_found', undefined],
    ],
    ['neither side', 'a\n', { text: 'x' }, ['invalid_input', undefined]],
    ['both sides', 'a\n', { text: 'x', before: 'a', after: 'a' }, ['invalid_input', undefined]],
  ];
  it.each(rows)('inserts: %s', async (_, text, request, expected) => {
    expect(await run(text, insertInNote, request)).toEqual(expected);
  });
});

describe('a text that is not there once', () => {
  const text = `${front}Call the bank\n  Call the bank\n${'long '.repeat(60)}\n`;
  const rows: [name: string, find: string, excerpt: string | undefined][] = [
    ['shows where it occurs', 'the bank', 'line 4: Call the bank\nline 5:   Call the bank'],
    ['shows what is near', 'Call teh bank', 'line 4: Call the bank\nline 5:   Call the bank'],
    ['cuts long lines', 'long long longer', `line 6: ${'long '.repeat(40)}…`],
    ['shows nothing where nothing is near', 'zzzz', undefined],
    ['shows nothing of the properties', 'apple', undefined],
  ];
  it.each(rows)('%s, beside the message and never in it', async (_, find, excerpt) => {
    const opened = await openWrittenVault({ 'N.md': text });
    try {
      const failed = opened.change(replaceInNote, { name: 'N', find, put: 'x' });
      const error = await failed.catch((reason: unknown) => reason);
      if (!(error instanceof VaultError)) throw error;
      expect(error.excerpt).toBe(excerpt);
      expect(error.message).not.toContain('bank');
    } finally {
      await opened.close();
    }
  });
});
