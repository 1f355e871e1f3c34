import { SpellingList } from '../engine/misspelled-word.ts';
import type { LightLanguage } from '../engine/stem-light.ts';
import { lightLanguages } from '../engine/stem-light.ts';
import type { Connection } from './connection.ts';

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

/** The words that full text knows, as FTS5 lists them, and what is learned from all of them. */
export class Vocabulary {
  readonly #connection: Connection;
  #isOpen = false;
  #spelling: SpellingList | undefined;
  #languages: readonly LightLanguage[] | undefined;
  /** How much had been written when each was learned. */
  #spellingWrites = 0;
  #languageWrites = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** How many files have text. */
  files(): number {
    return this.#connection.count('SELECT count(*) AS n FROM fulltext_docsize');
  }

  /** How many files have a word. Costs a look at each of them. */
  docs(word: string): number {
    this.#open();
    return this.#connection.count('SELECT doc AS n FROM temp.vocabulary WHERE term = ?', word);
  }

  /** Words that begin so, in their order, up to `max` of them. */
  beginning(beginning: string, max: number): KnownWord[] {
    this.#open();
    return this.#connection.all<KnownWord>(
      `SELECT term AS word, doc AS docs FROM temp.vocabulary
       WHERE term >= ? AND term < ? LIMIT ?`,
      beginning,
      `${beginning}\u{10ffff}`,
      max,
    );
  }

  /** See `SpellingList.nearest`. The first call reads the whole vocabulary. */
  nearest(word: string): ReturnType<SpellingList['nearest']> {
    const writes = this.#written();
    const known = this.#spelling;
    if (known !== undefined && writes - this.#spellingWrites <= known.size / wordsPerChange) {
      return known.nearest(word);
    }
    this.#spellingWrites = writes;
    this.#spelling = this.#readWords();
    return this.#spelling.nearest(word);
  }

  /** The languages in Latin letters that notes are written in, English aside. */
  languages(): readonly LightLanguage[] {
    const writes = this.#written();
    const files = this.files();
    const known = this.#languages;
    if (known !== undefined && writes - this.#languageWrites <= files / filesPerChange)
      return known;
    const filesMin = Math.max(markedFilesMin, files * markedFilesShare);
    this.#languageWrites = writes;
    this.#languages = lightLanguages.filter(
      ({ marks }) => marks.filter((mark) => this.docs(mark) >= filesMin).length >= marksMin,
    );
    return this.#languages;
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

  /** A number that grows with what is written, here and by others; tidying does not count. */
  #written(): number {
    const here = this.#connection.count('SELECT total_changes() AS n') - this.#connection.tidied;
    const row = this.#connection.get<{ data_version: number }>('PRAGMA data_version');
    return here + (row?.data_version ?? 0);
  }
}
