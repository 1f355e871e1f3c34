import { type NearWords, nearestWords } from '../../engine/search/spelling-list.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/** In a vault with at most this many texts, a list that lacks one of them is not used. */
const readAtOnceTexts = 2_000;
/** The kept list is made again when more than this many texts, and this share, were written since. */
const outdatedTexts = 20;
const outdatedShare = 0.01;
/** A list is not used if this share of the texts was written since it was made. */
const uselessShare = 0.1;
/** How many words are read with one query, and for how long in one step. */
const wordsPerQuery = 100;
const stepMs = 8;
/** Numbers come before all letters, and Chinese, Japanese and Korean after; none is misspelled. */
const firstWord = 'a';
const afterWords = '\u2e80';

/** Words by their length, and how many texts had been written when the first of them was read. */
interface ReadWords {
  readonly texts: number;
  readonly words: Map<number, string>;
}

/**
 * The list of words that misspelled words are compared with. FTS5 has to go through the whole full
 * text to list its words (a second at 100,000 notes), so the list is kept in the table `spelling`. It
 * is made in small steps while nothing else happens (`learnSome`, called by `TextTidier`), and made
 * again when many texts have changed. Words that no file has any more do no harm: whoever asks tests
 * them. A search says which texts it would need the words of (`lacked`) where the list lacks many, or
 * lacks any and has nothing similar: then its words are read in small steps, too (`readUpTo`), and the
 * search is repeated.
 */
export class KeptSpelling {
  readonly #connection: IndexConnection;
  /** What has been read so far. */
  #learning: (ReadWords & { after: string }) | undefined;
  /** What was read for a search, where the kept list is missing or older. */
  #own: ReadWords | undefined;
  #lacked: number | undefined;
  #isOpen = false;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  /** Opens `temp.vocabulary`, the words of the full text as FTS5 lists them. */
  openVocabulary(): void {
    if (this.#isOpen) return;
    this.#connection.exec(
      'CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, fulltext, row)',
    );
    this.#isOpen = true;
  }

  /** See `nearestWords`. May be called inside a transaction that reads. */
  nearest(word: string, isKnown: (word: string) => boolean): NearWords {
    const { texts, kept, files } = this.#state();
    if ((kept ?? -1) >= (this.#own?.texts ?? 0)) this.#own = undefined;
    const own = this.#own?.words;
    const list = own
      ? (length: number) => own.get(length) ?? ''
      : (length: number) => this.#keptWords(length);
    const near = nearestWords(word, list, isKnown);
    const isEnough = near.words.length > 0 || isKnown(word);
    const missingMax =
      isEnough && files > readAtOnceTexts ? outdatedTexts + files * uselessShare : 0;
    const known = this.#own?.texts ?? kept ?? Number.NEGATIVE_INFINITY;
    if (texts - known > missingMax) this.#lacked = texts;
    return near;
  }

  /**
   * What `readUpTo` should be called with before the searches since the last call are repeated;
   * undefined if they found what there is.
   */
  lacked(): number | undefined {
    const lacked = this.#lacked;
    this.#lacked = undefined;
    return lacked;
  }

  /**
   * Does a step of reading the words of the first `texts` texts that were written; returns whether there
   * is more to do. Must not be called inside a transaction.
   */
  readUpTo(texts: number): boolean {
    const { kept } = this.#state();
    if (Math.max(kept ?? -1, this.#own?.texts ?? -1) >= texts) return false;
    this.#own = this.#readStep() ?? this.#own;
    return (this.#own?.texts ?? -1) < texts;
  }

  /**
   * Does a step of making the kept list, if it is missing or outdated; returns whether there is more
   * to do. Must not be called inside a transaction.
   */
  learnSome(): boolean {
    this.keepRead();
    const { texts, kept, files } = this.#state();
    if (!isOutdated(kept, texts, files)) return false;
    const read = this.#readStep();
    if (read !== undefined) this.#keep(read);
    return read === undefined;
  }

  /**
   * Keeps the words that were read for a search, if the kept list is missing or outdated: otherwise
   * each command, which ends before it could learn them, reads all words again. As `learnSome`, it must
   * not be called inside a transaction.
   */
  keepRead(): void {
    if (this.#own === undefined) return;
    const { kept, files } = this.#state();
    if (isOutdated(kept, this.#own.texts, files)) this.#keep(this.#own);
  }

  /** Reads some words; returns all of them when none is left. */
  #readStep(): ReadWords | undefined {
    this.#learning ??= { texts: this.#state().texts, words: new Map(), after: firstWord };
    const read = this.#learning;
    const endMs = performance.now() + stepMs;
    while (performance.now() < endMs) {
      if (this.#readSome(read)) continue;
      this.#learning = undefined;
      return read;
    }
    return undefined;
  }

  /** Reads some words after the last one that was read; returns whether there were any. */
  #readSome(read: ReadWords & { after: string }): boolean {
    this.openVocabulary();
    // As one text: a row for each word would take many times as long.
    const row = this.#connection.get<{ words: string | null }>(
      `SELECT group_concat(term, char(10)) AS words FROM (
         SELECT term FROM temp.vocabulary WHERE term > ? AND term < ? LIMIT ${wordsPerQuery})`,
      read.after,
      afterWords,
    );
    if (typeof row?.words !== 'string') return false;
    const words = row.words.split('\n');
    for (const word of words) {
      read.words.set(word.length, (read.words.get(word.length) ?? '') + word);
    }
    read.after = words.at(-1) ?? afterWords;
    return true;
  }

  #keep({ texts, words }: ReadWords): void {
    const connection = this.#connection;
    const changes = (): number => connection.count('SELECT total_changes() AS n');
    connection.write(() => {
      const before = changes();
      connection.run('DELETE FROM spelling');
      for (const [length, text] of words) {
        connection.run('INSERT INTO spelling (length, words) VALUES (?, ?)', length, text);
      }
      connection.run("INSERT OR REPLACE INTO meta VALUES ('spelling', ?)", String(texts));
      connection.tidied += changes() - before; // No answer changes.
    });
  }

  #keptWords(length: number): string {
    const row = this.#connection.get<{ words: string }>(
      'SELECT words FROM spelling WHERE length = ?',
      length,
    );
    return row?.words ?? '';
  }

  /** How many texts were written at all, how many before the kept list was made, how many there are. */
  #state(): { readonly texts: number; readonly kept: number | undefined; readonly files: number } {
    const rows = this.#connection.all<{ name: string; value: string }>(
      "SELECT name, value FROM meta WHERE name IN ('texts', 'spelling')",
    );
    const numbers = new Map(rows.map(({ name, value }) => [name, Number(value)]));
    return {
      texts: numbers.get('texts') ?? 0,
      kept: numbers.get('spelling'),
      files: this.#connection.count('SELECT count(*) AS n FROM fulltext_docsize'),
    };
  }
}

/** Whether a list is worth replacing that was made after `kept` texts, now that there were `texts`. */
function isOutdated(kept: number | undefined, texts: number, files: number): boolean {
  return kept === undefined ? texts > 0 : texts - kept > outdatedTexts + files * outdatedShare;
}
