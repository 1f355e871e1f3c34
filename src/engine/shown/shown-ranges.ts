import type { TextRange } from '../../base/text-range.ts';

/**
 * Adds a part that was shown to the parts that were shown before (see `ServedNote.shown`). Two
 * parts with only blanks between them are joined.
 */
export function withShown(
  text: string,
  shown: readonly TextRange[],
  added: TextRange,
): readonly TextRange[] {
  const joined: TextRange[] = [];
  for (const range of [...shown, added].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && isBlank(text, { start: last.end, end: range.start })) {
      joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
    } else {
      joined.push(range);
    }
  }
  return joined;
}

/** Whether all of the text from `start` on was shown, not counting blanks. */
export function isShownFrom(text: string, shown: readonly TextRange[], start: number): boolean {
  let at = start;
  for (const range of shown) {
    if (range.end <= at) continue;
    if (!isBlank(text, { start: at, end: range.start })) return false;
    at = range.end;
  }
  return isBlank(text, { start: at, end: text.length });
}

/**
 * The parts of a text that count as shown after the connection has changed the text itself. Outside
 * the first and the last difference they stay as they were. The piece between counts as shown if
 * all of the old piece there was shown: what is new in it the connection has written itself.
 */
export function shownAfter(
  before: string,
  after: string,
  shown: readonly TextRange[],
): readonly TextRange[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  const old = { start: head, end: before.length - tail };
  const shift = after.length - before.length;
  // The parts before and after the piece; those that are empty are dropped below.
  const outside = shown.flatMap(({ start, end }) => [
    { start, end: Math.min(end, old.start) },
    { start: Math.max(start, old.end) + shift, end: end + shift },
  ]);
  const wasShown = shown.some(({ start, end }) => start <= old.start && end >= old.end);
  const isInsertion = old.start === old.end;
  const middle = wasShown || isInsertion ? [{ start: head, end: after.length - tail }] : [];
  return [...outside, ...middle]
    .filter(({ start, end }) => start < end)
    .reduce<readonly TextRange[]>((sum, range) => withShown(after, sum, range), []);
}

function isBlank(text: string, { start, end }: TextRange): boolean {
  return start >= end || text.slice(start, end).trim() === '';
}
