import { Code, isSpace } from '../text/characters.ts';
import { ForwardSearch, literal, unescaped } from '../text/forward-search.ts';

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
 * Searches that are shared when many tails of one text are read. A tail that fails may have read
 * everything after it, which the next tail would read again.
 */
export class TailSearches {
  readonly space = new ForwardSearch(unescaped(isSpace));
  readonly greater = new ForwardSearch(literal('>'));
  readonly lineFeed = new ForwardSearch(literal('\n'));
  readonly quote = new ForwardSearch(unescaped((code) => code === Code.quote));
  readonly apostrophe = new ForwardSearch(unescaped((code) => code === Code.apostrophe));
  readonly closeParen = new ForwardSearch(unescaped((code) => code === Code.closeParen));
  /** Where each parenthesis between `#from` and `#to` is closed: a piece without white space. */
  readonly #pairs = new Map<number, number>();
  #text: string | undefined;
  #from = 0;
  #to = 0;

  /**
   * The parenthesis that closes the one at `open`, before any white space; -1 when there is none.
   */
  closing(text: string, open: number): number {
    if (text !== this.#text || open < this.#from || open >= this.#to) this.#pairUp(text, open);
    return this.#pairs.get(open) ?? -1;
  }

  /** Pairs the parentheses from `open` up to the next white space. */
  #pairUp(text: string, open: number): void {
    const space = this.space.next(text, open);
    this.#text = text;
    this.#from = open;
    this.#to = space === -1 ? text.length : space;
    this.#pairs.clear();
    const stack: number[] = [];
    for (let i = open; i < this.#to; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.backslash) i++;
      else if (code === Code.openParen) stack.push(i);
      else if (code === Code.closeParen) {
        const match = stack.pop();
        if (match !== undefined) this.#pairs.set(match, i);
      }
    }
  }
}

/**
 * Reads `(destination "title")` at `at`; undefined when there is none. Parentheses in a destination
 * must balance, and a backslash escapes the next character.
 */
export function readLinkTail(
  text: string,
  at: number,
  end: number,
  searches = new TailSearches(),
): LinkTail | undefined {
  if (at >= end || text.charCodeAt(at) !== Code.openParen) return undefined;
  let i = skip(text, at + 1, end);
  let start = i;
  let stop: number;
  const angled = i < end && text.charCodeAt(i) === Code.less;
  if (angled) {
    start = i + 1;
    stop = searches.greater.next(text, start);
    if (stop === -1 || stop >= end) return undefined;
    const lineFeed = searches.lineFeed.next(text, start);
    if (lineFeed !== -1 && lineFeed < stop) return undefined;
    i = stop + 1;
  } else {
    stop = destinationEnd(text, at, start, end, searches);
    i = stop;
  }
  const afterSpace = skip(text, i, end);
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
  open: number,
  start: number,
  end: number,
  searches: TailSearches,
): number {
  // `closing` counts from the link's own parenthesis, so it helps only if no white space follows.
  if (start === open + 1) {
    const close = searches.closing(text, open);
    if (close !== -1 && close < end) return close;
    const space = searches.space.next(text, start);
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
  if (code === Code.quote) close = searches.quote.next(text, at + 1);
  else if (code === Code.apostrophe) close = searches.apostrophe.next(text, at + 1);
  else if (code === Code.openParen) close = searches.closeParen.next(text, at + 1);
  else return at;
  return close === -1 || close >= end ? -1 : skip(text, close + 1, end);
}

function skip(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}
