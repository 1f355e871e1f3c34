import type { TextRange } from '../../base/text-range.ts';
import { scanNote } from '../scan/scan-note.ts';

/**
 * Where the content of a range ends: after its last line that is not blank and that line's end,
 * or at its start when there is none.
 */
export function contentEnd(text: string, { start, end }: TextRange): number {
  const content = text.slice(start, end).trimEnd();
  if (content === '') return start;
  const newline = text.indexOf('\n', start + content.length);
  return newline === -1 || newline >= end ? end : newline + 1;
}

/** Where the content of a range begins: at its first line that is not blank, or at its end. */
export function contentStart(text: string, { start, end }: TextRange): number {
  const all = text.slice(start, end);
  const blank = all.length - all.trimStart().length;
  return blank === all.length ? end : start + all.lastIndexOf('\n', blank - 1) + 1;
}

/**
 * Where the comment block (`%% … %%`) begins with which a note ends, at the start of its line;
 * undefined when there is none, or nothing closes it. Plugins keep their settings there.
 */
export function trailingCommentStart(text: string): number | undefined {
  const end = text.trimEnd().length;
  if (!text.endsWith('%%', end)) return undefined;
  const last = scanNote(text).blocks.at(-1);
  if (last?.type !== 'comment' || last.range.end !== end) return undefined;
  if (!/^%%(?:[\s\S]*[^%])?%%$/.test(text.slice(last.range.start, end))) return undefined;
  return last.range.start === 0 ? 0 : text.lastIndexOf('\n', last.range.start - 1) + 1;
}
