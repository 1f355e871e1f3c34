import type { Query, TextQuery } from '../../engine/ports/search-query.ts';
import type { IdSet } from '../tables/id-set.ts';
import { intersect, noIds, parseIds, subtract } from '../tables/id-set.ts';
import { freshness } from '../tables/index-schema.ts';
import { mayLackWords, partialQuery } from './partial-query.ts';
import { rankingOf } from './ranked-words.ts';
import { weighedMaxOf } from './search-scores.ts';
import type { Found, Groups } from './search-sets.ts';
import { filesFulfilling } from './search-sets.ts';
import type { Words } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import {
  correctedGroup,
  docsOfWords,
  joinedWord,
  matchOfGroup,
  splitWord,
  widenedGroup,
} from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/**
 * At most this many words of a query are widened (searched for with their forms), and this many are
 * tried as misspelled.
 */
const widenedMax = 24;
const triedMax = 6;

/**
 * If so many files have all words of a long query, files that lack some are not looked at. It is the
 * case for frequent words only, which have too many files to look at each.
 */
const plentyMin = 1_000;

/** The result of a search, with the query and the words that led to it. */
export interface Outcome {
  readonly query: Query;
  readonly groups: Groups;
  readonly ids: IdSet;
  /** How many files FTS5 has found; undefined if the query asks for more than words. */
  readonly matched?: number | undefined;
  /** Set when the files need not have all words. */
  readonly partial?: {
    /** The query that they fulfil, see `partialQuery`. */
    readonly query: Query;
    readonly groups: Groups;
    /** Those of them that have all words. */
    readonly whole: IdSet;
  };
}

/** What a search uses: the matches of FTS5, and the words of the files that the view admits. */
export interface SearchScope {
  readonly matches: TextMatches;
  readonly words: Words;
}

/**
 * Searches for all words; if nothing is found, with corrected spellings. If still nothing is found, or
 * if the query is long, files with some of the words are found too.
 */
export function outcomeOf(scope: SearchScope, query: Query): Outcome {
  const mayLack = mayLackWords(query);
  const groups = widen(scope, query);
  if (!mayLack) weighAtOnce(scope.matches, query, groups);
  const asked = { query, groups, ...files(scope, query, groups) };
  const found = asked.ids.length > 0 ? asked : correctedOutcome(scope, asked);
  const isEnough = found.ids.length >= (mayLack ? plentyMin : 1);
  return isEnough ? found : (partialOutcome(scope, found) ?? found);
}

/** Corrects words until a file has all of them. If none does, only words that no file has are corrected. */
function correctedOutcome(scope: SearchScope, asked: Outcome): Outcome {
  const { query } = asked;
  const groups = correctAbsent(scope, asked.groups);
  const corrected =
    groups === asked.groups ? asked : { query, groups, ...files(scope, query, groups) };
  if (corrected.ids.length > 0) return corrected;
  return correctOthers(scope, corrected) ?? corrected;
}

/** Finds files that have some of the words; undefined when there are none; see `partialQuery`. */
function partialOutcome(scope: SearchScope, whole: Outcome): Outcome | undefined {
  const { query, groups } = whole;
  const all = scope.words.files();
  const partial = partialQuery(query, {
    groups,
    files: all,
    docs: (group) => docsOf(scope, group, all / 2),
  });
  if (partial === undefined) return undefined;
  const found = files(scope, partial.query, partial.groups);
  if (found.ids.length === 0) return undefined;
  return { query, groups, ...found, partial: { ...partial, whole: whole.ids } };
}

/**
 * How many files have a group of words: at most so many where that is not above `common`, or where the
 * word itself is in more files than that. Only else the files are counted.
 */
function docsOf({ matches, words }: SearchScope, group: WordGroup, common: number): number {
  if (group.words.length > 1) return matches.count(matchOfGroup(group));
  const own = group.docs ?? docsOfWords(group.words, words);
  const most = group.others.reduce((sum, { docs }) => sum + docs, own);
  if (own > common || most <= common) return most;
  return matches.count(matchOfGroup(group));
}

/** The files that fulfil the query and that the view admits. */
function files(
  { matches }: SearchScope,
  query: Query,
  groups: Groups,
): Pick<Outcome, 'ids' | 'matched'> {
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

/** The words of the query with their forms and continuations, and with neighbours written as one. */
function widen({ words }: SearchScope, query: Query): Map<TextQuery, WordGroup> {
  const groups = new Map<TextQuery, WordGroup>();
  for (const text of positiveTexts(query).slice(0, widenedMax)) {
    const group = widenedGroup(text, words);
    if (group !== undefined) groups.set(text, group);
  }
  const parts = query.kind === 'all' ? query.parts : [];
  parts.slice(1).forEach((part, at) => {
    const pair = [parts[at], part] as TextQuery[];
    const alone = pair.map((text) => (text.quoted ? undefined : groups.get(text)));
    const joined = joinedWord(
      alone.flatMap((group) => (group?.words.length === 1 ? group.words : [])),
      words,
    );
    if (joined.length === 0) return;
    for (const text of pair) {
      const group = groups.get(text) as WordGroup;
      groups.set(text, { ...group, others: [...group.others, ...joined] });
    }
  });
  return groups;
}

/** Corrects the words that no file has in any form; returns the same groups if there are none. */
function correctAbsent({ matches, words }: SearchScope, groups: Groups): Groups {
  let corrected: Map<TextQuery, WordGroup> | undefined;
  for (const [text, group] of groups) {
    if (text.quoted || isThere(matches, group)) continue;
    const near = correctedGroup(text, group, words) ?? group;
    const split =
      group.words.length === 1
        ? splitWord(group.words[0] ?? '', (match) => matches.count(match))
        : [];
    const others = [...near.others, ...split];
    if (others.length === group.others.length) continue;
    corrected ??= new Map(groups);
    corrected.set(text, { ...group, others });
  }
  return corrected ?? groups;
}

/** Whether a file has a word in any form. For a single word that is known without asking for its files. */
function isThere(matches: TextMatches, group: WordGroup): boolean {
  const isKnown = group.words.length === 1 && (group.docs ?? 0) > 0;
  return isKnown || matches.finds(matchOfGroup(group));
}

/** Corrects one word more, rare words first, until a file has all words; undefined if none does. */
function correctOthers(scope: SearchScope, { query, groups }: Outcome): Outcome | undefined {
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
    const found = files(scope, query, corrected);
    if (found.ids.length > 0) return { query, groups: corrected, ...found };
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
