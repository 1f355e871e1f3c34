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
  /** What `indentEnd` and `indentColumns` remember of lines. */
  readonly indents: Indents;
}

/**
 * Where the indents of lines end. Containers ask for the indent of each of their lines, at every
 * depth again, and a deep list has long indents: without this, each would be read a hundred times.
 * An entry holds as long as it is not before the line's `from`. All are offsets plus one; 0 is
 * unknown.
 */
interface Indents {
  readonly ends: Int32Array;
  /** The first tab of the indent; its end when there is none. */
  readonly tabs: Int32Array;
  /** How many columns the indent has after that tab. */
  readonly columns: Int32Array;
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
  const count = ends.length;
  const indents = {
    ends: new Int32Array(count),
    tabs: new Int32Array(count),
    columns: new Int32Array(count),
  };
  return { text, starts, from, ends, returns, indents };
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
  const from = lines.from[line] as number;
  const end = lines.ends[line] as number;
  const known = (lines.indents.ends[line] as number) - 1;
  const found = known >= from ? known : findIndent(lines, line);
  return found < end ? found : end;
}

/**
 * Finds and remembers where the indent of a line ends. It looks only at characters, as the line end
 * stops it too: `ends` may be moved for a while.
 */
function findIndent({ text, from, indents }: LineTable, line: number): number {
  let i = from[line] as number;
  while (text.charCodeAt(i) === Code.space) i++;
  const tab = i;
  let columns = 0;
  if (text.charCodeAt(i) === Code.tab) {
    for (i++; ; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.tab) columns += 4 - (columns % 4);
      else if (code === Code.space) columns++;
      else break;
    }
  }
  indents.ends[line] = i + 1;
  indents.tabs[line] = tab + 1;
  indents.columns[line] = columns;
  return i;
}

/** How many columns the indent of a line has; tab stops are four columns apart. */
export function indentColumns(lines: LineTable, line: number): number {
  const { text, indents } = lines;
  const from = lines.from[line] as number;
  const end = indentEnd(lines, line);
  if (end === from) return 0;
  let tab = (indents.tabs[line] as number) - 1;
  if (tab < from) {
    // Tabs were taken off: go to the next one. After a tab, columns count from 0 again.
    let columns = indents.columns[line] as number;
    for (let i = tab + 1; ; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.space) continue;
      if (code === Code.tab) columns -= toTabStop(i - tab - 1);
      else columns = 0;
      tab = i;
      if (code !== Code.tab || tab >= from) break;
    }
    indents.tabs[line] = tab + 1;
    indents.columns[line] = columns;
  }
  if (tab >= end) return end - from;
  return toTabStop(tab - from) + (indents.columns[line] as number);
}

/** The column after a tab that follows so many spaces. */
function toTabStop(spaces: number): number {
  return spaces + 4 - (spaces % 4);
}

/** Whether a line holds spaces and tabs only. */
export function isEmptyLine(lines: LineTable, line: number): boolean {
  return indentEnd(lines, line) === lines.ends[line];
}

/** Whether a line holds white space of any kind only. */
export function isBlankLine(lines: LineTable, line: number): boolean {
  return isBlankBetween(lines.text, indentEnd(lines, line), endOf(lines, line));
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
