import type { LineHunk, LineRange } from './line-hunks.ts';
import { lineHunks } from './line-hunks.ts';

/**
 * Some lines of a merged text, as each side has them. `same`: both sides have them, so they count
 * once. `ours` or `theirs`: only that side changed them. `clash`: both did, each in its own way.
 */
export interface MergePart {
  readonly take: 'same' | 'ours' | 'theirs' | 'clash';
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** The parts of two changed texts, in order, and where the sides clash. */
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
  for (const { start, end, ours: our, theirs: their } of changedPlaces(base, ours, theirs)) {
    unchanged(done, start);
    done = end;
    const before = base.slice(start, end);
    if (our === undefined) parts.push({ take: 'theirs', ours: before, theirs: their ?? before });
    else if (their === undefined) parts.push({ take: 'ours', ours: our, theirs: before });
    else parts.push({ take: isSameLines(our, their) ? 'same' : 'clash', ours: our, theirs: their });
  }
  unchanged(done, base.length);
  return parts;
}

/** Lines of a text that one side or both have changed, with no unchanged line between the changes. */
export interface ChangedPlace extends LineRange {
  /** What each side has there; absent when that side changed nothing there. */
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
}

/** The places at which two changed texts differ from the one they come from, in order. */
export function changedPlaces(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): ChangedPlace[] {
  return placesOf(lineHunks(base, ours), lineHunks(base, theirs)).map((place) => {
    const our = linesAt(place, place.ours, ours);
    const their = linesAt(place, place.theirs, theirs);
    return {
      start: place.start,
      end: place.end,
      ...(our && { ours: our }),
      ...(their && { theirs: their }),
    };
  });
}

/** Whether two lists of lines are the same. */
export function isSameLines(a: readonly string[], b: readonly string[]): boolean {
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
