import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const names = [
  'list',
  'append_note',
  'append_section',
  'read_note',
  'read_section',
  'search_notes',
];

it.each([
  ['readnote', 'read_note'],
  ['read-note', 'read_note'],
  ['Read_Note', 'read_note'],
  ['red_note', 'read_note'],
  ['read', 'read_note'],
  ['search', 'search_notes'],
  ['append_sektion', 'append_section'],
  ['get_note', undefined],
  ['no', undefined],
  ['re', 'read_note'],
  ['delete_everything', undefined],
  ['ilst', 'list'],
  ['limit', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('nearest to %.20s is %s', (asked, nearest) => {
  expect(nearestName(asked, names)).toBe(nearest);
});
