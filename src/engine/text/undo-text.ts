import type { LineRange } from './line-hunks.ts';
import { lineText, splitLines } from './line-hunks.ts';
import { type ChangedPlace, changedPlaces, isSameLines } from './merge-texts.ts';

/**
 * A text without a change that was made to it, by lines: `before` and `after` that change, and as it
 * is `now`, after later changes, which all stay. Lines that the change wrote may have others directly
 * before or after them since. Undefined when they were changed themselves, or when it is not clear
 * which lines they are: nothing is then removed that somebody else may have written.
 */
export function undoText(texts: {
  readonly before: string;
  readonly after: string;
  readonly now: string;
}): string | undefined {
  if (texts.now === texts.after) return texts.before;
  if (texts.before === texts.after || texts.now === texts.before) return texts.now;
  if (areEndsUnclear(texts)) return undefined;
  const { before, after, now, ending } = withFinalEnds(texts);
  const base = splitLines(after);
  const current = splitLines(now);
  const places = changedPlaces(base, current, splitLines(before));
  const moved = movedLines(base, places);
  const lines: string[] = [];
  let done = 0;
  let shift = 0;
  for (const [at, place] of places.entries()) {
    const around = { above: places[at - 1], below: places[at + 1] };
    const undone = undonePlace(base, place, { ...around, moved });
    if (undone === undefined || mayBeInside(current, place, { shift, ...around })) return undefined;
    lines.push(base.slice(done, place.start).join(''), undone.join(''));
    done = place.end;
    if (place.ours !== undefined) shift += place.ours.length - (place.end - place.start);
  }
  lines.push(base.slice(done).join(''));
  const last = places.at(-1);
  const isEndChanged = last?.ours !== undefined && last.end === base.length;
  return ending(lines.join(''), isEndChanged);
}

/** The changed places before and behind one. */
interface Around {
  readonly above: ChangedPlace | undefined;
  readonly below: ChangedPlace | undefined;
}

/** What the lines of a place become; undefined where that is not clear. */
function undonePlace(
  base: readonly string[],
  place: ChangedPlace,
  { above, below, moved }: Around & { readonly moved: ReadonlySet<string> },
): readonly string[] | undefined {
  const { start, end, ours, theirs } = place;
  if (theirs === undefined) return ours;
  if (ours !== undefined && isSameLines(ours, theirs)) return theirs;
  const block = blockOf(base, { start, end, theirs });
  const lines = base.slice(block.start, block.end);
  const at = ours === undefined ? block.start - start : findTogether(ours, lines);
  if (at === undefined) return undefined;
  const before = ours?.slice(0, at) ?? base.slice(start, block.start);
  const behind = ours?.slice(at + lines.length) ?? base.slice(block.end, end);
  const isNear = {
    above: !isSameLines(before, base.slice(start, block.start)),
    below: !isSameLines(behind, base.slice(block.end, end)),
  };
  if ((isNear.above || isNear.below) && moved.size > 0) return undefined;
  // Where `y x` was added behind `x`, it may have been `x y` that was added before it: a later
  // change between them would then stand inside.
  const isUnclear =
    block.put.length === 0 &&
    mayMove(base, block, {
      up: isNear.above ? block.start : above?.ours && above.end,
      down: isNear.below ? block.end : below?.ours && below.start,
    });
  return isUnclear ? undefined : before.concat(block.put, behind);
}

/**
 * The lines that the undone change moved: undoing it takes them away in one place and puts them in
 * another. Lines that somebody wrote beside them since would be left where they do not belong.
 */
function movedLines(base: readonly string[], places: readonly ChangedPlace[]): ReadonlySet<string> {
  const blocks = places.flatMap(({ start, end, theirs }) =>
    theirs === undefined ? [] : [blockOf(base, { start, end, theirs })],
  );
  const put = new Set(blocks.flatMap((each) => each.put));
  const gone = blocks.flatMap((each) => base.slice(each.start, each.end));
  return new Set(gone.filter((line) => isNotBlank(line) && put.has(line)));
}

/** Whether lines that were only added later may have been added among those of the undone change. */
function mayBeInside(
  now: readonly string[],
  { start, end, ours, theirs }: ChangedPlace,
  { above, below, shift }: Around & { readonly shift: number },
): boolean {
  if (ours === undefined || theirs !== undefined || start < end) return false;
  const block = { start: start + shift, end: start + shift + ours.length };
  return mayMove(now, block, {
    up: above?.theirs && above.end + shift,
    down: below?.theirs && below.start + shift + ours.length,
  });
}

