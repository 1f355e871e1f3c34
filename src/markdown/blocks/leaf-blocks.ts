import type { TextRange } from '../../base/text-range.ts';
import { Code } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, isEmptyLine, type LineTable } from '../text/line-table.ts';
import { isIndented } from './block-starts.ts';

// Code and headings, with the rules of remark-parse 8, Obsidian's parser. `last` is the line after
// the last one of the container.

/**
 * The line after the fenced code that opens on a line: after its closing fence, or at the end of
 * the lines.
 */
export function fencedEnd(
  lines: LineTable,
  line: number,
  last: number,
  fence: { marker: number; length: number },
): number {
  for (let next = line + 1; next < last; next++) {
    if (closesFence(lines, next, fence)) return next + 1;
  }
  return last;
}

function closesFence(
  lines: LineTable,
  line: number,
  fence: { marker: number; length: number },
): boolean {
  const { text } = lines;
  const end = endOf(lines, line);
  const start = fromOf(lines, line);
  let i = start;
  while (i < end && text.charCodeAt(i) === Code.space) i++;
  if (i - start > 3) return false;
  const run = i;
  while (i < end && text.charCodeAt(i) === fence.marker) i++;
  if (i - run < fence.length) return false;
  while (i < end && isBlank(text.charCodeAt(i))) i++;
  return i === end;
}

/** The line after the indented code that begins on a line; empty lines inside belong to it. */
export function indentedEnd(lines: LineTable, line: number, last: number): number {
  let end = line + 1;
  for (let next = line + 1; next < last; next++) {
    if (isIndented(lines, next)) {
      // A last line with nothing but the indent is not code.
      const indent = lines.text.charCodeAt(fromOf(lines, next)) === Code.tab ? 1 : 4;
      const bare = endOf(lines, next) - fromOf(lines, next) === indent;
      if (!bare || next + 1 < last) end = next + 1;
    } else if (!isEmptyLine(lines, next)) {
      break;
    }
  }
  return end;
}

/**
 * The content of a heading that begins with `#`, without its `#` characters at the start and at the
 * end.
 */
export function headingContent(lines: LineTable, line: number, level: number): TextRange {
  const { text } = lines;
  const stop = endOf(lines, line);
  let i = indentEnd(lines, line) + level;
  while (i < stop && isBlank(text.charCodeAt(i))) i++;
  const start = i;
  let end = i;
  while (i < stop) {
    const code = text.charCodeAt(i);
    if (!isBlank(code) && code !== Code.hash) {
      end = ++i;
      continue;
    }
    // A hash directly after the content belongs to it; after a space it may close the heading.
    if (code === Code.hash && i === end && end > start) {
      end = ++i;
      continue;
    }
    while (i < stop && isBlank(text.charCodeAt(i))) i++;
    while (i < stop && text.charCodeAt(i) === Code.hash) i++;
    while (i < stop && isBlank(text.charCodeAt(i))) i++;
  }
  return { start, end };
}

/** The content of a heading that the next line underlines. */
export function underlinedContent(lines: LineTable, line: number): TextRange {
  const { text } = lines;
  let start = fromOf(lines, line);
  let end = endOf(lines, line);
  for (let i = 0; i < 3 && text.charCodeAt(start) === Code.space; i++) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isBlank(code: number): boolean {
  return code === Code.space || code === Code.tab;
}
