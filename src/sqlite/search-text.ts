import type { PageRequest, SearchPage, SearchRow } from '../engine/index-store.ts';
import type { Query, TextQuery } from '../engine/search-query.ts';
import type { View } from '../engine/view.ts';
import type { Connection } from './connection.ts';
import type { IdSet } from './id-set.ts';
import { intersect, meets, noIds, parseIds, subtract } from './id-set.ts';
import { held } from './index-schema.ts';
import { mayLackWords, partialQuery } from './partial-query.ts';
import { searchRows } from './search-page.ts';
import type { Ranked } from './search-scores.ts';
import { rankingOf, scoreFiles } from './search-scores.ts';
import type { Found, Groups } from './search-sets.ts';
import { filesFulfilling, idsMatching } from './search-sets.ts';
import { filesCalled } from './search-titles.ts';
import { Vocabulary } from './search-vocabulary.ts';
import type { WordGroup } from './search-words.ts';
import { alternativesOf, correctedGroup, matchOfGroup, widenedGroup } from './search-words.ts';
import { SeenIds } from './seen-ids.ts';

/** Words of one query that are widened, and those that are tried as misspelled in turn. */
const widenedMax = 24;
const triedMax = 6;
/** An answer to many words that has fewer files is filled up with such as have some of the words. */
const filledTo = 10;

/** What a search came to. */
interface Outcome {
  readonly query: Query;
  readonly groups: Groups;
  readonly ids: IdSet;
  readonly isPartial: boolean;
  /** How many files the words alone find, where nothing else was asked for. */
  readonly matched?: number | undefined;
}

