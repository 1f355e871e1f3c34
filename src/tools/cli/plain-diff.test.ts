import { expect, it } from 'vitest';
import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { plainPaint } from '../wording/plain-voice.ts';
import { plainDiff } from './plain-diff.ts';

type File = Parameters<typeof unifiedDiff>[0];
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('');
const binary = Uint8Array.of(0, 1);

it.each<[string, file: File, lines: string, counts: [string, string][]]>([
  [
    'a changed line',
    { from: 'A.md', to: 'A.md', before: numbers(1, 9), after: `${numbers(1, 7)}x\n9\n` },
    '|A.md, from line 5:| 5| 6| 7|-8|+x| 9|',
    [['A.md', '+1 −1 lines']],
  ],
  [
    'two places of one file',
    { from: 'A.md', to: 'A.md', before: numbers(1, 20), after: `x\n${numbers(1, 19)}` },
    '|A.md, from line 1:|+x| 1| 2| 3||A.md, from line 18:| 17| 18| 19|-20|',
    [['A.md', '+1 −1 lines']],
  ],
  ['a new file', { to: 'A.md', after: 'a' }, '|A.md, from line 1:|+a|', [['A.md', '+1 line']]],
  [
    'a deleted file',
    { from: 'A.md', before: 'a\nb\n' },
    '|A.md, from line 1:|-a|-b|',
    [['A.md', '−2 lines']],
  ],
  ['a renamed file', { from: 'A.md', to: 'B.md' }, '', []],
  [
    'a renamed and changed file with quotes in its name',
    { from: 'A.md', to: 'B "b".md', before: 'a\n', after: 'b\n' },
    '|B "b".md, from line 1:|-a|+b|',
    [['B "b".md', '+1 −1 lines']],
  ],
  [
    'lines that look like a diff',
    { from: 'A.md', to: 'A.md', before: '-- x\n@@ y\n', after: '++ x\n@@ y\ndiff --git a b\n' },
    '|A.md, from line 1:|--- x|+++ x| @@ y|+diff --git a b|',
    [['A.md', '+2 −1 lines']],
  ],
  [
    'another line end',
    { from: 'A.md', to: 'A.md', before: 'a', after: 'a\n' },
    '|A.md, from line 1:| a|\\ Only the line end differs|',
    [['A.md', '']],
  ],
  ['a picture', { to: 'A "a".png', after: binary }, '|A "a".png: This file is not text.|', []],
  [
    'lost contents',
    { from: 'A.md', to: 'A.md', lost: true },
    '|A.md: The contents are not kept any more.|',
    [],
  ],
])('shows %s without the marks of a patch', (_, file, lines, counts) => {
  const { text, counts: found } = plainDiff(unifiedDiff(file), plainPaint);
  expect(text.replaceAll('\n', '|')).toBe(lines);
  expect([...found]).toEqual(counts);
});

it('says how many files are left out, and keeps control characters of names from the terminal', () => {
  const diff = `${unifiedDiff({ from: 'A\u001b.md', to: 'A\u001b.md', before: '', after: 'a\n' })}2 more files are not shown: the diff is too long.\n`;
  expect(plainDiff(diff, plainPaint).text).toBe(
    '\nA·.md, from line 1:\n+a\n\n2 more files are not shown: the diff is too long.\n',
  );
});
