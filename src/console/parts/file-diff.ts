import { consolePageLimits } from '../../base/console-page-limits.ts';
import { type LineHunk, lineHunks, lineText, splitLines } from '../../engine/text/line-hunks.ts';
import { type WordPiece, wordDiff } from './word-diff.ts';

/** One line of a shown diff. */
export interface DiffLine {
  readonly is: 'same' | 'removed' | 'added';
  /** Counted from 1: in the old text for a removed line, in the new text for others. */
  readonly number: number;
  readonly pieces: readonly WordPiece[];
}

/** Lines that differ, close to each other, with some unchanged lines around them. */
interface DiffPart {
  /** The heading above it; undefined when there is none. */
  readonly title?: string;
  readonly lines: readonly DiffLine[];
}

/** What differs between two texts of a file. */
export interface FileDiff {
  readonly parts: readonly DiffPart[];
  readonly added: number;
  readonly removed: number;
  /** How many lines have the same text as before, and another line end. */
  readonly otherEnds: number;
}

/**
 * Compares two texts by lines. A line whose text stays counts as unchanged, also if its line end
 * is another: the last line of a note gets one as soon as something is added below it. Changed
 * lines are compared word by word with `by: 'words'`.
 */
export function fileDiff(
  before: string,
  after: string,
  { by }: { readonly by: 'words' | 'lines' },
): FileDiff {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const old = oldLines.map(lineText);
  const now = newLines.map(lineText);
  const hunks = lineHunks(old, now);
  const room = wordRoom();
  const titles = headingsBefore(
    now,
    hunks.map(({ after: { start } }) => start),
  );
  const parts = joinNear(hunks).map((near): DiffPart => {
    const first = near[0];
    const title = first === undefined ? undefined : titles.get(first.after.start);
    const lines = linesOf(near, { old, now, by, room });
    return title === undefined ? { lines } : { title, lines };
  });
  const sum = (lines: (hunk: LineHunk) => { start: number; end: number }): number =>
    hunks.map(lines).reduce((total, { start, end }) => total + end - start, 0);
  return {
    parts,
    added: sum((hunk) => hunk.after),
    removed: sum((hunk) => hunk.before),
    otherEnds: countOtherEnds(oldLines, newLines, hunks),
  };
}

/** Of the lines outside of these hunks, how many differ. */
function countOtherEnds(
  before: readonly string[],
  after: readonly string[],
  hunks: readonly LineHunk[],
): number {
  let count = 0;
  let at = 0;
  let shift = 0;
  const end = { start: before.length, end: before.length };
  for (const hunk of [...hunks, { before: end, after: end }]) {
    for (; at < hunk.before.start; at++) if (before[at] !== after[at + shift]) count++;
    at = hunk.before.end;
    shift = hunk.after.end - hunk.before.end;
  }
  return count;
}

/** Joins hunks whose unchanged lines around them would touch. */
function joinNear(hunks: readonly LineHunk[]): LineHunk[][] {
  const groups: LineHunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    const isNear =
      last !== undefined &&
      hunk.before.start - last.before.end <= 2 * consolePageLimits.contextLines;
    if (isNear) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

interface Texts {
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly by: 'words' | 'lines';
  readonly room: WordRoom;
}

/** How many characters of a file may still be compared word by word. */
export interface WordRoom {
  chars: number;
}

export function wordRoom(): WordRoom {
  return { chars: consolePageLimits.wordDiffAllCharsMax };
}

function linesOf(near: readonly LineHunk[], texts: Texts): DiffLine[] {
  const { now } = texts;
  const lines: DiffLine[] = [];
  const same = (start: number, end: number): void => {
    for (let at = Math.max(0, start); at < Math.min(end, now.length); at++) {
      lines.push({ is: 'same', number: at + 1, pieces: whole(now[at]) });
    }
  };
  let done = (near[0]?.after.start ?? 0) - consolePageLimits.contextLines;
  for (const hunk of near) {
    same(done, hunk.after.start);
    // One by one: a call cannot have hundreds of thousands of arguments.
    for (const line of changedLines(hunk, texts)) lines.push(line);
    done = hunk.after.end;
  }
  same(done, done + consolePageLimits.contextLines);
  return lines;
}

/** The lines of one hunk. */
function changedLines({ before, after }: LineHunk, texts: Texts): readonly DiffLine[] {
  const { old, now, by, room } = texts;
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (let at = before.start; at < before.end; at++) {
    removed.push({ is: 'removed', number: at + 1, pieces: whole(old[at]) });
  }
  for (let at = after.start; at < after.end; at++) {
    added.push({ is: 'added', number: at + 1, pieces: whole(now[at]) });
  }
  return by === 'words' ? pairedLines(removed, added, room) : [...removed, ...added];
}

/**
 * Removed lines and those that came in their place; if they are as many, compared word by word as long
 * as there is room for it.
 */
export function pairedLines(
  removed: readonly DiffLine[],
  added: readonly DiffLine[],
  room: WordRoom,
): readonly DiffLine[] {
  if (removed.length !== added.length) return [...removed, ...added];
  return removed.flatMap((line, at) => {
    const other = added[at];
    if (other === undefined) return [line];
    const [before, after] = [textOf(line), textOf(other)];
    room.chars -= before.length + after.length;
    const words = room.chars < 0 ? undefined : wordDiff(before, after);
    if (words === undefined) return [line, other];
    return [
      { ...line, pieces: words.removed },
      { ...other, pieces: words.added },
    ];
  });
}

export function textOf({ pieces }: DiffLine): string {
  return pieces.map(({ text }) => text).join('');
}

function whole(text = ''): WordPiece[] {
  return [{ text, differs: false }];
}

/** For each of these lines, in order, the last Markdown heading above it. */
function headingsBefore(
  lines: readonly string[],
  starts: readonly number[],
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let heading: string | undefined;
  let isCode = false;
  let at = 0;
  for (const start of starts) {
    for (; at < start; at++) {
      const line = lines[at] ?? '';
      if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
      else if (!isCode) heading = /^#{1,6} (.{1,200})/.exec(line)?.[1]?.trim() ?? heading;
    }
    if (heading !== undefined) found.set(start, heading);
  }
  return found;
}