/** Ranked search over the index of one connection. */
export class TextSearch {
  readonly #connection: Connection;
  readonly #vocabulary: Vocabulary;
  readonly #seen: SeenIds;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#vocabulary = new Vocabulary(connection);
    this.#seen = new SeenIds(connection);
  }

  /** See `IndexStore.search`. */
  search(view: View, query: Query, page: PageRequest): SearchPage {
    this.#connection.wantLateIndexes();
    return this.#connection.read(() => {
      const seen = this.#seen.of(view);
      const outcome = this.#outcome(query, seen);
      const scored = scoreFiles(this.#connection, this.#vocabulary, outcome);
      this.#putNamesakesFirst(outcome, scored);
      const alternatives = alternativesOf(outcome.groups.values(), this.#isSeen(seen));
      const items = searchRows(this.#connection, view, scored, page);
      const total = scored.ids.length;
      if (outcome.isPartial) return { total, items, alternatives, isPartial: true };
      const more = this.#moreRows(outcome, view, seen);
      if (more.length === 0) return { total, items, alternatives };
      const start = Math.max(0, page.offset - total);
      return {
        total: total + more.length,
        items: [...items, ...more.slice(start, start + page.limit - items.length)],
        alternatives,
        whole: total,
      };
    });
  }

  /** A few files that have some of the words, where few have all of many. */
  #moreRows({ query, groups, ids }: Outcome, view: View, seen: IdSet | undefined): SearchRow[] {
    if (ids.length === 0 || ids.length >= filledTo || !mayLackWords(query)) return [];
    const partial = this.#partial(query, groups, seen);
    if (partial === undefined) return [];
    const rest = { ...partial, ids: subtract(partial.ids, ids), matched: undefined };
    const scored = scoreFiles(this.#connection, this.#vocabulary, rest);
    const page = { limit: filledTo - ids.length, offset: 0 };
    return searchRows(this.#connection, view, scored, page).map(({ path }) => ({ path, score: 0 }));
  }

  /** Looks for all of it; then with other spellings; then for some of it. */
  #outcome(query: Query, seen: IdSet | undefined): Outcome {
    const groups = this.#widen(query);
    const asked = this.#files(query, groups, seen);
    const outcome = { query, groups, isPartial: false, ...asked };
    if (asked.ids.length > 0) return outcome;
    const corrected = this.#correctAbsent(groups, seen);
    const found = corrected === groups ? asked : this.#files(query, corrected, seen);
    if (found.ids.length > 0) return { ...outcome, groups: corrected, ...found };
    return (
      this.#correctOthers(outcome, corrected, seen) ??
      this.#partial(query, corrected, seen) ??
      outcome
    );
  }

  #files(query: Query, groups: Groups, seen: IdSet | undefined): Pick<Outcome, 'ids' | 'matched'> {
    const found = filesFulfilling(this.#connection, query, groups);
    if (found === undefined) return { ids: noIds };
    const ids = this.#resolved(found);
    return {
      ids: seen === undefined ? ids : intersect(ids, seen),
      matched: found.isMatch && ids.length,
    };
  }

  /** All but some files: of those with text, since that is what was looked for in vain. */
  #resolved({ ids, isRest }: Found): IdSet {
    if (!isRest) return ids;
    const row = this.#connection.get<{ ids: string | null }>(
      `SELECT group_concat(id) AS ids FROM (
         SELECT id FROM file WHERE text > ${held.none} ORDER BY id)`,
    );
    return subtract(parseIds(row?.ids), ids);
  }

  #widen(query: Query): Map<TextQuery, WordGroup> {
    const groups = new Map<TextQuery, WordGroup>();
    for (const text of positiveTexts(query).slice(0, widenedMax)) {
      const group = widenedGroup(text, this.#vocabulary);
      if (group !== undefined) groups.set(text, group);
    }
    return groups;
  }

  /** Corrects words that no file has, in any of their forms; the same groups when there are none. */
  #correctAbsent(groups: Groups, seen: IdSet | undefined): Groups {
    const isSeen = this.#isSeen(seen);
    let corrected: Map<TextQuery, WordGroup> | undefined;
    for (const [text, group] of groups) {
      if (text.quoted || this.#isThere(group, seen)) continue;
      const better = correctedGroup(group, { vocabulary: this.#vocabulary, isSeen });
      if (better === undefined) continue;
      corrected ??= new Map(groups);
      corrected.set(text, better);
    }
    return corrected ?? groups;
  }

  /** Corrects one more word, rare ones first, until something has all of them. */
  #correctOthers(outcome: Outcome, groups: Groups, seen: IdSet | undefined): Outcome | undefined {
    if (groups.size < 2) return undefined;
    const isSeen = this.#isSeen(seen);
    const tried = Array.from(groups)
      .filter(([text, { words, others }]) => {
        return !text.quoted && words.length === 1 && !others.some(({ as }) => as === 'typo');
      })
      .map(([text, group]) => ({ text, group, docs: this.#vocabulary.docs(group.words[0] ?? '') }))
      .sort((a, b) => a.docs - b.docs)
      .slice(0, triedMax);
    for (const { text, group } of tried) {
      const better = correctedGroup(group, { vocabulary: this.#vocabulary, isSeen });
      if (better === undefined) continue;
      const corrected = new Map(groups).set(text, better);
      const found = this.#files(outcome.query, corrected, seen);
      if (found.ids.length > 0) return { ...outcome, groups: corrected, ...found };
    }
    return undefined;
  }

  /** Files that have some of the words; undefined where there is nothing to leave out. */
  #partial(query: Query, groups: Groups, seen: IdSet | undefined): Outcome | undefined {
    const commonDocs = this.#vocabulary.files() / 2;
    const partial = partialQuery(query, {
      groups,
      isTelling: (group) => {
        const docs = idsMatching(this.#connection, matchOfGroup(group)).length;
        return docs > 0 && docs <= commonDocs;
      },
    });
    if (partial === undefined) return undefined;
    const found = this.#files(partial.query, partial.groups, seen);
    return found.ids.length === 0 ? undefined : { ...partial, ...found, isPartial: true };
  }

  /** Puts notes that are called as the query is before all others, those by title first. */
  #putNamesakesFirst({ query, groups }: Outcome, ranked: Ranked): void {
    const { ids, scores } = ranked;
    const ranking = rankingOf(query, { groups, columns: '' });
    if (ranking === undefined || ranked.titled.length === 0) return;
    const { titled, aliased } = filesCalled(this.#connection, ranking, ranked.titled);
    const first = scores.reduce((max, score) => Math.max(max, score), 0) + 1;
    for (const [called, gain] of [
      [aliased, first],
      [titled, 2 * first],
    ] as const) {
      for (const id of called) {
        const at = ids.indexOf(id);
        scores[at] = (scores[at] as number) + gain;
      }
    }
  }

  #isThere(group: WordGroup, seen: IdSet | undefined): boolean {
    const ids = idsMatching(this.#connection, matchOfGroup(group));
    return seen === undefined ? ids.length > 0 : meets(ids, seen);
  }

  /** Whether a word may be told: one that only hidden files have may not. */
  #isSeen(seen: IdSet | undefined): (match: string) => boolean {
    if (seen === undefined) return () => true;
    return (match) => meets(idsMatching(this.#connection, match), seen);
  }
}

/** The texts that a file has to have, as opposed to those that it must not, or in its name. */
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
