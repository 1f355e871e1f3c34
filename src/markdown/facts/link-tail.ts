import { Code, isSpace } from '../text/characters.ts';
import { literal, type Piece, Places, unescaped } from '../text/places.ts';

/**
 * The part of a Markdown link after its text, `(destination "title")`: where the destination is,
 * and where the link ends.
 */
export interface LinkTail {
  /** Where the destination begins and ends, without angle brackets. */
  readonly start: number;
  readonly stop: number;
  /** Whether the destination stands in angle brackets. */
  readonly angled: boolean;
  /** After the closing parenthesis. */
  readonly end: number;
}

/**
 * Searches that are shared when many tails in one piece of text are read. A tail that fails may have
 * read everything after it, and the tail of an outer bracket is read before those of the brackets
 * inside it, so each search finds all its places in one pass.
 */
export class TailSearches {
  readonly space: Places;
  readonly greater: Places;
  readonly lineFeed: Places;
  readonly quote: Places;
  readonly apostrophe: Places;
  readonly closeParen: Places;
  /** Where white space ends. */
  readonly #words: Places;
  readonly #piece: Piece;
  /** Where each parenthesis is closed, if no white space comes before. */
  #pairs: ReadonlyMap<number, number> | undefined;

  constructor(piece: Piece) {
    this.#piece = piece;
    const code = (wanted: number) => unescaped((found) => found === wanted);
    this.space = new Places(piece, unescaped(isSpace));
    this.greater = new Places(piece, literal('>'));
    this.lineFeed = new Places(piece, literal('\n'));
    this.quote = new Places(piece, code(Code.quote));
    this.apostrophe = new Places(piece, code(Code.apostrophe));
    this.closeParen = new Places(piece, code(Code.closeParen));
    this.#words = new Places(piece, wordStarts);
  }

  /** The first character from `from` on that is not white space, or `end`. */
  afterSpace(from: number, end: number): number {
    if (from >= end || !isSpace(this.#piece.text.charCodeAt(from))) return from;
    const word = this.#words.next(from);
    return word === -1 || word > end ? end : word;
  }

  /**
   * The parenthesis that closes the one at `open`, before any white space; -1 when there is none.
   */
  closing(open: number): number {
    this.#pairs ??= pairsIn(this.#piece);
    return this.#pairs.get(open) ?? -1;
  }
}

/** Where words begin that have white space before them. */
function wordStarts({ text, start, end }: Piece): number[] {
  const found: number[] = [];
  for (let i = start, after = false; i < end; i++) {
    const space = isSpace(text.charCodeAt(i));
    if (after && !space) found.push(i);
    after = space;
  }
  return found;
}

/** Pairs the parentheses that have no white space between them. */
function pairsIn({ text, start, end }: Piece): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const stack: number[] = [];
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.backslash) i++;
    else if (code === Code.openParen) stack.push(i);
    else if (code === Code.closeParen) {
      const match = stack.pop();
      if (match !== undefined) pairs.set(match, i);
    } else if (stack.length > 0 && isSpace(code)) stack.length = 0;
  }
  return pairs;
}

/**
 * Reads `(destination "title")` at `at`; undefined when there is none. Parentheses in a destination
 * must balance, and a backslash escapes the next character.
 */
export function readLinkTail(
  text: string,
  at: number,
  end: number,
  searches: TailSearches,
): LinkTail | undefined {
  if (at >= end || text.charCodeAt(at) !== Code.openParen) return undefined;
  let i = searches.afterSpace(at + 1, end);
  let start = i;
  let stop: number;
  const angled = i < end && text.charCodeAt(i) === Code.less;
  if (angled) {
    start = i + 1;
    stop = searches.greater.next(start);
    if (stop === -1 || stop >= end) return undefined;
    const lineFeed = searches.lineFeed.next(start);
    if (lineFeed !== -1 && lineFeed < stop) return undefined;
    i = stop + 1;
  } else {
    stop = destinationEnd(text, { open: at, start, end }, searches);
    i = stop;
  }
  const afterSpace = searches.afterSpace(i, end);
  if (afterSpace > i) {
    const close = titleEnd(text, afterSpace, end, searches);
    if (close === -1) return undefined;
    i = close;
  }
  if (i >= end || text.charCodeAt(i) !== Code.closeParen) return undefined;
  return { start, stop, angled, end: i + 1 };
}

/** Where a bare destination ends: at white space, or at a parenthesis that it did not open. */
function destinationEnd(
  text: string,
  { open, start, end }: { open: number; start: number; end: number },
  searches: TailSearches,
): number {
  // `closing` counts from the link's own parenthesis, so it helps only if no white space follows.
  if (start === open + 1) {
    const close = searches.closing(open);
    if (close !== -1 && close < end) return close;
    const space = searches.space.next(start);
    return space === -1 || space > end ? end : space;
  }
  let depth = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) return i;
    if (code === Code.backslash) i++;
    else if (code === Code.openParen) depth++;
    else if (code === Code.closeParen && depth-- === 0) return i;
  }
  return end;
}

/**
 * Where a title and the white space after it end; `at` when there is no title; -1 when it is not
 * closed.
 */
function titleEnd(text: string, at: number, end: number, searches: TailSearches): number {
  if (at >= end) return at;
  const code = text.charCodeAt(at);
  let close: number;
  if (code === Code.quote) close = searches.quote.next(at + 1);
  else if (code === Code.apostrophe) close = searches.apostrophe.next(at + 1);
  else if (code === Code.openParen) close = searches.closeParen.next(at + 1);
  else return at;
  return close === -1 || close >= end ? -1 : searches.afterSpace(close + 1, end);
}
