import type { TextRange } from '../../base/text-range.ts';
import { scanNote } from './scan-note.ts';

const fence = /( {0,3})(`{3,}|~{3,})[ \t]*base[ \t]*(?:\r?\n|$)/y;
const closing = /^ {0,3}(?:`{3,}|~{3,})\s*$/;

/**
 * Where the YAML of those code blocks of a note is that are bases, in their order. `code` is what
 * the scan of the note has found as code.
 */
export function baseBlocks(text: string, code?: readonly TextRange[]): readonly TextRange[] {
  if (!text.includes('base')) return [];
  return (code ?? scanNote(text).code).flatMap(({ start, end }) => {
    fence.lastIndex = start;
    const open = fence.exec(text)?.[0].length ?? 0;
    if (open === 0 || start + open > end) return [];
    const from = start + open;
    const lastLine = text.lastIndexOf('\n', end - 1) + 1;
    const isClosed = lastLine >= from && closing.test(text.slice(lastLine, end));
    return [{ start: from, end: isClosed ? lastLine : end }];
  });
}
