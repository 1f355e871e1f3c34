import { Code, isDigit, isSpace } from '../text/characters.ts';
import type { Places } from '../text/places.ts';
import type { Closing, StretchMemo } from './inline-emphasis.ts';

// What Obsidian adds to Markdown within a line: comments, math, highlights, footnotes. Each
// function is called at the character that opens the thing.

/** The end of `%% … %%` within one line: exactly two percent signs on either side. */
export function commentEnd(text: string, at: number, end: number): Closing | undefined {
  if (!isCommentMark(text, at)) return undefined;
  for (let i = at + 2; i + 1 < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.lineFeed) return undefined;
    if (code !== Code.percent) continue;
    if (isCommentMark(text, i)) return { contentEnd: i, end: i + 2 };
    while (text.charCodeAt(i + 1) === Code.percent) i++;
  }
  return undefined;
}

/** Whether exactly two percent signs begin at `at`. */
export function isCommentMark(text: string, at: number): boolean {
  return (
    text.startsWith('%%', at) &&
    text.charCodeAt(at + 2) !== Code.percent &&
    (at === 0 || text.charCodeAt(at - 1) !== Code.percent)
  );
}

/**
 * Where the math that opens at `at` ends; `at` when there is none. It is `$$…$$`, or `$…$` on one
 * line whose first and last character are not white space and which no digit follows. `marks` finds
 * the next `$$`.
 */
export function mathEnd(
  text: string,
  at: number,
  end: number,
  known: { memo: StretchMemo; marks: Places },
): number {
  if (at + 1 >= end) return at;
  const { memo, marks } = known;
  const next = text.charCodeAt(at + 1);
  if (next === Code.dollar) {
    const close = marks.next(at + 2);
    return close <= at + 2 || close + 2 > end ? at : close + 2;
  }
  if (isSpace(next) || (at >= memo.mathFrom && at < memo.mathTo)) return at;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.lineFeed) break;
    if (code === Code.backslash) i++;
    else if (code === Code.dollar && !isSpace(text.charCodeAt(i - 1))) {
      if (i + 1 >= end || !isDigit(text.charCodeAt(i + 1))) return i + 1;
    }
  }
  memo.mathFrom = at;
  memo.mathTo = i;
  return at;
}

/**
 * The end of `==…==`, whose content must not begin with white space. `marks` finds the next `==`.
 */
export function highlightEnd(
  text: string,
  at: number,
  end: number,
  marks: Places,
): Closing | undefined {
  const from = at + 2;
  if (from >= end || text.charCodeAt(at + 1) !== Code.equals) return undefined;
  const first = text.charCodeAt(from);
  if (first === Code.equals || isSpace(first)) return undefined;
  const close = marks.next(from);
  return close === -1 || close + 2 > end ? undefined : { contentEnd: close, end: close + 2 };
}

/** Where the footnote reference `[^id]` that opens at `open` ends; -1 when there is none. */
export function footnoteReferenceEnd(text: string, open: number, end: number): number {
  for (let i = open + 2; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.closeBracket) return i === open + 2 ? -1 : i + 1;
    if (code === Code.openBracket || isSpace(code)) return -1;
  }
  return -1;
}
