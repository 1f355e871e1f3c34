import type { PageRequest, SearchPage, SearchRow } from '../../engine/ports/index-store.ts';
import type { RelatedRow, RelatedStore } from '../../engine/ports/related-files.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import type { View } from '../../engine/ports/view.ts';
import { subtract } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { KeptMatches } from './kept-matches.ts';
import { mayLackWords } from './partial-query.ts';
import { relatedFiles } from './related-files.ts';
import type { Outcome, SearchScope } from './search-outcome.ts';
import { outcomeOf, partialOutcome } from './search-outcome.ts';
import { searchRows } from './search-page.ts';
import type { Ranked } from './search-scores.ts';
import { rankingOf, scoreFiles } from './search-scores.ts';
import { filesCalled } from './search-titles.ts';
import { Vocabulary } from './search-vocabulary.ts';
import { alternativesOf } from './search-words.ts';
import { SeenFiles } from './seen-files.ts';
import { TextMatches } from './text-matches.ts';

/** If fewer files than this have all words of a long query, files with some of the words are added. */
const filledTo = 10;

/**
 * Ranked search over the index of one connection. A search finds the files (`search-outcome.ts`),
 * scores them (`search-scores.ts`), and reads the paths of one page (`search-page.ts`).
 */
export class TextSearch {
  readonly #connection: IndexConnection;
  readonly #vocabulary: Vocabulary;
  /** Which files and words each view admits. */
  readonly #seen: SeenFiles;
  readonly #kept = new KeptMatches();

  constructor(connection: IndexConnection) {
    this.#connection = connection;
    this.#vocabulary = new Vocabulary(connection, this.#kept);
    this.#seen = new SeenFiles(connection, this.#vocabulary);
  }

  /** See `IndexStore.search`. */
  search(view: View, query: Query, page: PageRequest): SearchPage {
    this.#connection.tryMakeLateIndexes();
    return this.#connection.read(() =>
      this.#kept.during(this.#connection, () => this.#page(view, query, page)),
    );
  }

  /** See `RelatedStore.related`. */
  related(...[view, ...asked]: Parameters<RelatedStore['related']>): RelatedRow[] {
    this.#connection.tryMakeLateIndexes();
    return this.#connection.read(() =>
      this.#kept.during(this.#connection, () =>
        relatedFiles(this.#connection, this.#scopeOf(view), view, ...asked),
      ),
    );
  }

  /** See `KeptSpelling.learnSome`. */
  learnSome(): boolean {
    return this.#vocabulary.learnSome();
  }

  #page(view: View, query: Query, page: PageRequest): SearchPage {
    const scope = this.#scopeOf(view);
    const outcome = outcomeOf(scope, query);
    const scored = scoreFiles(scope.matches, scope.words, outcome);
    putNamesakesFirst(scope, outcome, scored);
    const alternatives = alternativesOf(outcome.groups.values());
    const items = searchRows(this.#connection, view, scored, page);
    const total = scored.ids.length;
    if (outcome.isPartial) return { total, items, alternatives, isPartial: true };
    const more = this.#moreRows(scope, outcome, view);
    if (more === undefined) return { total, items, alternatives };
    const start = Math.max(0, page.offset - total);
    return {
      total: total + more.length,
      items: [...items, ...more.slice(start, start + page.limit - items.length)],
      alternatives,
      whole: total,
    };
  }

  #scopeOf(view: View): SearchScope {
    const seen = this.#seen.of(view);
    const matches = new TextMatches(this.#connection, seen?.ids, this.#kept);
    return { matches, words: seen?.vocabulary.within(matches) ?? this.#vocabulary };
  }

  /**
   * Files that have some of the words, if the query has many words and few files have all of them;
   * else undefined.
   */
  #moreRows(
    scope: SearchScope,
    { query, groups, ids }: Outcome,
    view: View,
  ): SearchRow[] | undefined {
    if (ids.length === 0 || ids.length >= filledTo || !mayLackWords(query)) return undefined;
    const partial = partialOutcome(scope, query, groups);
    if (partial === undefined) return [];
    const rest = { ...partial, ids: subtract(partial.ids, ids), matched: undefined };
    const scored = scoreFiles(scope.matches, scope.words, rest);
    const page = { limit: filledTo - ids.length, offset: 0 };
    return searchRows(this.#connection, view, scored, page).map(({ path }) => ({ path, score: 0 }));
  }
}

/** Puts notes whose title or alias is the query before all others, titles first. */
function putNamesakesFirst(
  { matches }: SearchScope,
  { query, groups }: Outcome,
  ranked: Ranked,
): void {
  const { ids, scores } = ranked;
  const ranking = rankingOf(query, { groups, columns: '' });
  if (ranking === undefined || ranked.titled.length === 0) return;
  const { titled, aliased } = filesCalled(matches, ranking, ranked.titled);
  // More than any score, so that these notes come before all others.
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
