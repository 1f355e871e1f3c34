import { oneLine } from '../../base/one-line.ts';
import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { linksOf } from '../links/link-style.ts';
import type { LinkingLine, LinkText, NoteWork, WantedLinks } from '../ports/note-work.ts';
import { factsOf } from '../text/scan-file.ts';

/**
 * Returns the first lines of a file that contain one of these link paths, one for each link. The
 * index says which paths lead to the target, but where they stand is read from the file, because it
 * may have changed since.
 */
export function linkingLines(text: string, wanted: WantedLinks): readonly LinkingLine[] {
  const lines = new LineIndex(text);
  return linksOf(factsOf(wanted.kind, text))
    .filter(({ path }) => wanted.links.has(path))
    .map(({ range }) => ({ start: range.start, line: lines.lineAt(range.start) }))
    .sort((a, b) => a.line - b.line)
    .slice(0, wanted.limit)
    .map(({ start, line }) => ({
      line: line + 1,
      text: around(text, lineRange(text, lines, line), start, wanted.charsMax),
    }));
}

/** Returns the links that begin at these places, each with the heading above it. */
export const linkTexts: NoteWork['linkTexts'] = (text, { kind, starts, charsMax }) => {
  const facts = factsOf(kind, text);
  const found = linksOf(facts)
    .filter(({ range }) => starts.has(range.start))
    .sort((a, b) => a.range.start - b.range.start);
  let passed = 0;
  return found.map(({ range: { start, end } }): LinkText => {
    while ((facts.headings[passed]?.range.start ?? Number.POSITIVE_INFINITY) <= start) passed++;
    const heading = facts.headings[passed - 1]?.text;
    return {
      start,
      text: oneLine(text.slice(start, Math.min(end, start + charsMax + 1)), charsMax),
      ...(heading === undefined ? {} : { heading: oneLine(heading, charsMax) }),
    };
  });
};

/** Where a line (counted from 0) begins and ends, without its line end. */
function lineRange(text: string, lines: LineIndex, line: number): TextRange {
  const start = lines.startOf(line);
  let end = line + 1 < lines.count ? lines.startOf(line + 1) : text.length;
  while (end > start && /[\r\n]/.test(text.charAt(end - 1))) end--;
  return { start, end };
}

/**
 * Cuts a line to `charsMax` characters around an offset, with `…` where something is left out.
 * Looks at no other part of the line: a line may be as long as the note.
 */
function around(text: string, line: TextRange, offset: number, charsMax: number): string {
  if (line.end - line.start <= charsMax) return text.slice(line.start, line.end);
  const start = Math.max(line.start, Math.min(offset - charsMax / 2, line.end - charsMax));
  const shown = text
    .slice(start, start + charsMax)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > line.start ? '…' : ''}${shown}${start + charsMax < line.end ? '…' : ''}`;
}
