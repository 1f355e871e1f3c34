import { endOf, fromOf, type LineTable } from '../text/line-table.ts';

/**
 * The text of one block, without the prefixes of the lists and quotes around it: the part of `text`
 * from `start` to `end`.
 */
export interface InlineText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is a cell of a table, where the pipe of a link is written `\|`. */
  readonly inTable: boolean;
  /** Converts an offset in `text` into an offset in the note; absent when they are the same. */
  readonly place?: (offset: number) => number;
}

/**
 * Returns the text of whole lines, from `start` in the first to `end` in the last. Where only line
 * feeds are between the lines, it is the note's own text, and nothing is copied.
 */
export function inlineTextOf(
  lines: LineTable,
  span: { first: number; last: number; start: number; end: number },
): InlineText {
  const { first, last, start, end } = span;
  if (isContiguous(lines, first, last)) return { text: lines.text, start, end, inTable: false };
  const pieces: string[] = [];
  // Where each line begins in the joined text, and in the note.
  const joined: number[] = [];
  const original: number[] = [];
  let length = 0;
  for (let line = first; line <= last; line++) {
    const from = line === first ? start : fromOf(lines, line);
    const piece = lines.text.slice(from, line === last ? end : endOf(lines, line));
    joined.push(length);
    original.push(from);
    pieces.push(piece);
    length += piece.length + 1;
  }
  const place = (offset: number): number => {
    let low = 0;
    let high = joined.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((joined[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return (original[low] as number) + offset - (joined[low] as number);
  };
  return { text: pieces.join('\n'), start: 0, end: length - 1, inTable: false, place };
}

/** Whether the lines have no prefixes and end with a line feed alone, so nothing has to be cut. */
function isContiguous(lines: LineTable, first: number, last: number): boolean {
  if (first === last) return true;
  if (lines.returns) return false;
  for (let line = first + 1; line <= last; line++) {
    if (lines.from[line] !== lines.starts[line]) return false;
  }
  return true;
}
