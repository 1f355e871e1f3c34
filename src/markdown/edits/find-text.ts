import type { TextRange } from '../../base/text-range.ts';

/**
 * Every place from an offset on where a text occurs, none overlapping another. It is taken
 * literally, but for its line ends: LF and CRLF match each other. Both may be of any length, which
 * rules out a regular expression made of it.
 */
export function findText(text: string, find: string, from: number): TextRange[] {
  const found: TextRange[] = [];
  if (find === '') return found;
  const body = text.slice(from);
  const folded = body.replaceAll('\r\n', '\n');
  const sought = find.replaceAll('\r\n', '\n');
  const unfolded = unfolding(body);
  let at = folded.indexOf(sought);
  while (at !== -1) {
    const end = at + sought.length;
    found.push({ start: from + unfolded(at), end: from + unfolded(end) });
    at = folded.indexOf(sought, end);
  }
  return found;
}

/** Offsets in a text whose CRLF became LF, as offsets in the text; they must come in order. */
function unfolding(text: string): (offset: number) => number {
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
