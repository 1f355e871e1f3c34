import { expect, it } from 'vitest';
import { markLine } from './mark-line.ts';

const long =
  '…rd, in the flat with the leaning bookshelf. If you found this vault on a lost laptop: ';

it.each<[what: string, text: string, words: string[], expected: string]>([
  ['a short line', 'see [[Sourdough]].', ['sourdough'], 'see [[<Sourdough>]].'],
  [
    'a line whose match is far behind',
    `${long}see [[Sourdough]]. The rest stays.`,
    ['sourdough'],
    '…this vault on a lost laptop: see [[<Sourdough>]]. The rest stays.',
  ],
  ['another form of the word', 'Bread is baked.', ['breads'], '<Bread> is baked.'],
  ['the word itself before other forms', 'bread, breads', ['breads'], 'bread, <breads>'],
  ['no mark for a short beginning', 'tree', ['trip'], 'tree'],
  ['a line without a match', `${long}nothing`, ['sourdough'], `${long}nothing`],
  ['text without blanks', `${'a'.repeat(60)}-match`, ['match'], `…${'a'.repeat(39)}-<match>`],
])('%s', (_, text, words, expected) => {
  const shown = markLine(text, words).map((piece) =>
    piece.isMarked ? `<${piece.text}>` : piece.text,
  );
  expect(shown.join('')).toBe(expected);
});
