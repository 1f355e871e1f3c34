import { expect, it } from 'vitest';
import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { readUnified } from './read-unified.ts';

/** A file as short text: its names, then each line with its sign and number. */
function shown(text: string): string[] {
  return readUnified(text, { by: 'lines' }).files.flatMap(({ from, to, isBinary, parts }) => [
    `${from ?? 'nothing'} > ${to ?? 'nothing'}${isBinary ? ' (binary)' : ''}`,
    ...parts.flatMap(({ lines }) =>
      lines.map(({ is, number, pieces }) => {
        const sign = { same: ' ', removed: '-', added: '+' }[is];
        return `${sign}${number} ${pieces.map((piece) => piece.text).join('')}`;
      }),
    ),
  ]);
}

type File = Parameters<typeof unifiedDiff>[0];
it.each<[string, File, string[]]>([
  [
    'a change',
    { from: 'A b.md', to: 'A b.md', before: 'one\ntwo\n', after: 'one\n2\nthree\n' },
    ['A b.md > A b.md', ' 1 one', '-2 two', '+2 2', '+3 three'],
  ],
  ['a new file', { to: 'A.md', after: 'one' }, ['nothing > A.md', '+1 one']],
  ['a deleted file', { from: 'A.md', before: 'one\n' }, ['A.md > nothing', '-1 one']],
  ['a file that moves', { from: 'A.md', to: 'b/A b.md' }, ['A.md > b/A b.md']],
  [
    'quotes in a name',
    { from: 'A "x".md', to: 'A "x".md', before: '', after: 'y' },
    ['A "x".md > A "x".md', '+1 y'],
  ],
  [
    'bytes that are no text',
    { from: 'a.png', to: 'a.png', before: new Uint8Array([0]), after: new Uint8Array([0, 1]) },
    ['a.png > a.png (binary)'],
  ],
  [
    'lines that look like headers',
    {
      from: 'A.md',
      to: 'A.md',
      before: '-- a/B.md\ndiff --git a/B.md b/B.md\n',
      after: '++ b/B.md\n@@ -1 +1 @@\n',
    },
    [
      'A.md > A.md',
      '-1 -- a/B.md',
      '-2 diff --git a/B.md b/B.md',
      '+1 ++ b/B.md',
      '+2 @@ -1 +1 @@',
    ],
  ],
])('reads %s', (_, file, expected) => {
  const diff = unifiedDiff(file);
  expect(shown(diff)).toEqual(expected);
  expect(shown(diff + diff)).toEqual([...expected, ...expected]);
});

it('compares lines that change place word by word', () => {
  const file = { from: 'A.md', to: 'A.md', before: 'a long line of words', after: 'a long line' };
  const [read] = readUnified(unifiedDiff(file), { by: 'words' }).files;
  expect(read).toMatchObject({ added: 1, removed: 1 });
  expect(read?.parts[0]?.lines[0]?.pieces.filter(({ differs }) => differs)).toEqual([
    { text: ' of words', differs: true },
  ]);
});

it.each(['', 'x', 'diff --git', 'diff --git a', '@@ -1 +1 @@\n-x', 'diff --git a/x b/x\n@@ -9 @@'])(
  'reads %j without failing',
  (text) => {
    expect(readUnified(text, { by: 'words' }).files.length).toBeLessThanOrEqual(1);
  },
);
