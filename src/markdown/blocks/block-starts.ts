import { Code, isBlankBetween, isDigit } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, type LineTable } from '../text/line-table.ts';
import { opensHtmlBlock } from './html-block.ts';

// Questions about single lines, with the answers of remark-parse 8, Obsidian's parser. `last` is
// the line after the last one of the container.

/** Whether a line is a thematic break: three or more of one of `*-_`, with spaces between. */
export function isThematicBreak(lines: LineTable, line: number): boolean {
  const { text } = lines;
  const end = endOf(lines, line);
  const start = indentEnd(lines, line);
  const marker = text.charCodeAt(start);
  if (marker !== Code.asterisk && marker !== Code.dash && marker !== Code.underscore) return false;
  let count = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === marker) count++;
    else if (code !== Code.space) return false;
  }
  return start < end && count >= 3;
}

/** The code fence that a line opens: its character and length; undefined when it opens none. */
export function fenceOf(
  lines: LineTable,
  line: number,
): { marker: number; length: number } | undefined {
  const { text } = lines;
  const end = endOf(lines, line);
  const start = indentEnd(lines, line);
  const marker = text.charCodeAt(start);
  if (start >= end || (marker !== Code.backtick && marker !== Code.tilde)) return undefined;
  let i = start;
  while (i < end && text.charCodeAt(i) === marker) i++;
  if (i - start < 3) return undefined;
  if (marker === Code.backtick) {
    const another = text.indexOf('`', i);
    if (another !== -1 && another < end) return undefined;
  }
  return { marker, length: i - start };
}

/** The level of a heading that begins with `#` on a line; 0 when the line is not one. */
export function headingLevel(lines: LineTable, line: number): number {
  const end = endOf(lines, line);
  const start = indentEnd(lines, line);
  let i = start;
  while (i < end && lines.text.charCodeAt(i) === Code.hash) i++;
  const level = i - start;
  if (level === 0 || level > 6) return 0;
  const after = lines.text.charCodeAt(i);
  return i === end || after === Code.space || after === Code.tab ? level : 0;
}

/**
 * The level of the heading that a line and the `===` or `---` below it make; 0 when they do not.
 */
export function underlinedLevel(lines: LineTable, line: number, last: number): number {
  if (line + 1 >= last) return 0;
  const end = endOf(lines, line + 1);
  const start = fromOf(lines, line + 1);
  const marker = lines.text.charCodeAt(start);
  if (start >= end || (marker !== Code.equals && marker !== Code.dash)) return 0;
  for (let i = start; i < end; i++) if (lines.text.charCodeAt(i) !== marker) return 0;
  return marker === Code.equals ? 1 : 2;
}

/**
 * Whether a line can be the first of a list; an `interrupting` list, which ends the paragraph
 * before it, must begin with 1 or a bullet.
 */
export function opensList(lines: LineTable, line: number, how: { interrupting: boolean }): boolean {
  const { text } = lines;
  const end = endOf(lines, line);
  let i = indentEnd(lines, line);
  if (i >= end) return false;
  const first = text.charCodeAt(i);
  if (first === Code.asterisk || first === Code.plus || first === Code.dash) {
    i++;
  } else {
    const start = i;
    while (i < end && isDigit(text.charCodeAt(i))) i++;
    if (i === start || i >= end) return false;
    const mark = text.charCodeAt(i);
    if (mark !== Code.dot && mark !== Code.closeParen) return false;
    if (how.interrupting && !(i === start + 1 && first === Code.digitOne)) return false;
    i++;
  }
  const after = text.charCodeAt(i);
  return i >= end || after === Code.space || after === Code.tab;
}

/** Whether a line begins with `>`. */
export function opensQuote(lines: LineTable, line: number): boolean {
  const start = indentEnd(lines, line);
  return start < endOf(lines, line) && lines.text.charCodeAt(start) === Code.greater;
}

/** Whether a line begins with four spaces or a tab. */
export function isIndented(lines: LineTable, line: number): boolean {
  const start = fromOf(lines, line);
  const end = endOf(lines, line);
  if (start >= end) return false;
  if (lines.text.charCodeAt(start) === Code.tab) return true;
  return start + 4 <= end && lines.text.startsWith('    ', start);
}

/** Whether a line ends the paragraph before it. */
export function interruptsParagraph(lines: LineTable, line: number): boolean {
  switch (lines.text.charCodeAt(indentEnd(lines, line))) {
    case Code.greater:
      return opensQuote(lines, line);
    case Code.hash:
      return headingLevel(lines, line) > 0;
    case Code.backtick:
    case Code.tilde:
      return fenceOf(lines, line) !== undefined;
    case Code.less:
      return opensHtmlBlock(lines, line, { interrupting: true });
    case Code.asterisk:
    case Code.dash:
    case Code.underscore:
    case Code.plus:
    case Code.digitOne:
      return isThematicBreak(lines, line) || opensList(lines, line, { interrupting: true });
    default:
      return false;
  }
}

/** Whether a line without `>` ends the quote before it. */
export function interruptsQuote(lines: LineTable, line: number, last: number): boolean {
  if (isIndented(lines, line) || underlinedLevel(lines, line, last) > 0) return true;
  return !opensQuote(lines, line) && interruptsParagraph(lines, line);
}

/** Whether a line that belongs to no item ends the list before it. */
export function interruptsList(lines: LineTable, line: number): boolean {
  switch (lines.text.charCodeAt(indentEnd(lines, line))) {
    case Code.hash:
      return headingLevel(lines, line) > 0;
    case Code.backtick:
    case Code.tilde:
      return fenceOf(lines, line) !== undefined;
    case Code.asterisk:
    case Code.dash:
    case Code.underscore:
      return isThematicBreak(lines, line);
    default:
      return false;
  }
}

/**
 * The line after the paragraph that begins on a line. Lines that are indented by four columns
 * belong to it whatever they contain, even a lone tab, but a line of spaces only at the very end.
 */
export function paragraphEnd(
  lines: LineTable,
  line: number,
  last: number,
  interrupts: (line: number) => boolean,
): number {
  let next = line + 1;
  for (; next < last; next++) {
    const start = fromOf(lines, next);
    const end = endOf(lines, next);
    if (start === end) break;
    let spaces = 0;
    let i = start;
    while (i < end && lines.text.charCodeAt(i) === Code.space) {
      spaces++;
      i++;
    }
    const atEnd = i === end;
    const deep = (!atEnd && lines.text.charCodeAt(i) === Code.tab) || spaces >= 4;
    if (deep && !(atEnd && next + 1 < last)) continue;
    if (interrupts(next)) break;
    if (next + 1 < last && isBlankBetween(lines.text, i, end)) break;
  }
  return next;
}
