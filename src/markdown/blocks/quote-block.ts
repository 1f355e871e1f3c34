import { Code } from '../text/characters.ts';
import type { LineTable } from '../text/line-table.ts';
import { endOf, indentEnd, isBlankLine } from '../text/line-table.ts';
import { interruptsQuote, opensQuote } from './block-starts.ts';

/**
 * Removes the `>` from the lines of the quote that begins on a line, and returns the line after the
 * quote. Lines without `>` belong to it up to an empty line, or a line that opens another block.
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

/**
 * The callout that the first line of a quote, without its `>`, makes of it, as in `[!type]- title`;
 * undefined when the quote is not a callout.
 */
export function calloutOf(
  text: string,
  start: number,
  end: number,
): { type: string; title: string; fold?: '+' | '-' } | undefined {
  if (!text.startsWith('[!', start)) return undefined;
  let close = start + 2;
  while (close < end && text.charCodeAt(close) !== Code.closeBracket) close++;
  if (close >= end || close === start + 2) return undefined;
  const sign = close + 1 < end ? text.charAt(close + 1) : '';
  const fold = sign === '+' || sign === '-' ? sign : undefined;
  const title = text.slice(close + (fold === undefined ? 1 : 2), end).trim();
  // Text after a `|` in the type is for themes.
  const type = (text.slice(start + 2, close).split('|')[0] ?? '').trim().toLowerCase();
  return { type, title, ...(fold === undefined ? {} : { fold }) };
}
