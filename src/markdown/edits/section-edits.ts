import type { TextRange } from '../../base/text-range.ts';
import type { Section } from '../scan/sections.ts';
import { lineEndAt } from '../text/line-ends.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { appendWithin, type PlaceOptions } from './add-text.ts';
import { contentEnd, contentStart, insertLines, trailingCommentStart } from './insert-text.ts';

/**
 * Returns edits that put a text at the end of a section: after its last non-blank line, and before
 * the comment block that ends the note. The last edit is the text itself (see `placeOfLast`).
 */
export function appendToSection(
  text: string,
  section: Section,
  added: string,
  options: PlaceOptions = {},
): TextEdit[] {
  const edits = appendWithin(text, editableRange(text, section), added, options);
  return apartFromNext(text, section, edits);
}

/**
 * Returns edits that replace the content of a section. Its heading stays, even when the new text
 * repeats it. Blank lines before the next heading stay; those after the heading stay unless the text
 * begins with a blank line, or is blank. The last edit is the text itself (see `placeOfLast`).
 */
export function replaceSectionContent(text: string, section: Section, newText: string): TextEdit[] {
  // A text that is written back as it was read keeps its mixed line ends.
  if (newText === text.slice(section.content.start, section.content.end)) {
    return [{ range: section.content, text: newText }];
  }
  const range = editableRange(text, section);
  const end = contentEnd(text, range);
  const content = withoutHeading(text, section, newText);
  if (content.trim() === '') return [{ range: { start: range.start, end }, text: '' }];
  const bringsBlank = /^[ \t]*\r?\n/.test(content);
  const start = bringsBlank ? range.start : contentStart(text, { start: range.start, end });
  const edits = insertLines(text, start, end < range.end ? content.trimEnd() : content);
  // Replace the old content instead of inserting before it.
  const last = edits.at(-1);
  if (last !== undefined) edits[edits.length - 1] = { ...last, range: { start, end } };
  return apartFromNext(text, section, edits);
}

/** A section's content, without a comment block that ends the note. */
function editableRange(text: string, { content }: Section): TextRange {
  if (content.end < text.length) return content;
  const comment = trailingCommentStart(text);
  return { start: content.start, end: Math.max(content.start, comment ?? content.end) };
}

/**
 * Adds a blank line after the text if the next heading is an underlined one (`===`), since the text
 * would become part of it.
 */
function apartFromNext(text: string, { range }: Section, edits: TextEdit[]): TextEdit[] {
  const last = edits.at(-1);
  if (last === undefined || last.range.end !== range.end || range.end === text.length) return edits;
  // The text cannot become part of a heading that begins with `#`.
  if (/^[ \t]*#/.test(text.slice(range.end, range.end + 8))) return edits;
  const lineEnd = lineEndAt(text, range.end) ?? '\n';
  return [...edits.slice(0, -1), { ...last, text: last.text + lineEnd }];
}

/**
 * Removes the section's heading from the start of a new text, because a caller who reads a section
 * and writes it back may include the heading.
 */
function withoutHeading(text: string, { heading }: Section, newText: string): string {
  const own = text.slice(heading.range.start, heading.range.end).trimEnd();
  if (!newText.startsWith(own)) return newText;
  const after = /^[ \t]*(?:\r?\n|$)/.exec(newText.slice(own.length));
  return after === null ? newText : newText.slice(own.length + after[0].length);
}
