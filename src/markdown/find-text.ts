import type { TextRange } from '../base/text-range.ts';

/**
 * Every place from an offset on where a text occurs, none overlapping another. It is taken
 * literally, but for its line ends: LF and CRLF match each other.
 */
export function findText(text: string, find: string, from: number): TextRange[] {
  const pattern = new RegExp(
    find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\r?\n/g, '\\r?\\n'),
    'g',
  );
  pattern.lastIndex = from;
  const found: TextRange[] = [];
  if (find === '') return found;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}