/**
 * Whether added lines may also be those some lines further up or down, beyond a limit: the same text
 * would be there. Blank lines do not count, as one is like another.
 */
function mayMove(
  lines: readonly string[],
  { start, end }: LineRange,
  limit: { readonly up: number | undefined; readonly down: number | undefined },
): boolean {
  const count = end - start;
  // The lines repeat themselves, so that it is enough to look at as many lines beyond the limit.
  if (limit.up !== undefined) {
    const least = Math.max(0, limit.up - count);
    for (let at = start - 1; at >= least && lines[at] === lines[at + count]; at--) {
      if (at < limit.up && isNotBlank(lines[at])) return true;
    }
  }
  if (limit.down !== undefined) {
    const most = Math.min(lines.length, limit.down + count);
    for (let at = end; at < most && lines[at] === lines[at - count]; at++) {
      if (at >= limit.down && isNotBlank(lines[at])) return true;
    }
  }
  return false;
}

/** The lines of a place that the undone change wrote, and what was there before. */
function blockOf(
  base: readonly string[],
  { start, end, theirs }: { start: number; end: number; theirs: readonly string[] },
): { readonly start: number; readonly end: number; readonly put: readonly string[] } {
  const shorter = Math.min(end - start, theirs.length);
  let head = 0;
  while (head < shorter && base[start + head] === theirs[head]) head++;
  let tail = 0;
  while (tail < shorter - head && base[end - 1 - tail] === theirs[theirs.length - 1 - tail]) tail++;
  return {
    start: start + head,
    end: end - tail,
    put: theirs.slice(head, theirs.length - tail),
  };
}

/**
 * Finds lines that stand together in a text, and answers where they begin. Undefined when they do
 * not, or when lines like them are there in another way as well, and leaving those out would leave
 * something else. Blank lines do not count, as one is like another.
 */
function findTogether(now: readonly string[], lines: readonly string[]): number | undefined {
  const wanted = lines.filter(isNotBlank);
  const first = placesFrom(now, wanted);
  const last = placesFrom(now.toReversed(), wanted.toReversed()).map((at) => now.length - 1 - at);
  const [from] = first;
  const [to] = last;
  if (first.length < wanted.length || from === undefined || to === undefined) return undefined;
  const isOneWay = first.every((at, i) => at === last[last.length - 1 - i]);
  // A single line may stand there several times in a row: whichever is meant, the same is left.
  const isRow = now.slice(from, to).every((line) => line === wanted[0] || !isNotBlank(line));
  if (!isOneWay && !(wanted.length === 1 && isRow)) return undefined;
  const at = from - lines.findIndex(isNotBlank);
  return lines.every((line, i) => line === now[at + i]) ? at : undefined;
}

/** Where some lines first occur in a text, each behind the one before it; ends where one does not. */
function placesFrom(now: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (const [at, line] of now.entries()) if (line === wanted[places.length]) places.push(at);
  return places;
}

function isNotBlank(line = ''): boolean {
  return line.trim() !== '';
}

/**
 * Whether it is not clear which line end belongs behind a last line that has none: a text ends with a
 * carriage return alone, or both kinds of line ends are used.
 */
function areEndsUnclear({
  before,
  after,
  now,
}: {
  readonly before: string;
  readonly after: string;
  readonly now: string;
}): boolean {
  const all = [now, after, before];
  if (all.some((text) => text.endsWith('\r'))) return true;
  const isMixed = all.some((text) => text.includes('\r\n')) && all.some(hasBareLineFeed);
  return isMixed && all.some(isOpen);
}

function hasBareLineFeed(text: string): boolean {
  return /(?<!\r)\n/.test(text);
}

/**
 * The texts with a line end behind their last lines, so that a line is the same when another follows
 * it; `ending` takes the line end of the result away again where it has none.
 */
function withFinalEnds(texts: {
  readonly before: string;
  readonly after: string;
  readonly now: string;
}) {
  const { before, after, now } = texts;
  const end = [now, after, before].some((text) => text.includes('\r\n')) ? '\r\n' : '\n';
  const ended = (text: string): string => (isOpen(text) ? text + end : text);
  const ending = (text: string, isEndChanged: boolean): string => {
    const isCut =
      isEndChanged || isOpen(now) !== isOpen(after) || before === '' ? isOpen(now) : isOpen(before);
    return isCut ? lineText(text) : text;
  };
  return { before: ended(before), after: ended(after), now: ended(now), ending };
}

/** Whether the last line of a text has no line end. */
function isOpen(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}
