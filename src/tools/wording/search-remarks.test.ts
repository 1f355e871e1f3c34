import { expect, it } from 'vitest';
import { searchRemarks } from './search-remarks.ts';

it('says nothing of an answer that is what was asked for', () => {
  expect(searchRemarks({})).toEqual({});
});

it('says why an answer is not whole', () => {
  expect(searchRemarks({ incomplete: 'indexing' }).incomplete).toContain('still being indexed');
  expect(searchRemarks({ incomplete: 'time' }).incomplete).toContain('narrow the query');
});

it('says what was looked for instead', () => {
  const corrected = [
    { word: 'aples', to: ['apples', 'maples'] },
    { word: 'paers', to: ['pears'] },
  ];
  expect(searchRemarks({ corrected, partial: true }).hint).toBe(
    'Nothing has "aples"; searched for "apples", "maples". Nothing has "paers"; searched for "pears". Nothing has all of this: these have some of it, most first.',
  );
});

it('says which notes have only some of it', () => {
  expect(searchRemarks({ whole: 1 }).hint).toBe(
    'The first has all of this; those after have some of it.',
  );
  expect(searchRemarks({ whole: 3 }).hint).toContain('The first 3 have all');
  expect(searchRemarks({ whole: 0 }).hint).toBe('These have only some of it.');
});
