import { Code, isSpace } from '../text/characters.ts';
import { endOf, fromOf, type LineTable } from '../text/line-table.ts';

// Tables as remark-parse 8, Obsidian's parser, finds them.

/** Whether a line can be a row: it has a pipe after its first character. */
function isRow(lines: LineTable, line: number): boolean {
  const end = endOf(lines, line);
  const from = fromOf(lines, line) + 1;
  if (from >= end) return false;
  for (let i = from; i < end; i++) if (lines.text.charCodeAt(i) === Code.pipe) return true;
  return false;
}

/** The line after the table that begins on a line; -1 when none does. */
export function tableEnd(lines: LineTable, line: number, last: number): number {
  if (line + 1 >= last || !isAlignment(lines, line + 1)) return -1;
  if (!isRow(lines, line) || !isRow(lines, line + 1)) return -1;
  let next = line + 2;
  while (next < last && isRow(lines, next)) next++;
  return next;
}

/**
 * Whether a line can stand below the header: only pipes, dashes, colons and white space, with at
 * least one column and none empty.
 */
function isAlignment(lines: LineTable, line: number): boolean {
  let columns = 0;
  let pipes = 0;
  let inColumn = false;
  const end = endOf(lines, line);
  for (let i = fromOf(lines, line); i < end; i++) {
    const code = lines.text.charCodeAt(i);
    if (code === Code.pipe) {
      if (!inColumn && pipes > 0) return false;
      if (inColumn) columns++;
      inColumn = false;
      pipes++;
    } else if (code === Code.dash || code === Code.colon) {
      inColumn = true;
    } else if (!isSpace(code)) {
      return false;
    }
  }
  return columns > 0 || inColumn;
}

/** Calls back with each cell of a row, without the white space around it. */
export function eachCell(
  lines: LineTable,
  line: number,
  visit: (start: number, end: number) => void,
): void {
  const { text } = lines;
  const end = endOf(lines, line);
  let start = -1;
  let stop = -1;
  for (let i = fromOf(lines, line); i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.space || code === Code.tab) continue;
    if (code === Code.pipe) {
      if (start !== -1) visit(start, stop);
      start = -1;
      continue;
    }
    if (start === -1) start = i;
    if (code === Code.backslash && i + 1 < end) i++;
    stop = i + 1;
  }
  if (start !== -1) visit(start, stop);
}
