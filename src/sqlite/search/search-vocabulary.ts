import { SpellingList } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import { lightLanguages } from '../../engine/search/stem-light.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/** A word of the vocabulary, and how many files have it. */
export interface KnownWord {
  readonly word: string;
  readonly docs: number;
}

/**
 * A language counts as used in the vault if this many of its typical words (`marks`) are in enough
 * files.
 */
const marksMin = 3;
const markedFilesShare = 0.003;
const markedFilesMin = 2;
/**
 * The spelling list is read again after one write per 100 words, the languages after one per 20 files.
 */
const wordsPerChange = 100;
const filesPerChange = 20;

/** What a search asks about words: of all files, or only of those that the view admits. */
export interface Words {
  /** How many files have full text. */
  files(): number;
  /** How many files have a word. */
  docs(word: string): number;
  /** The wanted words with this beginning, sorted; only the first `max` words are tested. */
  beginning(beginning: string, max: number, isWanted: (word: string) => boolean): KnownWord[];
  /** See `SpellingList.nearest`. */
  nearest(word: string): ReturnType<SpellingList['nearest']>;
  /** The languages in Latin letters that notes are written in, apart from English. */
  languages(): readonly LightLanguage[];
}

/** The languages whose typical words are in enough files; `files` is the number of all files. */
export function languagesIn({ files, docs }: { files: number; docs: Words['docs'] }) {
  const filesMin = Math.max(markedFilesMin, files * markedFilesShare);
  return lightLanguages.filter(
    ({ marks }) => marks.filter((mark) => docs(mark) >= filesMin).length >= marksMin,
  );
}

/** Whether this number of writes may have changed which languages the vault uses. */
export function mayChangeLanguages(writes: number, files: number): boolean {
  return writes > files / filesPerChange;
}

/** The words of the full text of all files, as FTS5 lists them. */
export class Vocabulary implements Words {
  readonly #connection: IndexConnection;
  #isOpen = false;
  #spelling: SpellingList | undefined;
  #languages: readonly LightLanguage[] | undefined;
  /** The value of `written()` when the spelling list and the languages were read. */
  #spellingWrites = 0;
  #languageWrites = 0;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  files(): number {
    return this.#connection.count('SELECT count(*) AS n FROM fulltext_docsize');
  }

  /** Costs a look at each file that has the word. */
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

  written(): number {
    return this.#connection.written();
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
    // As one text: hundreds of thousands of rows would take many times as long. The range leaves out
    // numbers, which come before all letters, and Chinese, Japanese and Korean, which come after.
    const row = this.#connection.get<{ words: string | null }>(
      `SELECT group_concat(term, char(10)) AS words FROM temp.vocabulary
       WHERE term >= 'a' AND term < ?`,
      '\u2e80',
    );
    return new SpellingList(row?.words ?? '');
  }
}
