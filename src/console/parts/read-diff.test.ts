import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { readDiff } from './read-diff.ts';

/** A diff as text: words that differ stand in [ ]. */
function shown(text: string): string[] {
  const { files, rest } = readDiff(text);
  // Each file has its part of the text, to be saved where it is too long to be shown.
  expect(files.map((file) => file.text).join('') + rest).toBe(text);
  return [
    ...files.flatMap(({ path, from, did, diff, without }) => [
      [did, from ?? '', path, `+${diff.added} -${diff.removed}`, without ?? ''].join('|') +
        (diff.otherEnds === 0 ? '' : `line ends: ${diff.otherEnds}`),
      ...diff.parts.flatMap(({ lines }) =>
        lines.map(({ is, number, pieces }) => {
          const sign = { same: ' ', removed: '-', added: '+' }[is];
          const words = pieces.map((piece) => (piece.differs ? `[${piece.text}]` : piece.text));
          return `${sign}${number} ${words.join('')}`;
        }),
      ),
    ]),
    ...(rest === '' ? [] : [rest]),
  ];
}

const at = (path: string) => ({ from: path, to: path });

describe('readDiff', () => {
  it.each<[string, Parameters<typeof unifiedDiff>[0][], string[]]>([
    [
      'words of a line',
      [{ ...at('a b/c.md'), before: 'x\nthe Bike shed\n', after: 'x\nthe Bicycle shed\n' }],
      ['changed||a b/c.md|+1 -1|', ' 1 x', '-2 the [Bike] shed', '+2 the [Bicycle] shed'],
    ],
    ['a new file', [{ to: 'n.md', after: 'a\n' }], ['created||n.md|+1 -0|', '+1 a']],
    ['an empty new file', [{ to: 'n n.md', after: '' }], ['created||n n.md|+0 -0|']],
    [
      'a deleted one without a last line end',
      [{ from: 'n.md', before: 'a\nb' }],
      ['deleted||n.md|+0 -2|', '-1 a', '-2 b'],
    ],
    ['a moved one', [{ from: 'a.md', to: 'b b.md' }], ['moved|a.md|b b.md|+0 -0|']],
    [
      'names with quotes',
      [
        { ...at('a "b".md'), before: 'x\n', after: '' },
        { from: '"', to: 'b' },
      ],
      ['changed||a "b".md|+0 -1|', '-1 x', 'moved|"|b|+0 -0|'],
    ],
    [
      'texts that look like a diff',
      [{ ...at('a.md'), before: '-- x\n', after: '++ x\n@@ -1 +1 @@\ndiff --git a/x b/x\n' }],
      ['changed||a.md|+3 -1|', '-1 -- x', '+1 ++ x', '+2 @@ -1 +1 @@', '+3 diff --git a/x b/x'],
    ],
    [
      'line ends of Windows',
      [{ ...at('w.md'), before: 'a\r\nb\r\n', after: 'a\r\nc\r\n' }],
      ['changed||w.md|+1 -1|', ' 1 a', '-2 b', '+2 c'],
    ],
    [
      'line ends that have changed, and nothing else',
      [{ ...at('w.md'), before: 'a\r\nb', after: 'a\nb\n' }],
      ['changed||w.md|+0 -0|line ends: 2'],
    ],
    [
      'a line added below a last line without a line end',
      [{ ...at('w.md'), before: 'a\nb', after: 'a\nb\nc\n' }],
      ['changed||w.md|+1 -0|line ends: 1', ' 1 a', ' 2 b', '+3 c'],
    ],
    [
      'a line added above such a line',
      [{ ...at('w.md'), before: 'b', after: 'a\nb' }],
      ['changed||w.md|+1 -0|', '+1 a', ' 2 b'],
    ],
    [
      'the last line taken out below what then has no line end',
      [{ ...at('w.md'), before: 'a\nb\nc', after: 'a\nb' }],
      ['changed||w.md|+0 -1|line ends: 1', ' 1 a', ' 2 b', '-3 c'],
    ],
    [
      'other line ends and a changed line',
      [{ ...at('w.md'), before: 'a\r\nb\r\nc\r\n', after: 'a\nx\nc\n' }],
      ['changed||w.md|+1 -1|line ends: 2', ' 1 a', '-2 b', '+2 x', ' 3 c'],
    ],
    ['what is lost', [{ ...at('a.md'), lost: true }], ['changed||a.md|+0 -0|lost']],
    [
      'what is no text',
      [{ ...at('a.png'), before: Uint8Array.of(0, 255), after: Uint8Array.of(0) }],
      ['changed||a.png|+0 -0|binary'],
    ],
  ])('reads %s', (_, files, expected) => {
    expect(shown(files.map(unifiedDiff).join(''))).toEqual(expected);
  });

  it('reads what is there where the server has cut it', () => {
    const whole = unifiedDiff({ ...at('a.md'), before: '', after: 'a\nb\nc\n' });
    const cut = `${whole.split('\n').slice(0, 5).join('\n')}\n… and 3 more lines`;
    expect(shown(cut)).toEqual(['changed||a.md|+1 -0|', '+1 a', '… and 3 more lines']);
    expect(shown('')).toEqual([]);
    expect(shown('anything else')).toEqual(['anything else']);
  });
});
