import { limits } from '../base/limits.ts';
import type { LineIndex } from '../base/text-range.ts';
import { foldText } from './fold-text.ts';
import type { TextTerm } from './index-store.ts';

export interface MatchingLine {
  /** From 0. */
  readonly line: number;
  /** The line without its indentation, cut where it is long. */
  readonly text: string;
}

const lineCharsMax = 200;
const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/**
 * The lines of a text that hold most of the words looked for, in the order of the text. Only the
 * first `limits.snippetCharsMax` characters are looked through: one note must not hold up others.
 */
export function matchingLines(
  text: string,
  terms: readonly TextTerm[],
  options: { readonly max: number },
): MatchingLine[] {
  const wanted = new Set(terms.filter((term) => !term.negated).flatMap((term) => term.words));
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.words.at(-1) ?? '');
  const matches = (found: string): boolean =>
    wanted.has(found) || prefixes.some((prefix) => found.startsWith(prefix));
  const found: { line: number; text: string; count: number }[] = [];
  const looked = text.slice(0, limits.snippetCharsMax);
  looked.split(/\r\n|\n|\r/).forEach((content, line) => {
    const count = new Set(foldText(content).match(word)?.filter(matches)).size;
    if (count > 0) found.push({ line, text: content, count });
  });
  return found
    .sort((a, b) => b.count - a.count || a.line - b.line)
    .slice(0, options.max)
    .sort((a, b) => a.line - b.line)
    .map(({ line, text: content }) => ({ line, text: shorten(content) }));
}

/** A line of a text as answers show it: without its indentation, cut where it is long. */
export function shownLine(text: string, table: LineIndex, line: number): string {
  const end = line + 1 < table.count ? table.startOf(line + 1) : text.length;
  return shorten(text.slice(table.startOf(line), end));
}

function shorten(line: string): string {
  const trimmed = line.trim();
  return trimmed.length > lineCharsMax ? `${trimmed.slice(0, lineCharsMax)}…` : trimmed;
}
