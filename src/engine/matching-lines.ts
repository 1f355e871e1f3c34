import { limits } from '../base/limits.ts';
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
    .map(({ line, text: content }) => ({ line, text: shorten(content.trim()) }));
}

function shorten(line: string): string {
  return line.length > lineCharsMax ? `${line.slice(0, lineCharsMax)}…` : line;
}
