import { seesAll, type View } from '../../engine/ports/view.ts';
import type { NearWords } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import { type IdSet, intersect, noIds, parseIds } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import {
  type KnownWord,
  languagesIn,
  mayChangeLanguages,
  type Vocabulary,
  type Words,
} from './search-vocabulary.ts';
import { phraseOf } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/** For how many views the words are remembered. */
const viewsMax = 16;

/** The files that a view admits, and their words. */
interface Seen {
  /** The ids of the files; may contain ids of files that are gone. */
  readonly ids: IdSet;
  readonly vocabulary: SeenVocabulary;
}

/** Remembers for each view the words of the files that it admits. */
export class SeenFiles {
  readonly #connection: IndexConnection;
  /** By the view as JSON, with what marks hide at the moment. */
  readonly #views = new Map<string, SeenVocabulary>();
  readonly #vocabulary: Vocabulary;

  constructor(connection: IndexConnection, vocabulary: Vocabulary) {
    this.#connection = connection;
    this.#vocabulary = vocabulary;
  }

  /** What a view admits; undefined when it admits all files. */
  of(view: View): Seen | undefined {
    if (seesAll(view)) return undefined;
    const key = JSON.stringify(view);
    const vocabulary = this.#views.get(key) ?? new SeenVocabulary(this.#vocabulary);
    if (!this.#views.has(key) && this.#views.size >= viewsMax) this.#views.clear();
    this.#views.set(key, vocabulary);
    return { ids: this.#connection.judged.of(view).seen, vocabulary };
  }
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
  #languageTexts = 0;

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
    const texts = this.#whole.texts();
    const files = this.#files(matches);
    const known = this.#languages;
    if (known && !mayChangeLanguages(texts - this.#languageTexts, files)) return known;
    this.#languageTexts = texts;
    this.#languages = languagesIn({ files, docs: (word) => matches.count(phraseOf([word])) });
    return this.#languages;
  }
}
