import type { LineIndex } from '../../base/text-range.ts';
import type { Heading } from '../../markdown/facts/facts.ts';
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
 * What can begin a block of which blank lines are a part, so that a `#` at the start of a line is no
 * heading.
 */
const longBlock = /`{3}|~{3}|%%|\$\$|<[!?]|<(?:script|pre|style|textarea)/gi;

/** The place of the first such block; the length of the text if there is none. */
function longBlockAt(text: string): number {
  longBlock.lastIndex = 0;
  let lineEnd = -1;
  for (let found = longBlock.exec(text); found !== null; found = longBlock.exec(text)) {
    const { 0: mark, index } = found;
    const isOnSameLine = index < lineEnd; // Of an indented line.
    const line = isOnSameLine ? index : text.lastIndexOf('\n', index) + 1;
    // An indented fence or HTML block is part of a list, which ends where the indentation does.
    const isIndented = isOnSameLine || /^ {4}|^\t/.test(text.slice(line, line + 4));
    if (!isIndented || mark === '%%' || mark === '$$') return index;
    if (!isOnSameLine) lineEnd = text.indexOf('\n', index);
    if (lineEnd === -1) lineEnd = text.length;
  }
  return text.length;
}

/**
 * Returns for each of these lines of a note the heading above it, or its own if it is a heading;
 * undefined before the first heading. Lines count from 0, in ascending order; `table` has the lines of
 * the text, at least up to the last of these. Reads little further than the last line.
 */
export function headingsAbove(
  text: string,
  lines: readonly number[],
  table: LineIndex,
): readonly (string | undefined)[] {
  const body = bodyStart(text);
  const startOf = (line: number): number =>
    line < table.count ? table.startOf(line) : text.length;
  const read = text.slice(0, startOf((lines.at(-1) ?? 0) + 2));
  const plainEnd = longBlockAt(read);
  const starts = lines.map((line) => sureHeading(text, body, Math.min(startOf(line), plainEnd)));
  let found: { readonly start: number; readonly headings: readonly Heading[] } | undefined;
  return lines.map((line, at) => {
    const start = starts[at] ?? 0;
    // A text cut inside the properties would be parsed as a body.
    if (startOf(line) < body) return undefined;
    if (found?.start !== start) {
      const last = lines[starts.lastIndexOf(start)] ?? line;
      // One line more, because an underline below makes a line a heading.
      found = { start, headings: scanHeadings(text.slice(start, startOf(last + 2))) };
    }
    const end = startOf(line + 1);
    return found.headings.findLast(({ range }) => start + range.start < end)?.text;
  });
}

/**
 * The start of the last line up to `from` that is a heading without doubt, so that what is above it
 * need not be read: it begins with `#`, and the empty line above it ends every block but the long
 * ones. 0 if there is none in the body.
 */
function sureHeading(text: string, body: number, from: number): number {
  for (let at = from; at > body + 2; at -= 1) {
    at = text.lastIndexOf('\n\n#', at - 2);
    if (at < body) return 0;
    if (/^#{1,6}[ \t]/.test(text.slice(at + 2, at + 9))) return at + 2;
  }
  return 0;
}
