import { foldLetters } from '../../engine/text/fold-text.ts';

/** A piece of a line, and whether the query asked for it. */
interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

const wordSign = /[\p{L}\p{N}\p{M}\p{Co}]/u;
/** Scripts without spaces between words, in which a word can begin and end anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Splits a line into pieces, of which those that a query asked for are marked: its words, longer
 * words that begin with them, and other forms as far as they look alike. Folds as the search does.
 */
export function markTerms(line: string, terms: readonly string[]): readonly MarkedPiece[] {
  const folded = foldWithPlaces(line);
  const wanted = terms.map((term) => foldLetters(term).replace(/\s+/g, ' ').trim());
  const words = wanted.flatMap((term) => term.split(' ')).filter((word) => word !== '');
  const isMarked = new Uint8Array(line.length);
  const mark = (start: number, end: number): void => {
    isMarked.fill(1, folded.places[start], folded.places[end]);
  };
  for (const { 0: word, index } of folded.text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    if (words.some((term) => isLike(word, term))) mark(index, index + word.length);
  }
  const others = wanted.filter((text) => text !== '' && (unspaced.test(text) || !isOneWord(text)));
  for (const term of others) {
    for (
      let at = folded.text.indexOf(term);
      at !== -1;
      at = folded.text.indexOf(term, at + term.length)
    ) {
      mark(at, at + term.length);
    }
  }
  return piecesOf(line, isMarked);
}

/** Whether a word begins with a term, or seems to be another form of it. */
function isLike(word: string, term: string): boolean {
  if (unspaced.test(word)) return false;
  if (word.startsWith(term)) return true;
  const shorter = Math.min(word.length, term.length);
  if (Math.abs(word.length - term.length) > 3) return false;
  let shared = 0;
  while (shared < shorter && word[shared] === term[shared]) shared++;
  return shared >= Math.max(4, shorter - 1);
}

function isOneWord(text: string): boolean {
  return Array.from(text).every((character) => wordSign.test(character));
}

/** A line folded character by character, and where each folded character begins in the line. */
function foldWithPlaces(line: string): { readonly text: string; readonly places: number[] } {
  let text = '';
  const places: number[] = [];
  let at = 0;
  for (const character of line) {
    const folded = /\s/.test(character) ? ' ' : foldLetters(character);
    for (let sign = 0; sign < folded.length; sign++) places.push(at);
    text += folded;
    at += character.length;
  }
  places.push(line.length);
  return { text, places };
}

function piecesOf(line: string, isMarked: Uint8Array): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let start = 0;
  for (let at = 1; at <= line.length; at++) {
    if (at < line.length && isMarked[at] === isMarked[start]) continue;
    pieces.push({ text: line.slice(start, at), isMarked: isMarked[start] === 1 });
    start = at;
  }
  return pieces;
}
