import type { Query, TextQuery } from '../../engine/ports/search-query.ts';
import type { IdSet } from '../tables/id-set.ts';
import { intersect, noIds, parseIds, subtract } from '../tables/id-set.ts';
import { freshness } from '../tables/index-schema.ts';
import { partialQuery } from './partial-query.ts';
import { rankingOf, weighedMaxOf } from './search-scores.ts';
import type { Found, Groups } from './search-sets.ts';
import { filesFulfilling } from './search-sets.ts';
import type { Words } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import { correctedGroup, matchOfGroup, widenedGroup } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/**
 * At most this many words of a query are widened (searched for with their forms), and this many are
 * tried as misspelled.
 */
const widenedMax = 24;
const triedMax = 6;

/** The result of a search, with the query and the words that led to it. */
export interface Outcome {
  readonly query: Query;
  readonly groups: Groups;
  readonly ids: IdSet;
  readonly isPartial: boolean;
  /** How many files FTS5 has found; undefined if the query asks for more than words. */
  readonly matched?: number | undefined;
}

/** What a search uses: the matches of FTS5, and the words of the files that the view admits. */
export interface SearchScope {
  readonly matches: TextMatches;
  readonly words: Words;
}

/** Searches for all words; if nothing is found, with corrected spellings, and then for some words. */
export function outcomeOf(scope: SearchScope, query: Query): Outcome {
  const groups = widen(scope, query);
  const asked = files(scope, query, groups);
  const outcome = { query, groups, isPartial: false, ...asked };
  if (asked.ids.length > 0) return outcome;
  const corrected = correctAbsent(scope, groups);
  const found = corrected === groups ? asked : files(scope, query, corrected);
  if (found.ids.length > 0) return { ...outcome, groups: corrected, ...found };
  return (
    correctOthers(scope, outcome, corrected) ?? partialOutcome(scope, query, corrected) ?? outcome
  );
}

/** Finds files that have some of the words; undefined when there are none; see `partialQuery`. */
export function partialOutcome(
  scope: SearchScope,
  query: Query,
  groups: Groups,
): Outcome | undefined {
  const commonDocs = scope.words.files() / 2;
  const partial = partialQuery(query, {
    groups,
    isDistinctive: (group) => {
      const docs = scope.matches.count(matchOfGroup(group));
      return docs > 0 && docs <= commonDocs;
    },
  });
  if (partial === undefined) return undefined;
  const found = files(scope, partial.query, partial.groups);
  return found.ids.length === 0 ? undefined : { ...partial, ...found, isPartial: true };
}

/** The files that fulfil the query and that the view admits. */
function files(
  { matches }: SearchScope,
  query: Query,
  groups: Groups,
): Pick<Outcome, 'ids' | 'matched'> {
  weighAtOnce(matches, query, groups);
  const found = filesFulfilling(matches, query, groups);
  if (found === undefined) return { ids: noIds };
  const ids = resolved(matches, found);
  return {
    ids: matches.seen === undefined ? ids : intersect(ids, matches.seen),
    matched: found.isMatch && ids.length, // `isMatch` is true or undefined.
  };
}

/** If all files that match will be scored anyway, finds and scores them with one query. */
function weighAtOnce(matches: TextMatches, query: Query, groups: Groups): void {
  if (matches.seen !== undefined || filesMax(query, groups) === Number.POSITIVE_INFINITY) return;
  const ranking = rankingOf(query, { groups, columns: '' });
  if (ranking && filesMax(query, groups) <= weighedMaxOf(ranking)) matches.weighed(ranking.match);
}

/** An upper bound for the files that match a query of words only; infinity for other queries. */
function filesMax(query: Query, groups: Groups): number {
  if (query.kind === 'text') {
    const { docs = Number.POSITIVE_INFINITY, others = [] } = groups.get(query) ?? {};
    return others.reduce((sum, other) => sum + other.docs, docs);
  }
  if (query.kind !== 'all' || query.parts.some(({ kind }) => kind !== 'text')) {
    return Number.POSITIVE_INFINITY;
  }
  return Math.min(...query.parts.map((part) => filesMax(part, groups)));
}

/** The ids that were found. For a `Found` of all but some files: those files that have full text. */
function resolved({ connection }: TextMatches, { ids, isRest }: Found): IdSet {
  if (!isRest) return ids;
  const row = connection.get<{ ids: string | null }>(
    `SELECT group_concat(id) AS ids FROM (
       SELECT id FROM file WHERE text > ${freshness.none} ORDER BY id)`,
  );
  return subtract(parseIds(row?.ids), ids);
}

/** The words of the query with their forms and continuations. */
function widen({ words }: SearchScope, query: Query): Map<TextQuery, WordGroup> {
  const groups = new Map<TextQuery, WordGroup>();
  for (const text of positiveTexts(query).slice(0, widenedMax)) {
    const group = widenedGroup(text, words);
    if (group !== undefined) groups.set(text, group);
  }
  return groups;
}

/** Corrects the words that no file has in any form; returns the same groups if there are none. */
function correctAbsent({ matches, words }: SearchScope, groups: Groups): Groups {
  let corrected: Map<TextQuery, WordGroup> | undefined;
  for (const [text, group] of groups) {
    if (text.quoted || matches.finds(matchOfGroup(group))) continue;
    const better = correctedGroup(text, group, words);
    if (better === undefined) continue;
    corrected ??= new Map(groups);
    corrected.set(text, better);
  }
  return corrected ?? groups;
}

/** Corrects one word more, rare words first, until a file has all words; undefined if none does. */
function correctOthers(scope: SearchScope, outcome: Outcome, groups: Groups): Outcome | undefined {
  if (groups.size < 2) return undefined;
  const tried = Array.from(groups)
    .filter(([text, { words, others }]) => {
      return !text.quoted && words.length === 1 && !others.some(({ as }) => as === 'typo');
    })
    .sort(([, a], [, b]) => (a.docs ?? 0) - (b.docs ?? 0))
    .slice(0, triedMax);
  for (const [text, group] of tried) {
    const better = correctedGroup(text, group, scope.words);
    if (better === undefined) continue;
    const corrected = new Map(groups).set(text, better);
    const found = files(scope, outcome.query, corrected);
    if (found.ids.length > 0) return { ...outcome, groups: corrected, ...found };
  }
  return undefined;
}

/** The texts that a file must contain; not those that it must not contain, or that are for its name. */
function positiveTexts(query: Query): TextQuery[] {
  switch (query.kind) {
    case 'text':
      return [query];
    case 'all':
    case 'any':
      return query.parts.flatMap(positiveTexts);
    case 'case':
      return positiveTexts(query.part);
    case 'in':
      return query.place === 'file' || query.place === 'path' ? [] : positiveTexts(query.part);
    default:
      return [];
  }
}
