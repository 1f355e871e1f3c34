import type { TextRange } from '../../base/text-range.ts';

/** JSON with comments, as editors accept it. All three texts have the same offsets. */
export interface PlainJson {
  /** What a strict reader takes: comments and commas before a closing bracket are blanks. */
  readonly json: string;
  /** Comments are blanks, commas are all there. */
  readonly bare: string;
  readonly comments: readonly TextRange[];
}

const stringOrComment = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
const stringOrLastComma = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|,(?=\s*[}\]])/g;

/** Blanks out what JSON does not have and editors allow, so that ranges in it hold for the text. */
export function plainJson(text: string): PlainJson {
  const comments: TextRange[] = [];
  const bare = text.replace(stringOrComment, (piece, start: number) => {
    if (piece.startsWith('"')) return piece;
    comments.push({ start, end: start + piece.length });
    return piece.replace(/[^\r\n]/g, ' ');
  });
  const json = bare.replace(stringOrLastComma, (piece) => (piece === ',' ? ' ' : piece));
  return { json, bare, comments };
}
