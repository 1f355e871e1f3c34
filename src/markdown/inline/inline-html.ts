import { pageLimits } from '../../base/engine-limits.ts';
import { Code, isDigit, isLetter, isSpace } from '../text/characters.ts';
import { literal, type Piece, Places } from '../text/places.ts';

// Inline HTML as remark-parse 8, Obsidian's parser, reads it.

/** Searches that are shared when many tags of one piece of text are read; see `Places`. */
export class HtmlSearches {
  readonly greater: Places;
  readonly instruction: Places;
  readonly cdata: Places;
  readonly lineFeed: Places;
  readonly dashes: Places;
  readonly quote: Places;
  readonly apostrophe: Places;

  constructor(piece: Piece) {
    this.greater = new Places(piece, literal('>'));
    this.instruction = new Places(piece, literal('?>'));
    this.cdata = new Places(piece, literal(']]>'));
    this.lineFeed = new Places(piece, literal('\n'));
    this.dashes = new Places(piece, literal('--'));
    this.quote = new Places(piece, literal('"'));
    this.apostrophe = new Places(piece, literal("'"));
  }
}

/**
 * Where the HTML that opens at `at` ends (tag, comment, instruction or declaration); -1 when there
 * is none.
 */
export function htmlEnd(text: string, at: number, end: number, searches: HtmlSearches): number {
  if (end - at < 3) return -1;
  const next = text.charCodeAt(at + 1);
  let found: number;
  if (isLetter(next) || next === Code.slash) found = tagEnd(text, at, end, searches);
  else if (next === Code.question) found = instructionEnd(at, searches);
  else if (next === Code.exclamation) found = markupEnd(text, at, searches);
  else return -1;
  return found > end ? -1 : found;
}

/** Where the opening or closing tag at `at` ends; -1 when there is none. */
export function tagEnd(text: string, at: number, end: number, searches: HtmlSearches): number {
  const closing = text.charCodeAt(at + 1) === Code.slash;
  let i = closing ? at + 2 : at + 1;
  if (!isLetter(text.charCodeAt(i))) return -1;
  while (i < end && isTagName(text.charCodeAt(i))) i++;
  if (!closing) i = attributesEnd(text, i, end, searches);
  if (i === -1) return -1;
  i = skipSpace(text, i, end);
  if (!closing && text.charCodeAt(i) === Code.slash) i++;
  return i < end && text.charCodeAt(i) === Code.greater ? i + 1 : -1;
}

/** The place after the last attribute from `from` on; -1 when one is malformed or there are too many. */
function attributesEnd(text: string, from: number, end: number, searches: HtmlSearches): number {
  let i = from;
  for (let count = 0; count < pageLimits.htmlAttributesMax; count++) {
    const name = skipSpace(text, i, end);
    if (name === i || name >= end || !isAttributeStart(text.charCodeAt(name))) return i;
    i = name;
    while (i < end && isAttributeName(text.charCodeAt(i))) i++;
    const equals = skipSpace(text, i, end);
    if (equals >= end || text.charCodeAt(equals) !== Code.equals) continue;
    i = valueEnd(text, skipSpace(text, equals + 1, end), end, searches);
    if (i === -1) return -1;
  }
  return -1;
}

/** Where an attribute's value ends; -1 when there is none, or its quote is not closed. */
function valueEnd(text: string, at: number, end: number, searches: HtmlSearches): number {
  if (at >= end) return -1;
  const code = text.charCodeAt(at);
  if (code === Code.quote || code === Code.apostrophe) {
    const search = code === Code.quote ? searches.quote : searches.apostrophe;
    const close = search.next(at + 1);
    return close === -1 || close >= end ? -1 : close + 1;
  }
  let i = at;
  while (i < end && isUnquoted(text.charCodeAt(i))) i++;
  return i === at ? -1 : i;
}

/** Where `<?…?>` ends, which must be on the same line; -1 when it does not. */
function instructionEnd(at: number, searches: HtmlSearches): number {
  const close = searches.instruction.next(at + 2);
  const lineFeed = searches.lineFeed.next(at + 2);
  return close === -1 || (lineFeed !== -1 && lineFeed < close) ? -1 : close + 2;
}

/**
 * Where a comment, `<![CDATA[` or a declaration ends; -1 when it does not. The first two dashes in
 * a comment must be those of its end, but `<!---->` is a comment too.
 */
function markupEnd(text: string, at: number, searches: HtmlSearches): number {
  if (text.startsWith('--', at + 2)) {
    if (text.startsWith('-->', at + 4)) return at + 7;
    if (text.charCodeAt(at + 4) === Code.greater || text.startsWith('->', at + 4)) return -1;
    const dashes = searches.dashes.next(at + 4);
    return dashes !== -1 && dashes > at + 4 && text.charCodeAt(dashes + 2) === Code.greater
      ? dashes + 3
      : -1;
  }
  if (text.startsWith('[CDATA[', at + 2)) {
    const close = searches.cdata.next(at + 9);
    return close === -1 ? -1 : close + 3;
  }
  let i = at + 2;
  while (isLetter(text.charCodeAt(i))) i++;
  if (i === at + 2 || !isSpace(text.charCodeAt(i))) return -1;
  const close = searches.greater.next(i);
  return close === -1 ? -1 : close + 1;
}

function skipSpace(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isTagName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === Code.dash;
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === Code.underscore || code === Code.colon;
}

function isAttributeName(code: number): boolean {
  return isAttributeStart(code) || isDigit(code) || code === Code.dot || code === Code.dash;
}

/** Whether a character can be in an attribute's value without quotes. */
function isUnquoted(code: number): boolean {
  return (
    code > 32 &&
    code !== Code.quote &&
    code !== Code.apostrophe &&
    code !== Code.equals &&
    code !== Code.less &&
    code !== Code.greater &&
    code !== Code.backtick
  );
}
