import { LineIndex } from '../../base/text-range.ts';
import { bodyStart } from '../../markdown/properties/frontmatter-block.ts';
import { scanHeadings } from '../../markdown/scan/scan-note.ts';
import { foldText } from '../text/fold-text.ts';

/** How much of what is shown of a long line stands before the match. */
const beforeShare = 0.3;

/** A line with its line end. */
export function lineText(text: string, table: LineIndex, line: number): string {
  const end = line + 1 < table.count ? table.startOf(line + 1) : text.length;
  return text.slice(table.startOf(line), end);
}

/**
 * A line as answers show it; a long line is cut on both sides of the match. `find` returns the
 * column of the match and is only called for a long line.
 */
export function shownAround(line: string, find: () => number, charsMax: number): string {
  const trimmed = line.trim();
  if (trimmed.length <= charsMax) return trimmed;
  const indent = line.length - line.trimStart().length;
  const before = charsMax * beforeShare;
  const at = Math.max(0, Math.floor(find() - indent - before));
  const start = cutBefore(trimmed, at, charsMax);
  const end = whole(trimmed, start + charsMax);
  const cut = trimmed.slice(start, end);
  return `${start > 0 ? '…' : ''}${cut}${end < trimmed.length ? '…' : ''}`;
}

/**
 * Moves a cut to the next beginning of a word, where one is near. Where the end of the line fits, it
 * is shown in full.
 */
function cutBefore(line: string, at: number, charsMax: number): number {
  if (at === 0) return 0;
  const first = Math.min(at, line.length - charsMax);
  const blank = line.indexOf(' ', first);
  const isNear = blank !== -1 && blank < first + (charsMax * beforeShare) / 3;
  return isNear ? blank + 1 : whole(line, first);
}

/** Moves a cut so that it does not split a character of two code units. */
function whole(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line.charAt(at)) ? at + 1 : at;
}

/**
 * Finds the column of one of these folded words in a line; 0 when it cannot be found. Folds
 * character by character so that columns stay known, which is slow: for lines that are shown, not
 * for searching.
 */
export function placeOfWord(line: string, words: readonly string[]): number {
  let folded = '';
  const places: number[] = [];
  for (const match of line.matchAll(/\P{M}\p{M}*/gu)) {
    const character = foldText(match[0]).trim() || ' ';
    for (let i = 0; i < character.length; i++) places.push(match.index);
    folded += character;
  }
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  return found.length === 0 ? 0 : (places[Math.min(...found)] ?? 0);
}

/**
 * Returns for each of these lines of a note the heading above it, or its own if it is a heading;
 * undefined before the first heading. Lines count from 0, in ascending order. Reads little further
 * than the last line.
 */
export function headingsAbove(
  text: string,
  lines: readonly number[],
): readonly (string | undefined)[] {
  const table = new LineIndex(text);
  const last = lines.at(-1) ?? -1;
  // A text cut inside the properties would be parsed as a body.
  if (last === -1 || table.startOf(last) < bodyStart(text)) return lines.map(() => undefined);
  // One line more, because an underline below makes a line a heading.
  const end = last + 2 < table.count ? table.startOf(last + 2) : text.length;
  const headings = scanHeadings(text.slice(0, end)).map((heading) => ({
    text: heading.text,
    line: table.lineAt(heading.range.start),
  }));
  let passed = 0;
  return lines.map((line) => {
    while ((headings[passed]?.line ?? Number.POSITIVE_INFINITY) <= line) passed++;
    return headings[passed - 1]?.text;
  });
}
