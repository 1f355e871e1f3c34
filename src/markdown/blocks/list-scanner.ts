import type { TextRange } from '../../base/text-range.ts';
import type { ListItem } from '../facts/facts.ts';
import { Code, isDigit } from '../text/characters.ts';
import {
  columnsBetween,
  endOf,
  fromOf,
  indentColumns,
  indentEnd,
  isBlankLine,
  type LineTable,
  stripColumns,
} from '../text/line-table.ts';
import { interruptsList, isThematicBreak } from './block-starts.ts';

// Lists with the rules of remark-parse 8, Obsidian's parser, which differ from CommonMark.

/** The lines of one item of a list; `last` is the line after it. */
export interface ItemLines {
  readonly first: number;
  readonly last: number;
  /** Whether an empty line and then another item follow; the item then ends with the empty line. */
  readonly gap: boolean;
}

/** The items of the list that begins on a line, and the line after it. */
interface ListLines {
  readonly items: readonly ItemLines[];
  readonly end: number;
}

/** The item that lines are being added to. */
interface OpenItem {
  first: number;
  last: number;
  /** The column that a line must reach to belong to it. */
  indent: number;
}

/**
 * Finds which lines belong to the list that begins on a line, and to which item. A list ends at
 * another kind of marker, at a thematic break, and at a line without indent after an empty one.
 * Lines that follow directly belong to the item whatever their indent, unless they open a heading,
 * a fence or a thematic break.
 */
export function readList(
  lines: LineTable,
  line: number,
  last: number,
  interrupts: (line: number) => boolean = (next) => interruptsList(lines, next),
): ListLines {
  const items: ItemLines[] = [];
  let item: OpenItem | undefined;
  let marker = 0;
  let afterEmpty = false;
  let next = line;
  for (; next < last; next++) {
    const found = bulletOf(lines, next, item);
    if (found.marker !== 0) {
      if (item === undefined) marker = found.marker;
      else if (marker !== found.marker) break;
      const dashed = found.marker === Code.asterisk || found.marker === Code.dash;
      if (dashed && isThematicBreak(lines, next)) break;
      if (item !== undefined) items.push(closed(item, next));
      item = { first: next, last: next + 1, indent: found.size };
      afterEmpty = false;
      continue;
    }
    if (item === undefined) break;
    const empty = isBlankLine(lines, next);
    // Five columns are enough even where the item is indented further.
    if (found.size >= item.indent || found.size > 4) {
      item.last = next + 1;
    } else if (!empty) {
      if (afterEmpty || interrupts(next)) break;
      item.last = next + 1;
    }
    afterEmpty = empty;
  }
  if (item === undefined) return { items, end: line };
  items.push({ first: item.first, last: item.last, gap: false });
  return { items, end: item.last };
}

function closed(item: OpenItem, next: number): ItemLines {
  return { first: item.first, last: item.last, gap: item.last < next };
}

/**
 * The marker of a line (0 when it has none, or when its indent makes it part of the open item), and
 * the columns that indent and marker take. A marker with text directly after it (`-x`) does not
 * count, but its columns do.
 */
function bulletOf(
  lines: LineTable,
  line: number,
  item: OpenItem | undefined,
): { marker: number; size: number } {
  const { text } = lines;
  const end = endOf(lines, line);
  let i = indentEnd(lines, line);
  let size = indentColumns(lines, line);
  if (i >= end || (item !== undefined && size >= item.indent)) return { marker: 0, size };
  let marker = text.charCodeAt(i);
  if (marker === Code.asterisk || marker === Code.plus || marker === Code.dash) {
    i++;
    size++;
  } else {
    const start = i;
    while (i < end && isDigit(text.charCodeAt(i))) i++;
    marker = i < end ? text.charCodeAt(i) : 0;
    if (i === start || (marker !== Code.dot && marker !== Code.closeParen)) {
      return { marker: 0, size };
    }
    i++;
    size += i - start;
  }
  if (i >= end) return { marker, size };
  const after = text.charCodeAt(i);
  if (after === Code.tab) return { marker, size: size + 4 - (size % 4) };
  if (after !== Code.space) return { marker: 0, size };
  return { marker, size: size + spacesAfterMarker(text, i, end) };
}

/**
 * How many of the spaces after a marker belong to it: up to four, but only one if there are five or
 * more.
 */
function spacesAfterMarker(text: string, at: number, end: number): number {
  let spaces = 0;
  while (spaces < 5 && at + spaces < end && text.charCodeAt(at + spaces) === Code.space) spaces++;
  return spaces === 5 ? 1 : spaces;
}

/**
 * Removes the marker from an item's first line, and from the other lines the indent that all of
 * them share, up to the width of the marker. If one of them has no indent, nothing is removed from
 * any.
 */
export function stripItem(lines: LineTable, item: ItemLines): void {
  const { text } = lines;
  const end = endOf(lines, item.first);
  const start = fromOf(lines, item.first);
  const bullet = indentEnd(lines, item.first);
  let i = bullet;
  while (i < end && isDigit(text.charCodeAt(i))) i++;
  const numbered = i > bullet;
  i++;
  const spaces = text.charCodeAt(i) === Code.tab && i < end ? 1 : spacesAfterMarker(text, i, end);
  const content = i + spaces;
  let width = indentColumns(lines, item.first) + i - bullet;
  // After `1.` to `9.` the other lines may be indented by one more column. Not after `1)`: remark
  // compares `Number('1)')`, which is not a number.
  const dotted = numbered && text.charCodeAt(i - 1) === Code.dot;
  if (dotted && Number(text.slice(bullet, i - 1)) < 10 && (content - start) % 2 === 1) width++;
  width = columnsBetween(text, i, content, width);
  const shared = sharedIndent(lines, item, width);
  lines.from[item.first] = content;
  if (shared === 0) return;
  for (let line = item.first + 1; line < item.last; line++) stripColumns(lines, line, shared);
}

/** The indent that all lines of an item but its first have, at most `columnsMax`. */
function sharedIndent(lines: LineTable, item: ItemLines, columnsMax: number): number {
  let shared = columnsMax;
  for (let line = item.first + 1; line < item.last; line++) {
    if (isBlankLine(lines, line)) continue;
    const columns = indentColumns(lines, line);
    if (columns === 0) return 0;
    if (columns < shared) shared = columns;
  }
  return shared;
}

/**
 * The place of the character of a task, given where the content of its item begins; -1 when the
 * item is not a task. The app accepts any character where remark accepts a blank or an x; that a
 * blank must follow the bracket is remark's rule.
 */
export function taskAt(text: string, at: number, end: number): number {
  if (at + 3 >= end || text.charCodeAt(at) !== Code.openBracket) return -1;
  if (text.charCodeAt(at + 2) !== Code.closeBracket) return -1;
  const after = text.charCodeAt(at + 3);
  return after === Code.space || after === Code.tab ? at + 1 : -1;
}

/** Makes a list item; `task` is the place of the character of a task, -1 for none. */
export function listItem(
  found: { range: TextRange; parent: number; task: number; id: string | undefined },
  text: string,
): ListItem {
  const { range, parent, task: at, id } = found;
  if (at === -1) return id === undefined ? { range, parent } : { range, parent, id };
  const taskRange = { start: at, end: at + 1 };
  const task = text.charAt(at);
  return id === undefined
    ? { range, parent, task, taskRange }
    : { range, parent, task, taskRange, id };
}
