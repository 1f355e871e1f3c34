import { diffArrays } from 'diff';
import { pageLimits } from '../../base/engine-limits.ts';

/** Some consecutive lines, counted from 0: `start` is inclusive, `end` exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Lines of one text that are replaced by other lines in the other text. Either side may be empty.
 */
export interface LineHunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Splits a text into lines, each with its line end. Only LF ends a line, as in every diff. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** A line without its line end, which may be that of Windows. */
export function lineText(line: string): string {
  const end = line.endsWith('\n') ? line.length - 1 : line.length;
  return line.slice(0, line.charAt(end - 1) === '\r' ? end - 1 : end);
}

/**
 * Finds what differs between two texts, in order, with the fewest lines possible. Between two hunks
 * there is always a line that both texts have. When more than `limits.diffEditsMax` lines differ,
 * everything between the first and the last difference is one hunk.
 */
export function lineHunks(before: readonly string[], after: readonly string[]): LineHunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  return hunksInside(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ).map((hunk) => ({ before: shifted(hunk.before, head), after: shifted(hunk.after, head) }));
}

/** Finds the hunks of two texts whose first lines differ and whose last lines differ. */
function hunksInside(before: readonly string[], after: readonly string[]): LineHunk[] {
  const hunks: LineHunk[] = [];
  let done: SameLine = { before: 0, after: 0 };
  const end: SameLine = { before: before.length, after: after.length };
  for (const next of [...sameLines(before, after), end]) {
    if (next.before > done.before || next.after > done.after) {
      hunks.push({
        before: { start: done.before, end: next.before },
        after: { start: done.after, end: next.after },
      });
    }
    done = { before: next.before + 1, after: next.after + 1 };
  }
  return hunks;
}

/** The same line in both texts. */
interface SameLine {
  readonly before: number;
  readonly after: number;
}

/** Yields the lines that both texts keep, in order; none when too many lines differ. */
function* sameLines(before: readonly string[], after: readonly string[]): Generator<SameLine> {
  // A line that only one text has cannot match. Leaving such lines out keeps the search short even
  // where thousands of lines were rewritten, and does not change the result.
  const beforeAt = placesOf(before, new Set(after));
  const afterAt = placesOf(after, new Set(before));
  const parts = diffArrays(
    beforeAt.map((at) => before[at]),
    afterAt.map((at) => after[at]),
    { maxEditLength: pageLimits.diffEditsMax },
  );
  let fromBefore = 0;
  let fromAfter = 0;
  for (const { count, added, removed } of parts ?? []) {
    for (let i = 0; i < count && !added && !removed; i++) {
      yield { before: beforeAt[fromBefore + i] ?? 0, after: afterAt[fromAfter + i] ?? 0 };
    }
    if (!added) fromBefore += count;
    if (!removed) fromAfter += count;
  }
}

/** The numbers of the lines that the other text has too. */
function placesOf(lines: readonly string[], others: ReadonlySet<string>): number[] {
  const found: number[] = [];
  for (const [at, line] of lines.entries()) if (others.has(line)) found.push(at);
  return found;
}

function shifted({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}
