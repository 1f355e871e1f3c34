import { SpellingList } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import { lightLanguages } from '../../engine/search/stem-light.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/** A word of the index and how many files have it. */
export interface KnownWord {
  readonly word: string;
  readonly docs: number;
}

/** A language is one of the vault's when so many of its marks are in so many of the files. */
const marksMin = 3;
const markedFilesShare = 0.003;
const markedFilesMin = 2;
/** Words change slowly: what was learned of them holds until one in so many may be another. */
const wordsPerChange = 100;
const filesPerChange = 20;

/** What a search asks about words: of all files, or of those that it may find (`SeenVocabulary`). */
export interface Words {
  /** How many files have text. */
  files(): number;
  /** How many files have a word. */
  docs(word: string): number;
  /** Words that begin so and are wanted, in their order; only the first `max` are looked at. */
  beginning(beginning: string, max: number, isWanted: (word: string) => boolean): KnownWord[];
  /** See `SpellingList.nearest`. */
  nearest(word: string): ReturnType<SpellingList['nearest']>;
  /** The languages in Latin letters that notes are written in, English aside. */
  languages(): readonly LightLanguage[];
}

/** The languages whose marks are in enough files; `files` is how many there are. */
export function languagesIn({ files, docs }: { files: number; docs: Words['docs'] }) {
  const filesMin = Math.max(markedFilesMin, files * markedFilesShare);
  return lightLanguages.filter(
    ({ marks }) => marks.filter((mark) => docs(mark) >= filesMin).length >= marksMin,
  );
}

/** Whether so many writes may have changed which languages there are. */
export function mayChangeLanguages(writes: number, files: number): boolean {
  return writes > files / filesPerChange;
}

/** The words that full text knows, as FTS5 lists them, and what is learned from all of them. */
export class Vocabulary implements Words {
  readonly #connection: IndexConnection;
  #isOpen = false;
  #spelling: SpellingList | undefined;
  #languages: readonly LightLanguage[] | undefined;
  /** How much had been written when each was learned. */
  #spellingWrites = 0;
  #languageWrites = 0;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  files(): number {
    return this.#connection.count('SELECT count(*) AS n FROM fulltext_docsize');
  }

  /** Costs a look at each of them. */
  docs(word: string): number {
    this.#open();
    return this.#connection.count('SELECT doc AS n FROM temp.vocabulary WHERE term = ?', word);
  }

  beginning(beginning: string, max: number, isWanted: (word: string) => boolean): KnownWord[] {
    this.#open();
    const words = this.#connection.all<KnownWord>(
      `SELECT term AS word, doc AS docs FROM temp.vocabulary
       WHERE term >= ? AND term < ? LIMIT ?`,
      beginning,
      `${beginning}\u{10ffff}`,
      max,
    );
    return words.filter(({ word }) => isWanted(word));
  }

  /** The first call reads the whole vocabulary. */
  nearest(word: string, isKnown?: (word: string) => boolean): ReturnType<SpellingList['nearest']> {
    const writes = this.written();
    const known = this.#spelling;
    if (known !== undefined && writes - this.#spellingWrites <= known.size / wordsPerChange) {
      return known.nearest(word, isKnown);
    }
    this.#spellingWrites = writes;
    this.#spelling = this.#readWords();
    return this.#spelling.nearest(word, isKnown);
  }

  languages(): readonly LightLanguage[] {
    const writes = this.written();
    const files = this.files();
    const known = this.#languages;
    if (known && !mayChangeLanguages(writes - this.#languageWrites, files)) return known;
    this.#languageWrites = writes;
    this.#languages = languagesIn({ files, docs: (word) => this.docs(word) });
    return this.#languages;
  }

  /** A number that grows with what is written, here and by others; tidying does not count. */
  written(): number {
    const here = this.#connection.count('SELECT total_changes() AS n') - this.#connection.tidied;
    return here + this.#connection.dataVersion();
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#connection.exec(
      'CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, fulltext, row)',
    );
    this.#isOpen = true;
  }

  #readWords(): SpellingList {
    this.#open();
    // As one text: hundreds of thousands of rows would take many times as long. Numbers come before
    // all letters, and Chinese, Japanese and Korean after them: neither is misspelled.
    const row = this.#connection.get<{ words: string | null }>(
      `SELECT group_concat(term, char(10)) AS words FROM temp.vocabulary
       WHERE term >= 'a' AND term < ?`,
      '\u2e80',
    );
    return new SpellingList(row?.words ?? '');
  }
}
