import { diffArrays } from 'diff';
import { limits } from '../../base/limits.ts';

/** Some lines in a row: `start` inclusive, `end` exclusive, from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines of one text in whose place another text has others. Either side may be empty. */
export interface LineHunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** The lines of a text, each with its end. Only LF ends a line, as in every diff. */
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

/**
 * What differs between two texts, in order; between two hunks is always a line that both have.
 * The fewest lines possible, unless more than `limits.diffEditsMax` lines were moved about: then
 * everything between the first and the last difference is one hunk. The same for the same texts.
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

/** Where neither the first nor the last line is the same. */
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

function* sameLines(before: readonly string[], after: readonly string[]): Generator<SameLine> {
  // A line that only one text has matches nothing. Without those the search is short even where
  // thousands of lines were rewritten, and what it finds is the same.
  const olds = linesOfBoth(before, new Set(after));
  const news = linesOfBoth(after, new Set(before));
  const parts = diffArrays(
    olds.map((at) => before[at]),
    news.map((at) => after[at]),
    { maxEditLength: limits.diffEditsMax },
  );
  let old = 0;
  let put = 0;
  for (const { count, added, removed } of parts ?? []) {
    for (let i = 0; i < count && !added && !removed; i++) {
      yield { before: olds[old + i] ?? 0, after: news[put + i] ?? 0 };
    }
    if (!added) old += count;
    if (!removed) put += count;
  }
}

function linesOfBoth(lines: readonly string[], others: ReadonlySet<string>): number[] {
  const found: number[] = [];
  for (const [at, line] of lines.entries()) if (others.has(line)) found.push(at);
  return found;
}

function shifted({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}
