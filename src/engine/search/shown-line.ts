import { LineIndex } from '../../base/text-range.ts';
import { bodyStart } from '../../markdown/properties/frontmatter-block.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { foldText } from '../text/fold-text.ts';

const lineCharsMax = 200;
/** How much of a long line is shown before what was found in it. */
const beforeChars = 60;

/** A line without its end. */
export function lineText(text: string, table: LineIndex, line: number): string {
  const end = line + 1 < table.count ? table.startOf(line + 1) : text.length;
  return text.slice(table.startOf(line), end);
}

/** A line as answers show it; one that is long is cut on both sides of what was found in it. */
export function shownAround(line: string, find: () => number): string {
  const trimmed = line.trim();
  if (trimmed.length <= lineCharsMax) return trimmed;
  const indent = line.length - line.trimStart().length;
  const start = cutBefore(trimmed, Math.max(0, find() - indent - beforeChars));
  const end = whole(trimmed, start + lineCharsMax);
  const cut = trimmed.slice(start, end);
  return `${start > 0 ? '…' : ''}${cut}${end < trimmed.length ? '…' : ''}`;
}

/** The next beginning of a word, where one is near; the end of the line is shown in full. */
function cutBefore(line: string, at: number): number {
  if (at === 0) return 0;
  if (at + lineCharsMax >= line.length) return whole(line, line.length - lineCharsMax);
  const blank = line.indexOf(' ', at);
  return blank !== -1 && blank < at + beforeChars / 3 ? blank + 1 : whole(line, at);
}

/** Characters of two code units are not cut in two. */
function whole(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line.charAt(at)) ? at + 1 : at;
}

/**
 * Where in a line one of these folded words stands; 0 where it cannot be told. Folds character by
 * character, so that each keeps its place: for lines that are shown, not for those looked through.
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
 * The heading under which each of these lines of a note stands, its own where it is one; undefined
 * above the first. Lines count from 0, in ascending order. Reads hardly further than the last.
 */
export function headingsAbove(
  text: string,
  lines: readonly number[],
): readonly (string | undefined)[] {
  const table = new LineIndex(text);
  const last = lines.at(-1) ?? -1;
  // Cut inside the properties, the rest would be taken for a body.
  if (last === -1 || table.startOf(last) < bodyStart(text)) return lines.map(() => undefined);
  // One line more: it may be what makes this one a heading.
  const end = last + 2 < table.count ? table.startOf(last + 2) : text.length;
  const headings = scanNote(text.slice(0, end)).headings.map((heading) => ({
    text: heading.text,
    line: table.lineAt(heading.range.start),
  }));
  let passed = 0;
  return lines.map((line) => {
    while ((headings[passed]?.line ?? Number.POSITIVE_INFINITY) <= line) passed++;
    return headings[passed - 1]?.text;
  });
}
