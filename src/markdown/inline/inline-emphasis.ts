import { Code, isSpace, isWord } from '../text/characters.ts';

// Emphasis as remark-parse 8, Obsidian's parser, reads it. Its rules are not those of CommonMark:
// from an opening marker it searches forward for the first closing one.

/** Where the content of an inline token ends, and where the token itself ends. */
export interface Closing {
  readonly contentEnd: number;
  readonly end: number;
}

/**
 * Remembers what is not closed within one stretch (the text of a block, or the content of a token),
 * so that a text full of unclosed openers is not scanned to its end again for each.
 */
export class StretchMemo {
  /** From this offset on, no `**` is closed. */
  strongStar = Number.POSITIVE_INFINITY;
  /** From this offset on, no `__` is closed. */
  strongUnderscore = Number.POSITIVE_INFINITY;
  /** A `*` that opens between `starFrom` and `starTo` is not closed; likewise for `_`. */
  starFrom = 0;
  starTo = 0;
  underscoreFrom = 0;
  underscoreTo = 0;
  /** From this offset on, no `~~` is closed. */
  deletion = Number.POSITIVE_INFINITY;
  /** Math that opens between `mathFrom` and `mathTo` is not closed. */
  mathFrom = 0;
  mathTo = 0;
}

/**
 * The end of the `**…**` or `__…__` that opens at `at`: the next two markers that no third follows.
 * Undefined when nothing, or only white space, would be inside.
 */
export function strongEnd(
  text: string,
  at: number,
  end: number,
  memo: StretchMemo,
): Closing | undefined {
  const marker = text.charCodeAt(at);
  const star = marker === Code.asterisk;
  const from = at + 2;
  if (from > end || text.charCodeAt(at + 1) !== marker) return undefined;
  if ((star ? memo.strongStar : memo.strongUnderscore) <= from) return undefined;
  let blank = true;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === marker && i + 1 < end && text.charCodeAt(i + 1) === marker) {
      if (i + 2 >= end || text.charCodeAt(i + 2) !== marker) {
        return blank ? undefined : { contentEnd: i, end: i + 2 };
      }
    }
    if (blank && !isSpace(code)) blank = false;
    if (code === Code.backslash) i++;
  }
  if (star) memo.strongStar = from;
  else memo.strongUnderscore = from;
  return undefined;
}

/**
 * The end of the `*…*` or `_…_` that opens at `at`; undefined when it is not closed, or only white
 * space would be inside. An even number of markers in a row is skipped, an odd number from three on
 * ends the search, and a `_` before a word character does not close.
 */
export function emphasisEnd(
  text: string,
  at: number,
  end: number,
  memo: StretchMemo,
): Closing | undefined {
  const marker = text.charCodeAt(at);
  const star = marker === Code.asterisk;
  const failedFrom = star ? memo.starFrom : memo.underscoreFrom;
  const failedTo = star ? memo.starTo : memo.underscoreTo;
  if (at >= failedFrom && at < failedTo) return undefined;
  let blank = true;
  let previous = 0;
  let i = at + 1;
  while (i < end) {
    let code = text.charCodeAt(i);
    if (code === marker) {
      i++;
      const next = i < end ? text.charCodeAt(i) : 0;
      if (next !== marker) {
        if (blank) return undefined;
        if (previous === marker) {
          // This is an odd run of markers: every opener before it would end its search here too.
          remember(memo, { star, from: at, to: runStart(text, i - 1, marker) });
          return undefined;
        }
        if (marker === Code.underscore && isWord(next)) continue;
        return { contentEnd: i - 1, end: i };
      }
      blank = false;
    }
    if (code === Code.backslash) {
      blank = false;
      i++;
      code = i < end ? text.charCodeAt(i) : 0;
    }
    if (blank && !isSpace(code)) blank = false;
    previous = code;
    i++;
  }
  remember(memo, { star, from: at, to: end });
  return undefined;
}

function remember(memo: StretchMemo, failed: { star: boolean; from: number; to: number }): void {
  if (failed.star) {
    memo.starFrom = failed.from;
    memo.starTo = failed.to;
  } else {
    memo.underscoreFrom = failed.from;
    memo.underscoreTo = failed.to;
  }
}

/** Where the run of markers that ends at `at` begins. */
function runStart(text: string, at: number, marker: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) === marker) start--;
  return start;
}

/**
 * The end of `~~…~~` that opens at `at`; undefined when it is not closed. No white space may follow
 * its start or precede its end. It may be empty (`~~~~`).
 */
export function deletionEnd(
  text: string,
  at: number,
  end: number,
  memo: StretchMemo,
): Closing | undefined {
  const from = at + 2;
  if (from > end || text.charCodeAt(at + 1) !== Code.tilde || memo.deletion <= from) {
    return undefined;
  }
  if (from < end && isSpace(text.charCodeAt(from))) return undefined;
  for (let i = text.indexOf('~~', from); i !== -1 && i + 1 < end; i = text.indexOf('~~', i + 1)) {
    if (i === from || !isSpace(text.charCodeAt(i - 1))) return { contentEnd: i, end: i + 2 };
  }
  memo.deletion = from;
  return undefined;
}
