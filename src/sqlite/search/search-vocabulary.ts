import type { NearWords } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import { lightLanguages } from '../../engine/search/stem-light.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { KeptMatches } from './kept-matches.ts';
import { KeptSpelling } from './kept-spelling.ts';

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
/** The languages are read again after one text was written per 20 files. */
const filesPerChange = 20;

/** What a search asks about words: of all files, or only of those that the view admits. */
export interface Words {
  /** How many files have full text. */
  files(): number;
  /** How many files have a word. */
  docs(word: string): number;
  /** The wanted words with this beginning, sorted; only the first `max` words are tested. */
  beginning(beginning: string, max: number, isWanted: (word: string) => boolean): KnownWord[];
  /** See `nearestWords`. */
  nearest(word: string): NearWords;
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

/** Whether this number of new texts may have changed which languages the vault uses. */
export function mayChangeLanguages(texts: number, files: number): boolean {
  return texts > files / filesPerChange;
}

/** The words of the full text of all files, as FTS5 lists them. */
export class Vocabulary implements Words {
  readonly #connection: IndexConnection;
  readonly #kept: KeptMatches;
  readonly #spelling: KeptSpelling;
  #languages: readonly LightLanguage[] | undefined;
  /** The value of `texts()` when the languages were read. */
  #languageTexts = 0;

  constructor(connection: IndexConnection, kept: KeptMatches) {
    this.#connection = connection;
    this.#kept = kept;
    this.#spelling = new KeptSpelling(connection);
  }

  files(): number {
    return this.#connection.count('SELECT count(*) AS n FROM fulltext_docsize');
  }

  /** Costs a look at each file that has the word. */
  docs(word: string): number {
    return this.#kept.docs(word, () => {
      this.#spelling.openVocabulary();
      return this.#connection.count('SELECT doc AS n FROM temp.vocabulary WHERE term = ?', word);
    });
  }

  beginning(beginning: string, max: number, isWanted: (word: string) => boolean): KnownWord[] {
    this.#spelling.openVocabulary();
    const words = this.#connection.all<KnownWord>(
      `SELECT term AS word, doc AS docs FROM temp.vocabulary
       WHERE term >= ? AND term < ? LIMIT ?`,
      beginning,
      `${beginning}\u{10ffff}`,
      max,
    );
    return words.filter(({ word }) => isWanted(word));
  }

  nearest(word: string, isKnown = (near: string): boolean => this.docs(near) > 0): NearWords {
    return this.#spelling.nearest(word, isKnown);
  }

  /** See `KeptSpelling.lacked`. */
  lacked(): number | undefined {
    return this.#spelling.lacked();
  }

  /** See `KeptSpelling.readUpTo`. */
  readUpTo(texts: number): boolean {
    return this.#spelling.readUpTo(texts);
  }

  /** See `KeptSpelling.learnSome`. */
  learnSome(): boolean {
    return this.#spelling.learnSome();
  }

  /** See `KeptSpelling.keepRead`. */
  keepRead(): void {
    this.#spelling.keepRead();
  }

  languages(): readonly LightLanguage[] {
    const texts = this.texts();
    const files = this.files();
    const known = this.#languages;
    if (known && !mayChangeLanguages(texts - this.#languageTexts, files)) return known;
    this.#languageTexts = texts;
    this.#languages = languagesIn({ files, docs: (word) => this.docs(word) });
    return this.#languages;
  }

  written(): number {
    return this.#connection.written();
  }

  /** How many texts were written since the index was made. */
  texts(): number {
    return this.#connection.count(
      "SELECT CAST(value AS INTEGER) AS n FROM meta WHERE name = 'texts'",
    );
  }
}
