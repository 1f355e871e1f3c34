import { expect, it } from 'vitest';
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
  ['no lines', '# H', [], []],
];
it.each(rows)('the heading of a line: %s', (_, text, lines, expected) => {
  expect(headingsAbove(text, lines)).toEqual(expected);
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
