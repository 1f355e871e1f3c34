import { describe, expect, it } from 'vitest';
import { fileDiff } from './file-diff.ts';

/** A diff as text: words that differ stand in [ ]. */
function shown(before: string, after: string, by: 'words' | 'lines' = 'words'): string[] {
  const { parts, added, removed, otherEnds } = fileDiff(before, after, { by });
  const lines = parts.flatMap(({ title, lines: all }) => [
    ...(title === undefined ? [] : [`# ${title}`]),
    ...all.map(({ is, number, pieces }) => {
      const sign = { same: ' ', removed: '-', added: '+' }[is];
      const text = pieces.map(({ text: words, differs }) => (differs ? `[${words}]` : words));
      return `${sign}${number} ${text.join('')}`;
    }),
  ]);
  const ends = otherEnds === 0 ? [] : [`line ends: ${otherEnds}`];
  return [`+${added} -${removed}`, ...lines, ...ends];
}

describe('fileDiff', () => {
  it.each<[before: string, after: string, expected: string[]]>([
    ['same\n', 'same\n', ['+0 -0']],
    ['', 'new\n', ['+1 -0', '+1 new']],
    ['gone\n', '', ['+0 -1', '-1 gone']],
    [
      '2. [[Bike shed]]\n',
      '2. [[Bicycle shed]]\n',
      ['+1 -1', '-1 2. [[[Bike] shed]]', '+1 2. [[[Bicycle] shed]]'],
    ],
    [
      '# A\n1\n2\n3\n4\n5\n',
      '# A\n1\n2\n3\nfour\n5\n',
      ['+1 -1', '# A', ' 3 2', ' 4 3', '-5 4', '+5 four', ' 6 5'],
    ],
    ['```\n# no\n```\nx\n', '```\n# no\n```\ny\n', ['+1 -1', ' 2 # no', ' 3 ```', '-4 x', '+4 y']],
    ['a\nb\n', 'a\nc\nd\n', ['+2 -1', ' 1 a', '-2 b', '+2 c', '+3 d']],
    ['a\r\nb\r\n', 'a\r\nc\r\n', ['+1 -1', ' 1 a', '-2 b', '+2 c']],
    // A line with the same text counts as unchanged, even if it has got another line end.
    ['a\nb', 'a\nb\nc\n', ['+1 -0', ' 1 a', ' 2 b', '+3 c', 'line ends: 1']],
    ['a\nb', 'a\nb\nc', ['+1 -0', ' 1 a', ' 2 b', '+3 c', 'line ends: 1']],
    ['a\nb', 'x\na\nb', ['+1 -0', '+1 x', ' 2 a', ' 3 b']],
    ['a\nb', 'a', ['+0 -1', ' 1 a', '-2 b', 'line ends: 1']],
    ['a\nb', 'a\n', ['+0 -1', ' 1 a', '-2 b']],
    ['a\nb', 'x\nb\nc', ['+2 -1', '-1 a', '+1 x', ' 2 b', '+3 c', 'line ends: 1']],
    ['a\r\nb', 'a\r\nb\r\nc\r\n', ['+1 -0', ' 1 a', ' 2 b', '+3 c', 'line ends: 1']],
    ['a\r\nb\r\n', 'a\nb\nc\n', ['+1 -0', ' 1 a', ' 2 b', '+3 c', 'line ends: 2']],
    ['a\r\nb\r\n', 'a\nc\n', ['+1 -1', ' 1 a', '-2 b', '+2 c', 'line ends: 1']],
    ['a\r\n', 'a\n', ['+0 -0', 'line ends: 1']],
    ['a', 'a\n', ['+0 -0', 'line ends: 1']],
    ['a\rb\n', 'a\rc\n', ['+1 -1', '-1 a\r[b]', '+1 a\r[c]']],
  ])('%j to %j', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  it('compares lines as wholes when it is asked to', () => {
    expect(shown('a b\n', 'a c\n', 'lines')).toEqual(['+1 -1', '-1 a b', '+1 a c']);
  });

  it('does not compare very long lines word by word', () => {
    const long = 'a '.repeat(500_000);
    expect(
      fileDiff(`${long}x\n`, `${long}y\n`, { by: 'words' }).parts[0]?.lines[0]?.pieces,
    ).toHaveLength(1);
  });

  it.each<[string, before: string, after: string]>([
    ['more lines than a call has arguments', '', 'a\n'.repeat(300_000)],
    [
      'lines without a word in common, which took minutes',
      `${'.,'.repeat(1_000)}\n`.repeat(2_000),
      `${';:'.repeat(1_000)}\n`.repeat(2_000),
    ],
  ])('compares %s at once', (_, before, after) => {
    const startMs = performance.now();
    const { parts } = fileDiff(before, after, { by: 'words' });
    expect(parts).toHaveLength(1);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('shows changes that are far apart as parts', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
    const after = lines.with(2, 'x\n').with(25, 'y\n');
    expect(fileDiff(lines.join(''), after.join(''), { by: 'words' }).parts).toHaveLength(2);
  });
});
