import { Code, isDigit, isLetter, isSpace } from '../text/characters.ts';
import { literal, type Piece, Places } from '../text/places.ts';

// Addresses in plain text as remark-parse 8, Obsidian's parser, finds them. `sign` is always an
// `@`.

/** Searches that are shared when many addresses of one piece of text are read; see `Places`. */
export class UrlSearches {
  /** Finds the end of the first part of `<scheme://…>` or `<name@…>`. */
  readonly head: Places;
  /** Finds the `>` or the white space that ends the second part. */
  readonly tail: Places;
  /** Finds an `@` after a character of an address. */
  readonly sign: Places;
  /**
   * An address that begins between `badFrom` and `badTo` fails: the last two parts of its
   * domain have an underscore.
   */
  badFrom = 0;
  badTo = 0;

  constructor(piece: Piece) {
    this.head = new Places(piece, headEnds);
    this.tail = new Places(piece, tailEnds);
    this.sign = new Places(piece, signsAfterAddress);
  }
}

function tailEnds({ text, start, end }: Piece): number[] {
  const found: number[] = [];
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.greater || isSpace(code)) found.push(i);
  }
  return found;
}

function headEnds({ text, start, end }: Piece): number[] {
  const found: number[] = [];
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const scheme = code === Code.colon && text.charCodeAt(i + 1) === Code.slash;
    if (scheme || code === Code.greater || code === Code.at || isSpace(code)) found.push(i);
  }
  return found;
}

const findSigns = literal('@');

function signsAfterAddress(piece: Piece): number[] {
  return findSigns(piece).filter((i) => i > 0 && isAddress(piece.text.charCodeAt(i - 1)));
}

/** Where the `<https://…>` or `<name@host>` at `at` ends; -1 when it is neither. */
export function autolinkEnd(text: string, at: number, end: number, searches: UrlSearches): number {
  const head = searches.head.next(at + 1);
  if (head === -1 || head >= end || head === at + 1) return -1;
  const code = text.charCodeAt(head);
  let i = head + 1;
  if (code === Code.colon) {
    if (text.charCodeAt(i + 1) !== Code.slash) return -1;
    i++;
  } else if (code !== Code.at) return -1;
  const close = searches.tail.next(i);
  if (close === -1 || close >= end || close === i) return -1;
  return text.charCodeAt(close) === Code.greater ? close + 1 : -1;
}

/**
 * Where the bare address (`https://…`, `http://…`, `www.…`) at `at` ends; -1 when there is none.
 * Its domain needs a dot, and its last two parts must not have an underscore.
 */
export function urlEnd(text: string, at: number, end: number, searches: UrlSearches): number {
  const start = at + prefixLength(text, at);
  if (start === at || start > end || (at >= searches.badFrom && at < searches.badTo)) return -1;
  let i = start;
  let lastDot = start - 1;
  let dots = 0;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.dot) {
      if (lastDot === i - 1) break;
      dots++;
      lastDot = i;
    } else if (
      !isDigit(code) &&
      !isLetter(code) &&
      code !== Code.dash &&
      code !== Code.underscore
    ) {
      break;
    }
  }
  // A dot at the end of the text or before another dot is not part of the domain.
  if (text.charCodeAt(i < end ? i : i - 1) === Code.dot) {
    dots--;
    i--;
  }
  if (dots < 1) return -1;
  const parts = dots < 2 ? start : lastTwoParts(text, start, i);
  if (hasUnderscore(text, parts, i)) {
    // Another `www.` before these parts would begin an address that ends with them too.
    searches.badFrom = at;
    searches.badTo = Math.max(at + 1, parts - 4);
    return -1;
  }
  return pathEnd(text, at, i, end);
}

function hasUnderscore(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === Code.underscore) return true;
  return false;
}

/** Where the last two parts of a domain begin: after its second last dot. */
function lastTwoParts(text: string, start: number, end: number): number {
  const last = text.lastIndexOf('.', end - 1);
  const second = text.lastIndexOf('.', last - 1);
  return second < start ? start : second + 1;
}

/** The length of `www.`, `http://` or `https://` at `at`; 0 when there is none. */
function prefixLength(text: string, at: number): number {
  if (text.startsWith('www.', at)) return 4;
  const head = text.slice(at, at + 8).toLowerCase();
  if (head.startsWith('http://')) return 7;
  return head === 'https://' ? 8 : 0;
}

/**
 * Where an address ends whose domain ends at `from`: before white space or `<`, and without
 * punctuation, unbalanced parentheses or a character reference (`&amp;`) at its end.
 */
function pathEnd(text: string, at: number, from: number, end: number): number {
  let stop = from;
  let open = 0;
  let close = 0;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.less || isSpace(code)) break;
    if (!isTrailing(code)) stop = i + 1;
  }
  if (text.charCodeAt(stop - 1) === Code.closeParen) {
    for (let i = from; i < stop; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.openParen) open++;
      else if (code === Code.closeParen) close++;
    }
    // Each surplus closing parenthesis is cut off, with everything after the one before it.
    for (; close > open; close--) stop = text.lastIndexOf(')', stop - 1);
  }
  if (text.charCodeAt(stop - 1) === Code.semicolon) {
    stop--;
    let i = stop - 1;
    while (i > at && isLetter(text.charCodeAt(i))) i--;
    if (i < stop - 1 && text.charCodeAt(i) === Code.ampersand) stop = i;
  }
  return stop;
}

/** Whether a character belongs to an address only if more of the address follows. */
function isTrailing(code: number): boolean {
  return (
    code === Code.exclamation ||
    code === Code.asterisk ||
    code === Code.comma ||
    code === Code.dot ||
    code === Code.colon ||
    code === Code.question ||
    code === Code.underscore ||
    code === Code.tilde
  );
}

/** Where the e-mail address whose `@` is at `sign` ends; -1 when there is none. */
export function emailEnd(text: string, sign: number, end: number): number {
  let i = sign + 1;
  /** The place after the first dot of the domain. */
  let firstDot = -1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isAddress(code) || code === Code.plus) break;
    if (code === Code.dot && firstDot === -1) firstDot = i + 1;
  }
  if (firstDot === -1 || firstDot === i) return -1;
  // remark looks at the last character only where the text ends with the address.
  if (i < end) return i;
  const last = text.charCodeAt(i - 1);
  if (last === Code.dash || last === Code.underscore) return -1;
  return last === Code.dot ? i - 1 : i;
}

/** Whether a character can stand before the `@` of an address. */
function isAddress(code: number): boolean {
  return (
    isLetter(code) ||
    isDigit(code) ||
    code === Code.plus ||
    code === Code.dash ||
    code === Code.dot ||
    code === Code.underscore
  );
}

/** Where the run of address characters before an `@` begins. */
export function addressStart(text: string, sign: number, from: number): number {
  let i = sign;
  while (i > from && isAddress(text.charCodeAt(i - 1))) i--;
  return i;
}
