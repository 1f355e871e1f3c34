import type { TextRange } from '../../base/text-range.ts';

/** A text of JSON with comments, in strict forms. Offsets in all of them are those of the text. */
export interface PlainJson {
  /** Strict JSON: comments and trailing commas are replaced by blanks. */
  readonly json: string;
  /** Only comments are replaced by blanks. */
  readonly bare: string;
  readonly comments: readonly TextRange[];
}

/** A comment, a single character that matters, or a run of others. Strings are skipped below. */
const commentOrWord = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|[^\s"/,}\]]+|\S/g;

/** Replaces comments and trailing commas, which editors allow, by blanks of the same length. */
export function plainJson(text: string): PlainJson {
  const comments: TextRange[] = [];
  const lastCommas: TextRange[] = [];
  /** The last comma, as long as only comments follow it. */
  let comma: TextRange | undefined;
  const pattern = new RegExp(commentOrWord);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [piece] = match;
    const range = { start: match.index, end: pattern.lastIndex };
    if (piece.startsWith('//') || piece.startsWith('/*')) {
      comments.push(range);
      continue;
    }
    if (piece === '"') pattern.lastIndex = stringEnd(text, range.end);
    if (comma !== undefined && (piece === '}' || piece === ']')) lastCommas.push(comma);
    comma = piece === ',' ? range : undefined;
  }
  const bare = blanked(text, comments);
  return { json: blanked(bare, lastCommas), bare, comments };
}

/** The offset behind the quote that ends a string. A loop: a regular expression would recurse. */
function stringEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function blanked(text: string, ranges: readonly TextRange[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(done, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    done = end;
  }
  return pieces.join('') + text.slice(done);
}
