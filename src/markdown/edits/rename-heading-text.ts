import type { Heading } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';

/** Edits that give a heading another text; its markers, or the line under it, stay. */
export function renameHeadingText(text: string, heading: Heading, put: string): TextEdit[] {
  const { start, end } = heading.range;
  const written = text.slice(start, end);
  const markers = /^[ \t]*#{1,6}(?=[ \t]|$)[ \t]*/.exec(written)?.[0] ?? '';
  if (heading.text === '') {
    const at = start + markers.trimEnd().length;
    return [{ range: { start: at, end: at }, text: ` ${put}` }];
  }
  const at = written.indexOf(heading.text, markers.length);
  // A heading over several lines of a quote is not written as it reads: its lines have markers.
  if (at === -1) return [];
  return [{ range: { start: start + at, end: start + at + heading.text.length }, text: put }];
}
