import { limits } from '../../base/limits.ts';
import type { LineIndex, TextRange } from '../../base/text-range.ts';

/** What one of several lists in an answer may take, in characters, so that all of them fit. */
const listCharsMax = limits.answerCharsMax / 5;

/** The first of many: as many as answers list, and as fit beside other lists. */
export function firstOf<Item>(
  items: readonly Item[],
  countMax: number = limits.answerFilesMax,
): readonly Item[] {
  return itemsWithin(items.slice(0, countMax), listCharsMax);
}

/** A page as far as it fits an answer that has this beside it. */
export function fitItems<Item>(items: readonly Item[], beside: object): readonly Item[] {
  return itemsWithin(items, roomBeside(beside));
}

/** What is left of an answer, in characters, with room for the key. */
export function roomBeside(beside: object): number {
  return limits.answerCharsMax - JSON.stringify(beside).length - 100;
}

/** The longest beginning of a list that takes no more than so many characters as JSON. */
export function itemsWithin<Item>(items: readonly Item[], charsMax: number): readonly Item[] {
  let chars = 2;
  const end = items.findIndex((item) => {
    chars += JSON.stringify(item).length + 1;
    return chars > charsMax;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The first lines of a text, as many as take no more than so many characters as JSON. */
export function linesWithin(text: string, charsMax: number): string {
  if (JSON.stringify(text).length <= charsMax) return text;
  const lines = text.split('\n');
  const kept = itemsWithin(lines, charsMax - 100);
  return `${kept.join('\n')}\n… and ${lines.length - kept.length} more lines`;
}

/** How many characters of a text, from `start` on, take no more than so many as JSON. */
export function charsWithin(text: string, start: number, jsonCharsMax: number): number {
  let chars = Math.min(text.length - start, jsonCharsMax);
  for (;;) {
    const over = JSON.stringify(text.slice(start, start + chars)).length - jsonCharsMax;
    if (over <= 0 || chars <= 0) return chars;
    // Six is what one character takes at most.
    chars -= Math.ceil(over / 6);
  }
}

/**
 * As much of a range of a text as fits: whole lines, or the beginning of the first one if that
 * alone is too long.
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

/** Where the next page begins; nothing when this one is the last. */
export function nextOffset(page: {
  readonly total: number;
  readonly offset: number;
  readonly shown: number;
}): { readonly next_offset?: number } {
  const next = page.offset + page.shown;
  return page.shown > 0 && next < page.total ? { next_offset: next } : {};
}
