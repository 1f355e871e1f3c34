import { bodyStart } from '../properties/body-start.ts';
import { lineEndAt, startsLine } from '../text/line-ends.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { PlaceOptions } from './append-text.ts';
import { insertInline, insertLines } from './insert-text.ts';

/**
 * Edits that put a text at the start of a note's body, after the properties. The last edit is the
 * text itself.
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

/** A first line that would make a heading of the line before it. */
const underline = /^ {0,3}(?:-+|=+)[ \t]*(?:\r?\n|$)/;
