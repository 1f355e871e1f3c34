import { expect, it } from 'vitest';
import { notesStrings } from './notes-strings.ts';

type News = Parameters<typeof notesStrings.searchNews>[0];

it.each<[answer: News, said: string]>([
  [{}, ''],
  [
    { corrected: [{ word: 'hydrogrpah', to: ['hydrograph'] }] },
    'Nothing has *hydrogrpah*; found *hydrograph*. ',
  ],
  [
    { corrected: [{ word: 'flod', to: ['flood', 'flow', 'floor'] }] },
    'Nothing has *flod*; found *flood*, *flow* and *floor*. ',
  ],
  [{ partial: true }, 'No note has all of this; these have a part of it. '],
  [{ whole: 1 }, 'One note has all of the words; the others have some. '],
  [{ whole: 3 }, '3 notes have all of the words; the others have some. '],
  [{ incomplete: 'indexing' }, 'Not all notes are read yet: soon there may be more. '],
  [
    { partial: true, incomplete: 'time' },
    'No note has all of this; these have a part of it. There was no time to look into all notes. Add words, a tag: or a path: to ask for less. ',
  ],
])('a search that answers %j says so', (answer, said) => {
  const pieces = notesStrings.searchNews(answer);
  expect(
    pieces.map((piece) => (typeof piece === 'string' ? piece : `*${piece.name}*`)).join(''),
  ).toBe(said);
});
