import { LineIndex } from '../../base/text-range.ts';
import { bodyStart } from '../../markdown/properties/body-start.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';

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
