import { Code, isBlankBetween } from './characters.ts';

/** The lines of a text, as offsets into it; each array has one entry for each line. */
export interface LineTable {
  readonly text: string;
  /** Where lines begin. */
  readonly starts: readonly number[];
  /**
   * Where the content of lines begins. It moves right when the scanner takes the marker of a list
   * or quote off, so that everything it finds keeps its place in the original text.
   */
  readonly from: number[];
  /** Where lines end, without their line ends. */
  readonly ends: number[];
  /** Whether the text has carriage returns. */
  readonly returns: boolean;
}

/**
 * Splits a text into lines: LF, CRLF and a lone CR end a line. A byte order mark is not part of the
 * first.
 */
export function lineTable(text: string): LineTable {
  const returns = text.includes('\r');
  const starts = [0];
  const ends: number[] = [];
  if (returns) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code !== Code.lineFeed && code !== Code.carriageReturn) continue;
      ends.push(i);
      if (code === Code.carriageReturn && text.charCodeAt(i + 1) === Code.lineFeed) i++;
      starts.push(i + 1);
    }
  } else {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      ends.push(at);
      starts.push(at + 1);
    }
  }
  ends.push(text.length);
  const from = starts.slice();
  if (text.charCodeAt(0) === 0xfeff) from[0] = 1;
  return { text, starts, from, ends, returns };
}

/** Where the content of a line begins. */
export function fromOf(lines: LineTable, line: number): number {
  return lines.from[line] as number;
}

/** Where a line ends. */
export function endOf(lines: LineTable, line: number): number {
  return lines.ends[line] as number;
}

/** The first character of a line that is neither space nor tab, or the line's end. */
export function indentEnd(lines: LineTable, line: number): number {
  const end = lines.ends[line] as number;
  let i = lines.from[line] as number;
  for (; i < end; i++) {
    const code = lines.text.charCodeAt(i);
    if (code !== Code.space && code !== Code.tab) break;
  }
  return i;
}

/** Whether a line holds spaces and tabs only. */
export function isEmptyLine(lines: LineTable, line: number): boolean {
  return indentEnd(lines, line) === lines.ends[line];
}

/** Whether a line holds white space of any kind only. */
export function isBlankLine(lines: LineTable, line: number): boolean {
  return isBlankBetween(lines.text, fromOf(lines, line), endOf(lines, line));
}

/**
 * The column after the white space between two offsets, if it begins at `column`; tab stops are
 * four columns apart.
 */
export function columnsBetween(text: string, start: number, end: number, column = 0): number {
  let columns = column;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.tab) columns += 4 - (columns % 4);
    else if (code === Code.space) columns++;
    else break;
  }
  return columns;
}

/** Moves the start of a line's content over at most `columnsMax` columns of white space. */
export function stripColumns(lines: LineTable, line: number, columnsMax: number): void {
  const end = endOf(lines, line);
  let i = fromOf(lines, line);
  let columns = 0;
  for (; i < end && columns < columnsMax; i++) {
    const code = lines.text.charCodeAt(i);
    if (code === Code.tab) columns += 4 - (columns % 4);
    else if (code === Code.space) columns++;
    else break;
  }
  lines.from[line] = i;
}
