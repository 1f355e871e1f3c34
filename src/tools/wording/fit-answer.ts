import { limits } from '../../base/limits.ts';
import type { LineIndex, TextRange } from '../../base/text-range.ts';

/** How many characters one of several lists in an answer may take, so that all of them fit. */
const listCharsMax = limits.answerCharsMax / 5;

/** The first items of a list: at most `countMax`, and as many as fit beside other lists. */
export function firstOf<Item>(
  items: readonly Item[],
  countMax: number = limits.answerFilesMax,
): readonly Item[] {
  return itemsWithin(items.slice(0, countMax), listCharsMax);
}

/** The first items of a page, as many as fit into an answer that also has `beside`. */
export function fitItems<Item>(items: readonly Item[], beside: object): readonly Item[] {
  return itemsWithin(items, roomBeside(beside));
}

/** How many characters of an answer are left beside this; 100 are reserved for key and brackets. */
export function roomBeside(beside: object): number {
  return limits.answerCharsMax - JSON.stringify(beside).length - 100;
}

/** The first items of a list, as many as take at most `charsMax` characters as JSON. */
export function itemsWithin<Item>(items: readonly Item[], charsMax: number): readonly Item[] {
  let chars = 2;
  const end = items.findIndex((item) => {
    chars += JSON.stringify(item).length + 1;
    return chars > charsMax;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The first lines of a text, as many as take at most `charsMax` characters as JSON. */
export function linesWithin(text: string, charsMax: number): string {
  // As JSON a text is longer than it is, so the rest of a long text is only counted.
  if (text.length <= charsMax && JSON.stringify(text).length <= charsMax) return text;
  const kept = itemsWithin(text.slice(0, charsMax).split('\n'), charsMax - 100);
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return `${kept.join('\n')}\n… and ${count - kept.length} more lines`;
}

/** How many characters of a text, from `start` on, take at most `jsonCharsMax` as JSON. */
export function charsWithin(text: string, start: number, jsonCharsMax: number): number {
  let chars = Math.min(text.length - start, jsonCharsMax);
  for (;;) {
    const over = JSON.stringify(text.slice(start, start + chars)).length - jsonCharsMax;
    if (over <= 0 || chars <= 0) return chars;
    // One character takes at most six in JSON: \u0000.
    chars -= Math.ceil(over / 6);
  }
}

/**
 * The part of a range that fits into `charsMax` characters: whole lines, or the beginning of the
 * first line if that line alone is too long.
 */
export function fitLines(
  text: string,
  lines: LineIndex,
  { start, end }: TextRange,
  charsMax: number,
): TextRange {
  if (end - start <= charsMax) return { start, end };
  const cut = start + charsMax;
  const lineStart = lines.startOf(lines.lineAt(cut));
  if (lineStart > start) return { start, end: lineStart };
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(cut - 1));
  return { start, end: splitsPair ? cut - 1 : cut };
}

/** The offset of the next page; an empty object when this page is the last. */
export function nextOffset(page: {
  readonly total: number;
  readonly offset: number;
  readonly shown: number;
}): { readonly next_offset?: number } {
  const next = page.offset + page.shown;
  return page.shown > 0 && next < page.total ? { next_offset: next } : {};
}
