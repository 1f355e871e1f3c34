import { Code, isSpace } from '../text/characters.ts';
import {
  endOf,
  fromOf,
  indentEnd,
  isEmptyLine,
  type LineTable,
  stripColumns,
} from '../text/line-table.ts';
import { isIndented } from './block-starts.ts';

/**
 * The id of the footnote that a line defines, and where its text begins; undefined for other lines.
 */
export function footnoteOf(
  lines: LineTable,
  line: number,
): { id: string; contentStart: number } | undefined {
  const { text } = lines;
  const end = endOf(lines, line);
  const open = indentEnd(lines, line);
  if (open + 4 > end || !text.startsWith('[^', open)) return undefined;
  let i = open + 2;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.closeBracket || code === Code.openBracket || isSpace(code)) break;
  }
  if (i === open + 2 || text.charCodeAt(i) !== Code.closeBracket) return undefined;
  if (i + 1 >= end || text.charCodeAt(i + 1) !== Code.colon) return undefined;
  return { id: text.slice(open + 2, i), contentStart: i + 2 };
}

/**
 * The line after the footnote that a line defines. Lines that follow directly belong to it unless
 * they open a block; after an empty line only indented lines do.
 */
export function footnoteEnd(
  lines: LineTable,
  line: number,
  last: number,
  interrupts: (line: number) => boolean,
): number {
  let end = line + 1;
  for (let next = line + 1; next < last; next++) {
    if (isEmptyLine(lines, next)) continue;
    if (isIndented(lines, next)) {
      end = next + 1;
      continue;
    }
    // `end < next` after an empty line.
    if (end < next || interrupts(next) || footnoteOf(lines, next) !== undefined) break;
    end = next + 1;
  }
  return end;
}

/** Takes the label off a footnote's first line, and the indent off the others. */
export function stripFootnote(
  lines: LineTable,
  footnote: { first: number; last: number; contentStart: number },
): void {
  let start = footnote.contentStart;
  while (start < endOf(lines, footnote.first) && isSpace(lines.text.charCodeAt(start))) start++;
  lines.from[footnote.first] = Math.max(start, fromOf(lines, footnote.first));
  for (let line = footnote.first + 1; line < footnote.last; line++) stripColumns(lines, line, 4);
}
