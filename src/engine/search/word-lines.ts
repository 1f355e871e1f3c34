import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { foldText } from '../text/fold-text.ts';
import { rowTest, spacedWords, type WordRow } from './query-words.ts';

/**
 * How well a line matches one part of a query, and where in the text that part begins, if known.
 */
export interface LineMark {
  readonly score: number;
  readonly at?: number;
}

interface FoldedLine {
  readonly line: number;
  readonly start: number;
  readonly folded: string;
}

const beyondAscii = /[\u0080-\uffff]/g;

/**
 * Finds the lines of a text that contain words, as the index would, at little cost: lines of ASCII,
 * which most are, are searched without being folded.
 */
export class WordLines {
  readonly lines: LineIndex;
  readonly #text: string;
  #lowered: string | undefined;
  #others: readonly FoldedLine[] | undefined;

  constructor(text: string) {
    this.#text = text;
    this.lines = new LineIndex(text);
  }

  /**
   * Finds the lines within a range that contain a row of words; exact words score higher than
   * alternatives. Where no line has the whole row, finds lines with some of the words.
   */
  marks(row: WordRow, range: TextRange): Map<number, LineMark> {
    const marks = new Map<number, LineMark>();
    const { words, prefix } = row;
    if (words.length === 0) return marks;
    const score = words.length === 1 ? 1 : words.length + 1;
    this.#mark(row, score, range, marks);
    if (marks.size > 0 || words.length === 1) return marks;
    // Lines with single words of the row count little.
    words.forEach((same, at) => {
      const isLast = at === words.length - 1;
      this.#mark({ words: [same], prefix: prefix && isLast }, 0.1, range, marks);
    });
    return marks;
  }

  /** Adds the lines with the whole row to `marks`; of two scores of a line the higher counts. */
  #mark(row: WordRow, score: number, range: TextRange, marks: Map<number, LineMark>): void {
    const add = (line: number, mark: LineMark): void => {
      if ((marks.get(line)?.score ?? 0) < mark.score) marks.set(line, mark);
    };
    if (row.words.every((same) => same.some(isAscii))) this.#markAscii(row, score, range, add);
    const others = this.#notAscii();
    if (others.length === 0) return;
    const isExact = rowTest({ ...row, words: row.words.map((same) => same.slice(0, 1)) });
    const isClose = rowTest(row);
    for (const { line, start, folded } of others) {
      if (start < range.start || start > range.end || !mayHold(folded, row)) continue;
      const words = spacedWords(folded);
      if (isClose(words)) add(line, { score: isExact(words) ? score : score * close });
    }
  }

  /** Searches words of ASCII directly in the text. */
  #markAscii(
    { words: [first = [], ...rest], prefix }: WordRow,
    score: number,
    range: TextRange,
    add: (line: number, mark: LineMark) => void,
  ): void {
    const text = this.#lower();
    const end = Math.min(range.end, text.length);
    first.filter(isAscii).forEach((word, rank) => {
      const ends = rest.length === 0 && prefix;
      for (let at = text.indexOf(word, range.start); at !== -1 && at < end; ) {
        const isWord = !isWordCode(text, at - 1) && (ends || !isWordCode(text, at + word.length));
        if (isWord && this.#goesOn(at + word.length, rest, prefix)) {
          add(this.lines.lineAt(at), { score: rank === 0 ? score : score * close, at });
        }
        at = text.indexOf(word, at + word.length);
      }
    });
  }

  /** Whether these words follow with nothing but punctuation and spaces between them. */
  #goesOn(from: number, rest: WordRow['words'], prefix: boolean): boolean {
    const text = this.#lower();
    let at = from;
    return rest.every((same, index) => {
      while (at < text.length && !isWordCode(text, at)) at++;
      const ends = prefix && index === rest.length - 1;
      const found = same.find(
        (word) => text.startsWith(word, at) && (ends || !isWordCode(text, at + word.length)),
      );
      at += found?.length ?? 0;
      return found !== undefined;
    });
  }

  /** The text in lower case; empty where every line must be folded instead. */
  #lower(): string {
    this.#lowered ??= this.#text.toLowerCase();
    // A few letters change their length in lower case, and offsets would then be wrong.
    if (this.#lowered.length !== this.#text.length) this.#lowered = '';
    return this.#lowered;
  }

  /** The lines that must be folded to be compared. */
  #notAscii(): readonly FoldedLine[] {
    this.#others ??= this.#foldOthers();
    return this.#others;
  }

  #foldOthers(): readonly FoldedLine[] {
    const { lines } = this;
    const found: FoldedLine[] = [];
    const all = this.#lower() === '';
    beyondAscii.lastIndex = 0;
    for (let line = 0; line < lines.count; line++) {
      if (!all) {
        const match = beyondAscii.exec(this.#text);
        if (match === null) break;
        line = lines.lineAt(match.index);
      }
      const start = lines.startOf(line);
      const end = line + 1 < lines.count ? lines.startOf(line + 1) : this.#text.length;
      found.push({ line, start, folded: foldText(this.#text.slice(start, end)) });
      beyondAscii.lastIndex = end;
    }
    return found;
  }
}

/** The weight of forms, beginnings and corrected words, compared with the word itself. */
const close = 0.9;

/**
 * Whether a folded line contains the letters of every word of a row; a cheap test before the exact
 * one.
 */
function mayHold(folded: string, { words }: WordRow): boolean {
  return words.every((same) => same.some((word) => folded.includes(word)));
}

function isAscii(word: string): boolean {
  beyondAscii.lastIndex = 0;
  return !beyondAscii.test(word);
}

/**
 * Whether a word goes on here. A character that is not ASCII counts as a letter, because lines with
 * such characters are searched elsewhere.
 */
function isWordCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code > 127
  );
}
