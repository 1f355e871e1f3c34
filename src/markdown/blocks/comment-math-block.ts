import { isCommentMark } from '../inline/inline-obsidian.ts';
import { Code, isBlankBetween } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, type LineTable } from '../text/line-table.ts';

/** A `%%` comment block or a `$$` math block: its lines, and where its closing mark ends. */
export interface MarkedBlock {
  /** After the opening mark. */
  readonly contentStart: number;
  /** Before the closing mark. */
  readonly contentEnd: number;
  readonly end: number;
  /** The line on which it ends. */
  readonly lastLine: number;
}

/**
 * Reads the `%%` comment that opens at the start of a line; undefined when there is none. It goes
 * to the next `%%`, or to the end of the lines. When it ends on its first line, nothing may follow
 * it, or it is part of a paragraph.
 */
export function readCommentBlock(
  lines: LineTable,
  line: number,
  last: number,
): MarkedBlock | undefined {
  const { text } = lines;
  const open = indentEnd(lines, line);
  if (open - fromOf(lines, line) > 3 || !opensComment(lines, line)) return undefined;
  const close = nextCommentMark(text, open + 2);
  const lastLine = close === -1 ? last : lineOf(lines, { line, last, end: close + 2 });
  if (lastLine === last) {
    // Not closed before the lines of the container end.
    const end = endOf(lines, last - 1);
    return { contentStart: open + 2, contentEnd: end, end, lastLine: last - 1 };
  }
  const end = close + 2;
  if (lastLine === line && !isBlankBetween(text, end, endOf(lines, line))) return undefined;
  return { contentStart: open + 2, contentEnd: close, end, lastLine };
}

function nextCommentMark(text: string, from: number): number {
  for (let i = text.indexOf('%%', from); i !== -1; i = text.indexOf('%%', i)) {
    if (isCommentMark(text, i)) return i;
    while (text.charCodeAt(i) === Code.percent) i++;
  }
  return -1;
}

/** The line of an offset, from `line` on; `last` when it lies after the lines of the container. */
function lineOf(lines: LineTable, where: { line: number; last: number; end: number }): number {
  let { line } = where;
  while (line < where.last && endOf(lines, line) < where.end) line++;
  return line;
}

/** Whether a line begins with exactly two percent signs. */
function opensComment(lines: LineTable, line: number): boolean {
  const open = indentEnd(lines, line);
  return open + 2 <= endOf(lines, line) && isCommentMark(lines.text, open);
}

/** Whether a line begins with `$$`. */
function opensMath(lines: LineTable, line: number): boolean {
  const open = indentEnd(lines, line);
  return open + 2 <= endOf(lines, line) && lines.text.startsWith('$$', open);
}

/**
 * Reads the `$$` block that opens at the start of a line; undefined when there is none. Nothing may
 * follow its closing `$$` on that line. A `$$` that is not closed is text, or one forgotten mark
 * would hide a whole note.
 */
export function readMathBlock(
  lines: LineTable,
  line: number,
  last: number,
): MarkedBlock | undefined {
  const { text } = lines;
  const open = indentEnd(lines, line);
  if (open - fromOf(lines, line) > 3 || !opensMath(lines, line)) return undefined;
  const close = text.indexOf('$$', open + 2);
  if (close === -1) return undefined;
  const lastLine = lineOf(lines, { line, last, end: close + 2 });
  if (lastLine === last) return undefined;
  if (!isBlankBetween(text, close + 2, endOf(lines, lastLine))) return undefined;
  return { contentStart: open + 2, contentEnd: close, end: close + 2, lastLine };
}
