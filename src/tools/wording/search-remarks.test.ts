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
    'No note has "aples"; searched for "apples", "maples" instead. No note has "paers"; searched for "pears" instead. No note matches the whole query; these match parts of it, best first.',
  );
});

it('says how many notes have all of it', () => {
  expect(searchRemarks({ whole: 1 }).hint).toBe(
    'One note matches the whole query, the others only parts of it; best first.',
  );
  expect(searchRemarks({ whole: 3 }).hint).toContain('3 notes match the whole query');
});
