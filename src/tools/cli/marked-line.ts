import type { Paint } from '../define/define-tool.ts';
import { cutToWidth, displayWidth, fittingChars } from './display-width.ts';
import { plain } from './text.ts';

/** How much of what is shown of a long line stands before the first match. */
const beforeShare = 0.3;

type Ranges = readonly (readonly [start: number, end: number])[];

/**
 * A line of a note with the matching pieces set off. `before` is how many columns are taken before it;
 * at a terminal a line that is too long for the rest is cut around its first match.
 */
export function markedLine(text: string, marks: Ranges, paint: Paint, before: number): string {
  const line = plain(text); // As long as the text, so that the ranges still hold.
  const room = paint.columns === undefined ? undefined : Math.max(20, paint.columns - before);
  if (room === undefined || displayWidth(line) <= room) return painted(line, marks, paint);
  const [first = [0, 0]] = marks;
  const [start, end] = first;
  const isSeen = displayWidth(line.slice(0, end)) < room;
  const from = isSeen ? 0 : cutPlace(line, start, Math.floor(room * beforeShare));
  const lead = from === 0 ? '' : '…';
  const shown = cutToWidth(lead + line.slice(from), room);
  const shift = from - lead.length;
  // The last character may be the sign that the line goes on.
  const last = shown.endsWith('…') ? shown.length - 1 : shown.length;
  const moved = marks.flatMap(([at, to]): Ranges => {
    const range = [Math.max(lead.length, at - shift), Math.min(last, to - shift)] as const;
    return range[0] < range[1] ? [range] : [];
  });
  return painted(shown, moved, paint);
}

/** Where to begin so that about so many columns are shown before a place. */
function cutPlace(line: string, place: number, columns: number): number {
  const backwards = Array.from(line.slice(0, place)).reverse().join('');
  const at = place - fittingChars(backwards, columns);
  const blank = line.indexOf(' ', at);
  return blank !== -1 && blank < at + columns / 2 && blank < place ? blank + 1 : at;
}

function painted(line: string, marks: Ranges, paint: Paint): string {
  let text = '';
  let done = 0;
  for (const [start, end] of marks) {
    text += line.slice(done, start) + paint.match(line.slice(start, end));
    done = end;
  }
  return text + line.slice(done);
}
