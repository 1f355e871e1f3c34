import type { LineHunk } from './line-hunks.ts';
import { lineHunks, splitLines } from './line-hunks.ts';

/**
 * Merges two changes of one text by lines, as git does; the same change on both sides counts once.
 * Undefined when both change the same lines, or lines with no unchanged line between them.
 */
export function mergeTexts(texts: {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}): string | undefined {
  const base = splitLines(texts.base);
  const ours = splitLines(texts.ours);
  const theirs = splitLines(texts.theirs);
  const merged: string[] = [];
  let done = 0;
  for (const place of placesOf(lineHunks(base, ours), lineHunks(base, theirs))) {
    const our = textAt(place, place.ours, ours);
    const their = textAt(place, place.theirs, theirs);
    if (our !== undefined && their !== undefined && our !== their) return undefined;
    merged.push(base.slice(done, place.start).join(''), our ?? their ?? '');
    done = place.end;
  }
  merged.push(base.slice(done).join(''));
  return merged.join('');
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

/** The text of one side at a place; undefined when that side changed nothing there. */
function textAt(
  place: Place,
  hunks: readonly LineHunk[],
  lines: readonly string[],
): string | undefined {
  const first = hunks[0];
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // Outside its hunks, a side has the same lines as the base, so the distances are the same.
  const start = first.after.start - (first.before.start - place.start);
  const end = last.after.end + (place.end - last.before.end);
  return lines.slice(start, end).join('');
}
