import type { LinkTail } from '../facts/link-tail.ts';
import { Code, isSpace } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, type LineTable } from '../text/line-table.ts';

// Definitions as remark-parse 8, Obsidian's parser, reads them. `last` is the line after the last
// one of the container.

/** A definition of a reference link. */
export interface Definition {
  /** The label as written. */
  readonly label: { readonly start: number; readonly end: number };
  readonly tail: LinkTail;
  /** The line after it. */
  readonly next: number;
}

/** A place in the lines of a note. */
interface Cursor {
  line: number;
  at: number;
}

/**
 * Searches that are shared when the definitions among some lines are read: each remembers its last
 * result.
 */
export class DefinitionSearches {
  readonly #known = new Map<number, { from: number; found: Cursor | undefined }>();
  #emptyFrom = 0;
  #emptyAt = -1;

  /**
   * The next `wanted` character from a place on; undefined when the lines end before. With
   * `escapes`, a backslash hides the character after it.
   */
  find(
    lines: LineTable,
    from: Cursor,
    last: number,
    how: { wanted: number; escapes: boolean },
  ): Cursor | undefined {
    const known = this.#known.get(how.wanted);
    if (known !== undefined && from.at >= known.from) {
      if (known.found === undefined || known.found.at >= from.at) return known.found;
    }
    const found = search(lines, from, last, how);
    this.#known.set(how.wanted, { from: from.at, found });
    return found;
  }

  /** The first line from `line` on that has no characters; `last` when there is none. */
  emptyLine(lines: LineTable, line: number, last: number): number {
    if (line < this.#emptyFrom || line > this.#emptyAt) {
      this.#emptyFrom = line;
      this.#emptyAt = line;
      while (this.#emptyAt < last && fromOf(lines, this.#emptyAt) < endOf(lines, this.#emptyAt)) {
        this.#emptyAt++;
      }
    }
    return this.#emptyAt;
  }
}

function search(
  lines: LineTable,
  from: Cursor,
  last: number,
  how: { wanted: number; escapes: boolean },
): Cursor | undefined {
  for (let line = from.line; line < last; line++) {
    const end = endOf(lines, line);
    for (let at = line === from.line ? from.at : fromOf(lines, line); at < end; at++) {
      const code = lines.text.charCodeAt(at);
      if (code === how.wanted) return { line, at };
      if (how.escapes && code === Code.backslash) at++;
    }
  }
  return undefined;
}

/**
 * Reads the definition `[label]: destination "title"` that begins on a line; undefined when none
 * does. The label may span lines, and so may the white space around the destination.
 */
export function readDefinition(
  lines: LineTable,
  line: number,
  last: number,
  searches: DefinitionSearches,
): Definition | undefined {
  const { text } = lines;
  const open = indentEnd(lines, line);
  if (open >= endOf(lines, line) || text.charCodeAt(open) !== Code.openBracket) return undefined;
  const how = { wanted: Code.closeBracket, escapes: true };
  const close = searches.find(lines, { line, at: open + 1 }, last, how);
  if (close === undefined || close.at === open + 1) return undefined;
  if (close.at + 1 >= endOf(lines, close.line) || text.charCodeAt(close.at + 1) !== Code.colon) {
    return undefined;
  }
  const place = skipSpace(lines, { line: close.line, at: close.at + 2 }, last);
  const destination = readDestination(lines, place, last);
  if (destination === undefined) return undefined;
  const { tail, after } = destination;
  const label = { start: open + 1, end: close.at };
  const title = readTitle(lines, after, last, searches);
  if (title === 'broken') return undefined;
  const end = title ?? after;
  const rest = skipBlanks(text, end.at, endOf(lines, end.line));
  if (rest < endOf(lines, end.line)) return undefined;
  return { label, tail: { ...tail, end: endOf(lines, end.line) }, next: end.line + 1 };
}

/** Reads a destination, bare or in `<…>`; undefined when there is none. */
function readDestination(
  lines: LineTable,
  place: Cursor,
  last: number,
): { tail: LinkTail; after: Cursor } | undefined {
  const { text } = lines;
  const end = endOf(lines, place.line);
  if (place.at < end && text.charCodeAt(place.at) === Code.less) {
    let { line, at } = { line: place.line, at: place.at + 1 };
    for (; line < last; line++, at = line < last ? fromOf(lines, line) : 0) {
      for (; at < endOf(lines, line); at++) {
        const code = text.charCodeAt(at);
        if (code === Code.openBracket || code === Code.closeBracket) return undefined;
        if (code !== Code.greater) continue;
        // `<>` has no destination; remark then reads a bare destination after it.
        if (line === place.line && at === place.at + 1) return bare(text, at + 1, end, line);
        const tail = { start: place.at + 1, stop: at, angled: true, end: at + 1 };
        return { tail, after: { line, at: at + 1 } };
      }
    }
    return undefined;
  }
  return bare(text, place.at, end, place.line);
}

/** Reads a destination without angle brackets. */
function bare(
  text: string,
  start: number,
  end: number,
  line: number,
): { tail: LinkTail; after: Cursor } | undefined {
  let stop = start;
  while (stop < end) {
    const code = text.charCodeAt(stop);
    if (code === Code.openBracket || code === Code.closeBracket || isSpace(code)) break;
    stop++;
  }
  if (stop === start) return undefined;
  return { tail: { start, stop, angled: false, end: stop }, after: { line, at: stop } };
}

/**
 * Returns the place after the title that follows a destination; undefined where there is no title,
 * and `broken` where one begins that makes the whole definition invalid.
 */
function readTitle(
  lines: LineTable,
  from: Cursor,
  last: number,
  searches: DefinitionSearches,
): Cursor | 'broken' | undefined {
  const { text } = lines;
  const place = skipSpace(lines, from, last);
  if (place.at >= endOf(lines, place.line)) return undefined;
  const code = text.charCodeAt(place.at);
  let wanted = 0;
  if (code === Code.quote || code === Code.apostrophe) wanted = code;
  else if (code === Code.openParen) wanted = Code.closeParen;
  else return undefined;
  if (place.line === from.line && place.at === from.at) return 'broken';
  const start = { line: place.line, at: place.at + 1 };
  const close = searches.find(lines, start, last, { wanted, escapes: false });
  if (close === undefined) return 'broken';
  // An empty line ends the title, and so does its closing mark at the start of a line.
  if (searches.emptyLine(lines, place.line + 1, last) <= close.line) return 'broken';
  if (close.line > place.line && close.at === fromOf(lines, close.line)) return 'broken';
  return { line: close.line, at: close.at + 1 };
}

/** Skips spaces, tabs and line ends. */
function skipSpace(lines: LineTable, from: Cursor, last: number): Cursor {
  let { line, at } = from;
  for (;;) {
    at = skipBlanks(lines.text, at, endOf(lines, line));
    if (at < endOf(lines, line) || line + 1 >= last) return { line, at };
    line++;
    at = fromOf(lines, line);
  }
}

function skipBlanks(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && (text.charCodeAt(i) === Code.space || text.charCodeAt(i) === Code.tab)) i++;
  return i;
}
