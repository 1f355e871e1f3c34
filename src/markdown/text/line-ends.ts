/** How a line ends. */
type LineEnd = '\n' | '\r\n';

/** How many lines decide; an odd number, so that there is a majority if there are enough lines. */
const linesLookedAt = 5;

/**
 * Returns the line end that new text at a place should have: that of most lines just before it, or
 * else just after it. Undefined in a text of one line.
 */
export function lineEndAt(text: string, offset: number): LineEnd | undefined {
  const ends: LineEnd[] = [];
  for (let at = offset; at > 0 && ends.length < linesLookedAt; ) {
    at = text.lastIndexOf('\n', at - 1);
    if (at === -1) break;
    ends.push(lineEndOf(text, at));
  }
  if (ends.length > 0) return mostOf(ends);
  for (let at = text.indexOf('\n', offset); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (ends.push(lineEndOf(text, at)) === linesLookedAt) break;
  }
  return mostOf(ends);
}

/** Gives all lines of a text the same line end. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return text.replace(/\r?\n/g, lineEnd);
}

/** Whether a line begins at this offset. A line begins after a byte order mark too. */
export function startsLine(text: string, offset: number): boolean {
  if (offset === 0) return true;
  const before = text.charAt(offset - 1);
  return before === '\n' || before === '\r' || (offset === 1 && before === '\ufeff');
}

function lineEndOf(text: string, newline: number): LineEnd {
  return text.charAt(newline - 1) === '\r' ? '\r\n' : '\n';
}

/**
 * The more frequent line end; where both are as frequent, the one nearest to the place, which is
 * first.
 */
function mostOf(ends: readonly LineEnd[]): LineEnd | undefined {
  const returns = ends.filter((end) => end === '\r\n').length;
  if (returns * 2 === ends.length) return ends[0];
  return returns * 2 > ends.length ? '\r\n' : '\n';
}
