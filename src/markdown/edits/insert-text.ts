import type { TextRange } from '../../base/text-range.ts';
import { scanNote } from '../scan/scan-note.ts';
import { lineEndAt, startsLine, withLineEnds } from '../text/line-ends.ts';
import type { TextEdit } from '../text/text-edit.ts';

/**
 * Returns edits that put a text at a place on lines of its own: a line that does not end there is
 * ended first, and the text gets a line end if it has none. The last edit is the text itself.
 */
export function insertLines(text: string, offset: number, added: string): TextEdit[] {
  const lineEnd = lineEndAt(text, offset) ?? lineEndAt(added, 0) ?? '\n';
  const lines = withLineEnds(added, lineEnd);
  const edits = [insertAt(offset, /[\r\n]$/.test(lines) ? lines : lines + lineEnd)];
  if (!startsLine(text, offset)) edits.unshift(insertAt(offset, lineEnd));
  return edits;
}

/**
 * Returns the edit that puts a text exactly at a place; only its line ends are adapted to the note.
 */
export function insertInline(text: string, offset: number, added: string): TextEdit[] {
  const lineEnd = lineEndAt(text, offset);
  return [insertAt(offset, lineEnd === undefined ? added : withLineEnds(added, lineEnd))];
}

/** Where the text of the last edit is after all edits are made. */
export function placeOfLast(edits: readonly TextEdit[]): { start: number; end: number } {
  const last = edits.at(-1);
  if (last === undefined) return { start: 0, end: 0 };
  let start = last.range.start;
  for (const { range, text } of edits.slice(0, -1)) {
    if (range.start <= last.range.start) start += text.length - (range.end - range.start);
  }
  return { start, end: start + last.text.length };
}

function insertAt(offset: number, text: string): TextEdit {
  return { range: { start: offset, end: offset }, text };
}

/**
 * Where the content of a range ends: after its last non-blank line, or at its start when all lines
 * are blank.
 */
export function contentEnd(text: string, { start, end }: TextRange): number {
  const content = text.slice(start, end).trimEnd();
  if (content === '') return start;
  const newline = text.indexOf('\n', start + content.length);
  return newline === -1 || newline >= end ? end : newline + 1;
}

/**
 * Where the content of a range begins: at its first non-blank line, or at its end when all lines
 * are blank.
 */
export function contentStart(text: string, { start, end }: TextRange): number {
  const all = text.slice(start, end);
  const blank = all.length - all.trimStart().length;
  return blank === all.length ? end : start + all.lastIndexOf('\n', blank - 1) + 1;
}

/**
 * Where the comment block (`%% … %%`) at the end of a note begins, at the start of its line;
 * undefined when there is none or it is not closed. Plugins keep their settings there.
 */
export function trailingCommentStart(text: string): number | undefined {
  const end = text.trimEnd().length;
  if (!text.endsWith('%%', end)) return undefined;
  const last = scanNote(text).blocks.at(-1);
  if (last?.type !== 'comment' || last.range.end !== end) return undefined;
  if (!/^%%(?:[\s\S]*[^%])?%%$/.test(text.slice(last.range.start, end))) return undefined;
  return last.range.start === 0 ? 0 : text.lastIndexOf('\n', last.range.start - 1) + 1;
}
