import { expect, it } from 'vitest';
import type { VaultPath } from '../../../base/vault-path.ts';
import { joinMeaning } from './join-meaning.ts';

type Rows = readonly (readonly [path: string, score: number])[];

/**
 * Joins rows by words with one note, `Meant.md`, that is far nearer in meaning than the others, or is
 * as near as stated.
 */
function joined(
  rows: Rows,
  { whole, near: meant = 0.9 }: { readonly whole: number; readonly near?: number | undefined },
): readonly string[] {
  const items = rows.map(([path, score]) => ({ path: path as VaultPath, score }));
  const notes = [{ path: 'Meant.md' as VaultPath, near: meant, line: 1 }];
  const near = { notes, mean: 0.1, deviation: 0.1, among: 1_000 };
  const page = joinMeaning({ items, total: items.length, whole, alternatives: [] }, near, {
    limit: 10,
    offset: 0,
    isPartly: false,
  });
  expect(page.total).toBe(page.items.length);
  return page.items.map(({ path }) => path);
}

it.each<{ what: string; rows: Rows; whole: number; near?: number; order: readonly string[] }>([
  {
    what: 'notes that have all words stay alone',
    rows: [
      ['A.md', 3],
      ['B.md', 2],
    ],
    whole: 2,
    order: ['A.md', 'B.md'],
  },
  {
    what: 'a note that is far ahead stays first, and what is meant is added behind the words',
    rows: [
      ['A.md', 9],
      ['B.md', 2],
    ],
    whole: 0,
    order: ['A.md', 'B.md', 'Meant.md'],
  },
  {
    what: 'where the words are not sure, what is meant may come first',
    rows: [
      ['A.md', 3],
      ['B.md', 2],
    ],
    whole: 0,
    order: ['Meant.md', 'A.md', 'B.md'],
  },
  {
    what: 'a note that both lists have comes before those of one list',
    rows: [
      ['A.md', 3],
      ['Meant.md', 2],
    ],
    whole: 0,
    order: ['Meant.md', 'A.md'],
  },
  {
    what: 'without a word that is found, what is meant is all',
    rows: [],
    whole: 0,
    order: ['Meant.md'],
  },
  {
    what: 'what is not near comes between the words where no note has all of them',
    rows: [
      ['A.md', 3],
      ['B.md', 2],
    ],
    whole: 0,
    near: 0.2,
    order: ['A.md', 'Meant.md', 'B.md'],
  },
  {
    what: 'what is not near is not added where a note has all words',
    rows: [
      ['A.md', 3],
      ['B.md', 2],
    ],
    whole: 1,
    near: 0.2,
    order: ['A.md', 'B.md'],
  },
  {
    what: 'what is not near is not added where no note has any word',
    rows: [],
    whole: 0,
    near: 0.2,
    order: [],
  },
  {
    what: 'what is not near changes nothing for a note that has words',
    rows: [
      ['A.md', 3],
      ['Meant.md', 2],
    ],
    whole: 0,
    near: 0.2,
    order: ['A.md', 'Meant.md'],
  },
])('$what', ({ rows, whole, near, order }) => {
  expect(joined(rows, { whole, near })).toEqual(order);
});
