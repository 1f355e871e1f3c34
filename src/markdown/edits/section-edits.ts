import type { TextRange } from '../../base/text-range.ts';
import type { Section } from '../scan/sections.ts';
import { lineEndAt } from '../text/line-ends.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { appendWithin, type PlaceOptions } from './add-text.ts';
import { contentEnd, contentStart, insertLines, trailingCommentStart } from './insert-text.ts';

/**
 * Edits that put a text at the end of a section: after its last line that is not blank, and before
 * the comment block that ends the note. The last edit is the text itself.
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
 * Edits that give a section another content. Its heading stays, also when the new text repeats it,
 * and so do the blank lines after the heading and before what follows, unless the text brings
 * its own. The last edit is the text itself.
 */
export function replaceSectionContent(text: string, section: Section, put: string): TextEdit[] {
  // Written back as it was read: line ends that are mixed stay mixed.
  if (put === text.slice(section.content.start, section.content.end)) {
    return [{ range: section.content, text: put }];
  }
  const range = editableRange(text, section);
  const end = contentEnd(text, range);
  const content = withoutHeading(text, section, put);
  if (content.trim() === '') return [{ range: { start: range.start, end }, text: '' }];
  const bringsBlank = /^[ \t]*\r?\n/.test(content);
  const start = bringsBlank ? range.start : contentStart(text, { start: range.start, end });
  const edits = insertLines(text, start, end < range.end ? content.trimEnd() : content);
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

/** A next heading that is only underlined would take the text above it into itself. */
function apartFromNext(text: string, { range }: Section, edits: TextEdit[]): TextEdit[] {
  const last = edits.at(-1);
  if (last === undefined || last.range.end !== range.end || range.end === text.length) return edits;
  if (/^[ \t]*#/.test(text.slice(range.end, range.end + 8))) return edits;
  const lineEnd = lineEndAt(text, range.end) ?? '\n';
  return [...edits.slice(0, -1), { ...last, text: last.text + lineEnd }];
}

/** Who reads a section and writes it back may give its heading too; it must not be there twice. */
function withoutHeading(text: string, { heading }: Section, put: string): string {
  const own = text.slice(heading.range.start, heading.range.end).trimEnd();
  if (!put.startsWith(own)) return put;
  const after = /^[ \t]*(?:\r?\n|$)/.exec(put.slice(own.length));
  return after === null ? put : put.slice(own.length + after[0].length);
}
