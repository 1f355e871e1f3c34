import type { TextRange } from '../../base/text-range.ts';
import { bodyStart } from '../properties/frontmatter-block.ts';
import { lineEndAt, startsLine } from '../text/line-ends.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { contentEnd, insertInline, insertLines, trailingCommentStart } from './insert-text.ts';

/** How a text is added. */
export interface PlaceOptions {
  /** Adds no line end before or after the text. */
  readonly inline?: boolean;
}

/**
 * Returns edits that put a text at the end of a note, or before the comment block that ends it. A
 * missing last line end is added first. The last edit is the text itself.
 */
export function appendText(text: string, added: string, options: PlaceOptions = {}): TextEdit[] {
  const start = bodyStart(text);
  const comment = trailingCommentStart(text);
  if (comment !== undefined && comment >= start) {
    return appendWithin(text, { start, end: comment }, added, options);
  }
  // Properties that end with the text must keep their last line, inline or not.
  const inline = options.inline && (text.length > start || startsLine(text, start));
  return inline ? insertInline(text, text.length, added) : insertLines(text, text.length, added);
}

/**
 * Returns edits that put a text after the last non-blank line of a range; with `inline`, at the end
 * of that line. The range must begin at a line or end with the text.
 */
export function appendWithin(
  text: string,
  range: TextRange,
  added: string,
  { inline }: PlaceOptions,
): TextEdit[] {
  const end = contentEnd(text, range);
  if (!inline || end === range.start) return insertLines(text, end, added);
  const line = text.slice(range.start, end).replace(/\r?\n$/, '');
  return insertInline(text, range.start + line.length, added);
}

/**
 * Returns edits that put a text at the start of a note's body, after the properties. The last edit
 * is the text itself.
 */
export function prependText(text: string, added: string, options: PlaceOptions = {}): TextEdit[] {
  const start = bodyStart(text);
  // Properties that end with the text must keep their last line, inline or not.
  if (options.inline && startsLine(text, start)) return insertInline(text, start, added);
  const edits = insertLines(text, start, added);
  const last = edits.at(-1);
  if (last === undefined || !underline.test(text.slice(start))) return edits;
  return [...edits.slice(0, -1), { ...last, text: last.text + (lineEndAt(text, start) ?? '\n') }];
}

/** A first line that would turn the line before it into a heading. */
const underline = /^ {0,3}(?:-+|=+)[ \t]*(?:\r?\n|$)/;
