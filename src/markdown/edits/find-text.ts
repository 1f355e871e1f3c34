import type { TextRange } from '../../base/text-range.ts';

/**
 * Finds every place from an offset on where a text occurs literally, without overlaps. LF and CRLF
 * match each other. Both texts may be of any length, so no regular expression is made of them.
 */
export function findText(text: string, find: string, from: number): TextRange[] {
  const found: TextRange[] = [];
  if (find === '') return found;
  const body = text.slice(from);
  const folded = body.replaceAll('\r\n', '\n');
  const sought = find.replaceAll('\r\n', '\n');
  const unfold = makeUnfold(body);
  let at = folded.indexOf(sought);
  while (at !== -1) {
    const end = at + sought.length;
    found.push({ start: from + unfold(at), end: from + unfold(end) });
    at = folded.indexOf(sought, end);
  }
  return found;
}

/**
 * Converts offsets in a text whose CRLF became LF into offsets in the original. The offsets must be
 * passed in ascending order.
 */
function makeUnfold(text: string): (offset: number) => number {
  /** How many CRLFs come before the offset converted last. */
  let before = 0;
  let next = text.indexOf('\r\n');
  return (offset) => {
    while (next !== -1 && next - before < offset) {
      before++;
      next = text.indexOf('\r\n', next + 2);
    }
    return offset + before;
  };
}
