import type { TextRange } from '../../base/text-range.ts';

/** JSON with comments, as editors accept it. All three texts have the same offsets. */
export interface PlainJson {
  /** What a strict reader takes: comments and commas before a closing bracket are blanks. */
  readonly json: string;
  /** Comments are blanks, commas are all there. */
  readonly bare: string;
  readonly comments: readonly TextRange[];
}

const commentOrWord = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|[^\s"/,}\]]+|\S/g;

/** Blanks out what JSON does not have and editors allow, so that ranges in it hold for the text. */
export function plainJson(text: string): PlainJson {
  const comments: TextRange[] = [];
  const lastCommas: TextRange[] = [];
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

/** Behind the quote that ends a string. By hand: a pattern would recurse on long ones. */
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
