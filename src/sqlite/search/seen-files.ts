import { makeSees, seesAll, type View } from '../../engine/ports/view.ts';
import type { NearWords } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { type IdSet, intersect, noIds, parseIds } from './id-set.ts';
import {
  type KnownWord,
  languagesIn,
  mayChangeLanguages,
  type Vocabulary,
  type Words,
} from './search-vocabulary.ts';
import { phraseOf } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/** For how many views the files are remembered. */
const viewsMax = 16;

/** The files that a view admits, and their words. */
interface Seen {
  /** The ids of the files; may contain ids of files that are gone. */
  readonly ids: IdSet;
  readonly vocabulary: SeenVocabulary;
}

/**
 * Remembers for each view which files it admits. A file keeps its path as long as it has its id, and
 * ids are never used again, so each file is judged once for each view and not for each query.
 */
export class SeenIds {
  readonly #connection: IndexConnection;
  /** By the view as JSON; `last` is the highest file id that was judged. */
  readonly #views = new Map<string, { ids: IdSet; last: number; vocabulary: SeenVocabulary }>();
  readonly #vocabulary: Vocabulary;

  constructor(connection: IndexConnection, vocabulary: Vocabulary) {
    this.#connection = connection;
    this.#vocabulary = vocabulary;
  }

  /** What a view admits; undefined when it admits all files. */
  of(view: View): Seen | undefined {
    if (seesAll(view)) return undefined;
    const key = JSON.stringify(view);
    const vocabulary = new SeenVocabulary(this.#vocabulary);
    const known = this.#views.get(key) ?? { ids: noIds, last: 0, vocabulary };
    if (!this.#views.has(key) && this.#views.size >= viewsMax) this.#views.clear();
    this.#views.set(key, known);
    const last = this.#connection.count('SELECT max(id) AS n FROM file');
    if (last > known.last) {
      known.ids = joined(known.ids, this.#judge(view, known.last));
      known.last = last;
    }
    return known;
  }

  /** The files with an id above `after` that the view admits. */
  #judge(view: View, after: number): IdSet {
    const { condition, values } = folderRange(view.within ?? '');
    const row = this.#connection.get<{ files: string | null }>(
      `SELECT group_concat(id || '/' || path, char(10)) AS files FROM (
         SELECT id, path FROM file WHERE id > ? AND ${condition('path')} ORDER BY id)`,
      after,
      ...values,
    );
    const text = row?.files ?? '';
    if (text === '') return noIds;
    const sees = makeSees(view);
    const ids: number[] = [];
    for (const line of text.split('\n')) {
      const slash = line.indexOf('/');
      if (sees(line.slice(slash + 1))) ids.push(Number(line.slice(0, slash)));
    }
    return Uint32Array.from(ids);
  }
}

/** The ids of both; those of `b` are all higher. */
function joined(a: IdSet, b: IdSet): IdSet {
  if (a.length === 0) return b;
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/**
 * The words of the files that a view admits, counted in these files only: which forms and corrections
 * are used, and which words count as rare, must not reveal anything about the other files.
 */
class SeenVocabulary {
  readonly #whole: Vocabulary;
  /** The admitted files that have full text, and the value of `written()` when they were read. */
  #textIds: IdSet = noIds;
  #textWrites = -1;
  #languages: readonly LightLanguage[] | undefined;
  #languageWrites = 0;

  constructor(whole: Vocabulary) {
    this.#whole = whole;
  }

  /** The words for one search. */
  within(matches: TextMatches): Words {
    return {
      files: () => this.#files(matches),
      docs: (word) => matches.count(phraseOf([word])),
      beginning: (beginning, max, isWanted) =>
        this.#beginning(matches, { beginning, max, isWanted }),
      nearest: (word) => this.#nearest(matches, word),
      languages: () => this.#languagesSeen(matches),
    };
  }

  #files({ connection, seen = noIds }: TextMatches): number {
    const writes = this.#whole.written();
    if (writes !== this.#textWrites) {
      const row = connection.get<{ ids: string | null }>(
        'SELECT group_concat(id) AS ids FROM (SELECT id FROM fulltext_docsize ORDER BY id)',
      );
      this.#textIds = intersect(parseIds(row?.ids), seen);
      this.#textWrites = writes;
    }
    return this.#textIds.length;
  }

  #beginning(
    matches: TextMatches,
    asked: {
      readonly beginning: string;
      readonly max: number;
      readonly isWanted: (word: string) => boolean;
    },
  ): KnownWord[] {
    return this.#whole
      .beginning(asked.beginning, asked.max, asked.isWanted)
      .map(({ word }) => ({ word, docs: matches.count(phraseOf([word])) }))
      .filter(({ docs }) => docs > 0);
  }

  #nearest(matches: TextMatches, word: string): NearWords {
    return this.#whole.nearest(word, (near) => matches.finds(phraseOf([near])));
  }

  #languagesSeen(matches: TextMatches): readonly LightLanguage[] {
    const writes = this.#whole.written();
    const files = this.#files(matches);
    const known = this.#languages;
    if (known && !mayChangeLanguages(writes - this.#languageWrites, files)) return known;
    this.#languageWrites = writes;
    this.#languages = languagesIn({ files, docs: (word) => matches.count(phraseOf([word])) });
    return this.#languages;
  }
}
