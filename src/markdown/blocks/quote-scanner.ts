import { Code } from '../text/characters.ts';
import { endOf, indentEnd, isBlankLine, type LineTable } from '../text/line-table.ts';
import { interruptsQuote, opensQuote } from './block-starts.ts';

/**
 * Takes the `>` off the lines of the quote that begins on a line, and returns the line after it.
 * Lines without one belong to it until an empty line, or a line that opens another block.
 */
export function stripQuote(
  lines: LineTable,
  line: number,
  last: number,
  interrupts: (line: number) => boolean,
): number {
  let next = line;
  for (; next < last; next++) {
    if (opensQuote(lines, next)) {
      const after = indentEnd(lines, next) + 1;
      const space = after < endOf(lines, next) && lines.text.charCodeAt(after) === Code.space;
      lines.from[next] = space ? after + 1 : after;
      continue;
    }
    if (isBlankLine(lines, next) || interruptsQuote(lines, next, last) || interrupts(next)) break;
  }
  return next;
}
