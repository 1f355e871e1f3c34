import type { VaultPath } from '../../base/vault-path.ts';
import type { PageRequest, SearchRow } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import type { IdSet } from '../tables/id-set.ts';
import { idsJson, intersect, subtract } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { Scored } from './kept-matches.ts';

/** Up to this many scores are kept sorted while the others are looked at. */
const sortedMax = 200;

/** The rows of a page: best first, equal scores by path, and conflict copies last. */
export function searchRows(
  connection: IndexConnection,
  view: View,
  scored: Scored,
  page: PageRequest,
): SearchRow[] {
  const copies = intersect(copiesSeen(connection, view), scored.ids);
  const others = subtract(scored.ids, copies);
  const { limit, offset } = page;
  const rows = bestRows(connection, { ids: others, scored }, { limit, offset });
  const left = limit - rows.length;
  if (left <= 0 || copies.length === 0) return rows;
  const skipped = Math.max(0, offset - others.length);
  return [
    ...rows,
    ...bestRows(connection, { ids: copies, scored }, { limit: left, offset: skipped }),
  ];
}

/**
 * The conflict copies whose original exists and is admitted. An SQL index leads to them; they are few.
 */
function copiesSeen(connection: IndexConnection, view: View): IdSet {
  const rows = connection.all<{ id: number }>(
    `SELECT f.id FROM file f INDEXED BY file_conflict WHERE f.conflict_of IS NOT NULL AND EXISTS (
       SELECT 1 FROM file o WHERE o.path = f.conflict_of AND ${connection.sees(view, 'o.path')})`,
  );
  return Uint32Array.from(rows, ({ id }) => id).sort();
}

/**
 * A page of some of the scored files. Paths are read only for files that are on the page, or have the
 * same score as its last row, since their paths decide the order.
 */
function bestRows(
  connection: IndexConnection,
  { ids, scored }: { readonly ids: IdSet; readonly scored: Scored },
  { limit, offset }: PageRequest,
): SearchRow[] {
  if (offset >= ids.length || limit <= 0) return [];
  const end = Math.min(offset + limit, ids.length);
  const scores = scoresOf(ids, scored);
  const last = nthHighest(scores, end); // The lowest score on the page.
  const wanted: number[] = [];
  const equal: number[] = [];
  for (let at = 0; at < ids.length; at++) {
    const score = scores[at] as number;
    if (score > last) wanted.push(at);
    else if (score === last) equal.push(at);
  }
  const idOf = (at: number): number => ids[at] as number;
  const above = pathsOf(connection, wanted.map(idOf), wanted.length);
  const beside = pathsOf(connection, equal.map(idOf), end - wanted.length);
  const rows = wanted.map((at) => ({ path: above.get(idOf(at)), score: scores[at] as number }));
  for (const path of beside.values()) rows.push({ path, score: last });
  return rows
    .flatMap(({ path, score }) => (path === undefined ? [] : [{ path, score }]))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(offset, end);
}

/** The n-th highest of at least n scores, without sorting all of them where n is small. */
function nthHighest(scores: Float64Array, n: number): number {
  if (n > sortedMax) return scores.slice().sort()[scores.length - n] as number;
  const highest = scores.slice(0, n).sort(); // The lowest of them comes first.
  for (let from = n; from < scores.length; from++) {
    const score = scores[from] as number;
    if (score <= (highest[0] as number)) continue;
    let at = 1;
    while (at < n && (highest[at] as number) < score) at++;
    highest.copyWithin(0, 1, at);
    highest[at - 1] = score;
  }
  return highest[0] as number;
}

/** The scores of some of the scored files. */
function scoresOf(ids: IdSet, scored: Scored): Float64Array {
  if (ids.length === scored.ids.length) return scored.scores;
  const scores = new Float64Array(ids.length);
  let next = 0;
  ids.forEach((id, at) => {
    while (scored.ids[next] !== id) next++;
    scores[at] = scored.scores[next] as number;
  });
  return scores;
}

/** The paths of files, by id; the first `max` in path order. */
function pathsOf(
  connection: IndexConnection,
  ids: readonly number[],
  max: number,
): Map<number, VaultPath> {
  const rows = connection.all<{ id: number; path: VaultPath }>(
    `SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value
     ORDER BY f.path LIMIT ?`,
    idsJson(Uint32Array.from(ids)),
    max,
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}
