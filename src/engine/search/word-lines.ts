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

/**
 * The characters beyond ASCII that folding may make letters, digits or marks of, as a class of a
 * regular expression. The others are signs that even English text is full of: quotes, dashes, bullets,
 * arrows. They separate words, as the signs of ASCII do.
 */
const foldable =
  '\\u0080-\\u009f\\u00a1-\\u00aa\\u00ac-\\u00b6\\u00b8-\\u00ba\\u00bc-\\u200f\\u2028-\\u218f\\u2200-\\u24ff\\u2776-\\u2793\\u27c0-\\uffff';
const toFold = new RegExp(`[${foldable}]`, 'g');
/** A character of a word. One that may become a letter counts, since its line is searched folded. */
const wordCode = new RegExp(`[a-zA-Z0-9${foldable}]`);

/**
 * Finds the lines of a text that contain words, as the index would, at little cost: lines of ASCII and
 * plain signs, which most are, are searched without being folded.
 */
export class WordLines {
  readonly lines: LineIndex;
  readonly #text: string;
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

  /** Searches words of ASCII directly in the text, all alternatives at once. */
  #markAscii(
    { words: [first = [], ...rest], prefix }: WordRow,
    score: number,
    range: TextRange,
    add: (line: number, mark: LineMark) => void,
  ): void {
    const text = this.#text;
    const words = first.filter(isAscii);
    const next = rest.map((same, index) =>
      wordPattern(same, 'y', prefix && index === rest.length - 1),
    );
    const pattern = wordPattern(words, 'g', prefix && rest.length === 0);
    pattern.lastIndex = range.start;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { 0: found, index: at } = match;
      if (at >= range.end) return;
      if (isWordCode(text, at - 1) || !this.#goesOn(pattern.lastIndex, next)) continue;
      const isFirst = found.toLowerCase() === words[0];
      add(this.lines.lineAt(at), { score: isFirst ? score : score * close, at });
    }
  }

  /** Whether words of these patterns follow with nothing but punctuation and spaces between them. */
  #goesOn(from: number, next: readonly RegExp[]): boolean {
    const text = this.#text;
    let at = from;
    return next.every((pattern) => {
      while (at < text.length && !isWordCode(text, at)) at++;
      pattern.lastIndex = at;
      const found = pattern.test(text);
      at = pattern.lastIndex;
      return found;
    });
  }

  /** The lines that must be folded to be compared. */
  #notAscii(): readonly FoldedLine[] {
    this.#others ??= this.#foldOthers();
    return this.#others;
  }

  #foldOthers(): readonly FoldedLine[] {
    const { lines } = this;
    const found: FoldedLine[] = [];
    toFold.lastIndex = 0;
    for (let match = toFold.exec(this.#text); match !== null; match = toFold.exec(this.#text)) {
      const line = lines.lineAt(match.index);
      const start = lines.startOf(line);
      const end = line + 1 < lines.count ? lines.startOf(line + 1) : this.#text.length;
      found.push({ line, start, folded: foldText(this.#text.slice(start, end)) });
      toFold.lastIndex = end;
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
  return !/[\u0080-\uffff]/.test(word);
}

/**
 * A pattern for one of these words (letters, digits and marks only) in any case, where the word ends. What
 * stands before it has to be looked at: V8 searches fastest for a pattern that begins with letters.
 */
function wordPattern(words: readonly string[], flag: 'g' | 'y', mayGoOn: boolean): RegExp {
  return new RegExp(`(?:${words.join('|')})${mayGoOn ? '' : `(?!${wordCode.source})`}`, `${flag}i`);
}

/** Whether the character at this place belongs to a word. */
function isWordCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) {
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  }
  return code >= 128 && wordCode.test(text.charAt(at));
}
