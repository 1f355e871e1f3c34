import type { RelatedRow, RelatedStore } from '../../engine/ports/graph-outline.ts';
import type { PageRequest, SearchPage } from '../../engine/ports/index-store.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import type { View } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { KeptMatches } from './kept-matches.ts';
import { rankingOf } from './ranked-words.ts';
import { relatedFiles } from './related-files.ts';
import type { Outcome, SearchScope } from './search-outcome.ts';
import { outcomeOf } from './search-outcome.ts';
import { searchRows } from './search-page.ts';
import type { Ranked } from './search-scores.ts';
import { scoreFiles } from './search-scores.ts';
import { filesCalled } from './search-titles.ts';
import { Vocabulary } from './search-vocabulary.ts';
import { alternativesOf } from './search-words.ts';
import { SeenFiles } from './seen-files.ts';
import { TextMatches } from './text-matches.ts';

/** What a search found, and the words that it lacked, see `KeptSpelling.lacked`. */
interface LackingPage {
  readonly found: SearchPage;
  readonly lacked: number | undefined;
}

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

  /**
   * See `IndexStore.search`. If `lacked` is set, the search has to be repeated after `readUpTo(lacked)`.
   */
  search(view: View, query: Query, page: PageRequest): LackingPage {
    this.#connection.tryMakeLateIndexes();
    const found = this.#connection.read(() =>
      this.#kept.during(this.#connection, () => this.#page(view, query, page)),
    );
    return { found, lacked: this.#vocabulary.lacked() };
  }

  /** See `KeptSpelling.readUpTo`. */
  readUpTo(texts: number): boolean {
    return this.#vocabulary.readUpTo(texts);
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

  /** See `KeptSpelling.keepRead`. */
  keepRead(): void {
    this.#vocabulary.keepRead();
  }

  #page(view: View, query: Query, page: PageRequest): SearchPage {
    const scope = this.#scopeOf(view);
    const outcome = outcomeOf(scope, query);
    const scored = scoreFiles(scope.matches, scope.words, outcome);
    putNamesakesFirst(scope, outcome, scored);
    return {
      total: scored.ids.length,
      items: searchRows(this.#connection, view, scored, page),
      alternatives: alternativesOf(outcome.groups.values()),
      ...(outcome.partial && { whole: outcome.partial.whole.length }),
    };
  }

  #scopeOf(view: View): SearchScope {
    const seen = this.#seen.of(view);
    const matches = new TextMatches(this.#connection, seen?.ids, this.#kept);
    return { matches, words: seen?.vocabulary.within(matches) ?? this.#vocabulary };
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
