import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineIndex } from '../../base/text-range.ts';
import { scanHeadings } from '../../markdown/scan/scan-note.ts';
import { headingsAbove, shownAround } from './shown-line.ts';

const rows: readonly [name: string, text: string, lines: number[], expected: unknown[]][] = [
  ['nothing above the first', 'a\n# H\n', [0], [undefined]],
  ['the nearest above each', '# H\na\n## I\nb\n# J\nc', [1, 3, 5], ['H', 'I', 'J']],
  ['its own', '# H\n## I\n', [0, 1], ['H', 'I']],
  ['one with a line under it', 'H\n===\na\n', [0, 2], ['H', 'H']],
  ['none in code', '# H\n```\n# no\na\n```\nb', [3, 5], ['H', 'H']],
  ['none in code that is cut', '```\n# no\na', [2], [undefined]],
  ['none in properties', '---\n# no\na: 1\n---\n# H\nb', [2, 5], [undefined, 'H']],
  ['properties alone', '---\n# no\na: 1\n---\n# H\nb', [2], [undefined]],
  ['with Windows line ends', '# H\r\na\r\n## I\r\nb', [1, 3], ['H', 'I']],
  [
    'the nearest after empty lines',
    '# H\n\na\n\n## I\n\nb\n\nJ\n---\nc',
    [2, 6, 10],
    ['H', 'I', 'J'],
  ],
  ['none in code with empty lines', '# H\n\n```\n\n# no\na\n\n```\nb', [5, 8], ['H', 'H']],
  ['none in a comment with empty lines', '# H\n\n<!-- \n\n# no\n\na -->\n\nb', [6, 8], ['H', 'H']],
  ['no tag for a heading', '# H\n\n#tag\n\na', [4], ['H']],
  ['none in properties with empty lines', '---\na: 1\n\n# no\n\n---\n\nb', [7], [undefined]],
  ['no lines', '# H', [], []],
];
it.each(rows)('the heading of a line: %s', (_, text, lines, expected) => {
  expect(headingsAbove(text, lines, new LineIndex(text))).toEqual(expected);
});

it.each<[what: string, line: string, expected: string]>([
  ['whole, without its indentation', '  - a match', '- a match'],
  [
    'cut on both sides',
    `${'word '.repeat(9)}match${' word'.repeat(9)}`,
    '…word word match word word word word word word wo…',
  ],
  [
    'cut at the beginning of a word',
    `${'word '.repeat(9)}match at end`,
    '…word word word word word word word match at end',
  ],
])('a line is shown %s', (_, line, expected) => {
  const shown = shownAround(line, () => line.indexOf('match'), 48);
  expect(shown).toBe(expected);
});

const pieces = [
  ...['# A', '## B', '#tag', 'text', '- item', '  - sub', '1. one', '> # Q', '', '', '', 'S\n---'],
  ...['    ```', '```', '\t~~~', '- ```', '- a\n\n    ```\n    # no', '<script>', '    <script>'],
  ...['</script>', '<div>', '<!-- x', '-->', '%%', '$$', '- # L', '    # four', '[^1]: note', '# '],
];
it('the heading of a line is the same when only the text below a sure heading is read', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 16 }), fc.nat(), (some, at) => {
      const text = some.join('\n');
      const table = new LineIndex(text);
      const line = at % table.count;
      const end = line + 2 < table.count ? table.startOf(line + 2) : text.length;
      const above = scanHeadings(text.slice(0, end)).filter(
        ({ range }) => table.lineAt(range.start) <= line,
      );
      expect(headingsAbove(text, [line], table)).toEqual([above.at(-1)?.text]);
    }),
    { numRuns: 2_000 },
  );
});
