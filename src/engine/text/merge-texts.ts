import type { LineHunk } from './line-hunks.ts';
import { lineHunks, splitLines } from './line-hunks.ts';

/**
 * Some lines of a merged text, as each side has them. `same`: both sides have them, so they count
 * once. `ours` or `theirs`: only that side changed them. `clash`: both did, each in its own way.
 */
export interface MergePart {
  readonly take: 'same' | 'ours' | 'theirs' | 'clash';
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Merges two changes of one text by lines, as git does; the same change on both sides counts once.
 * Undefined when both change the same lines, or lines with no unchanged line between them.
 */
export function mergeTexts(texts: {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}): string | undefined {
  const merged: string[] = [];
  const { base, ours, theirs } = texts;
  for (const part of mergeLines(splitLines(base), splitLines(ours), splitLines(theirs))) {
    if (part.take === 'clash') return undefined;
    merged.push(part[part.take === 'theirs' ? 'theirs' : 'ours'].join(''));
  }
  return merged.join('');
}

/** The parts of two changed texts, in order: what `mergeTexts` joins, and where the sides clash. */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergePart[] {
  const parts: MergePart[] = [];
  const unchanged = (start: number, end: number): void => {
    const lines = base.slice(start, end);
    if (lines.length > 0) parts.push({ take: 'same', ours: lines, theirs: lines });
  };
  let done = 0;
  for (const place of placesOf(lineHunks(base, ours), lineHunks(base, theirs))) {
    unchanged(done, place.start);
    done = place.end;
    const our = linesAt(place, place.ours, ours);
    const their = linesAt(place, place.theirs, theirs);
    const before = base.slice(place.start, place.end);
    if (our === undefined) parts.push({ take: 'theirs', ours: before, theirs: their ?? before });
    else if (their === undefined) parts.push({ take: 'ours', ours: our, theirs: before });
    else parts.push({ take: isEqual(our, their) ? 'same' : 'clash', ours: our, theirs: their });
  }
  unchanged(done, base.length);
  return parts;
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** Lines of the base that one side or both changed. Hunks that touch each other are one place. */
interface Place {
  readonly start: number;
  end: number;
  readonly ours: LineHunk[];
  readonly theirs: LineHunk[];
}

function placesOf(ours: readonly LineHunk[], theirs: readonly LineHunk[]): Place[] {
  const places: Place[] = [];
  const hunks = [
    ...ours.map((hunk) => ({ side: 'ours', hunk }) as const),
    ...theirs.map((hunk) => ({ side: 'theirs', hunk }) as const),
  ];
  hunks.sort((a, b) => a.hunk.before.start - b.hunk.before.start);
  for (const { side, hunk } of hunks) {
    const { start, end } = hunk.before;
    let place = places.at(-1);
    if (place === undefined || start > place.end) {
      place = { start, end, ours: [], theirs: [] };
      places.push(place);
    }
    place.end = Math.max(place.end, end);
    place[side].push(hunk);
  }
  return places;
}

/** The lines of one side at a place; undefined when that side changed nothing there. */
function linesAt(
  place: Place,
  hunks: readonly LineHunk[],
  lines: readonly string[],
): readonly string[] | undefined {
  const first = hunks[0];
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // Outside its hunks, a side has the same lines as the base, so the distances are the same.
  const start = first.after.start - (first.before.start - place.start);
  const end = last.after.end + (place.end - last.before.end);
  return lines.slice(start, end);
}
