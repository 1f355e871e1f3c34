import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { foldLetters } from '../../engine/text/fold-text.ts';

/** A piece of a text, and whether it is to be highlighted. */
interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The words of a query as `markWords` wants them: folded as the index folds, without repeats. */
export function foldedMarks(marks: readonly string[]): readonly string[] {
  const words = marks.flatMap((mark) => foldLetters(mark).match(word) ?? []);
  return Array.from(new Set(words)).slice(0, consoleNoteLimits.marksMax);
}

/**
 * Splits a text where words begin with one of the folded words. Scripts without spaces between words
 * are marked inside a run. A wrong mark is harmless, so that word forms are not followed further.
 */
export function markWords(text: string, words: readonly string[]): readonly MarkedPiece[] {
  if (words.length === 0) return [{ text, isMarked: false }];
  const pieces: MarkedPiece[] = [];
  let done = 0;
  const mark = (start: number, end: number) => {
    if (start > done) pieces.push({ text: text.slice(done, start), isMarked: false });
    pieces.push({ text: text.slice(start, end), isMarked: true });
    done = end;
  };
  for (const { 0: found, index } of text.matchAll(word)) {
    if (pieces.length >= consoleNoteLimits.piecesMax) break;
    const folded = foldLetters(found);
    if (words.some((wanted) => folded.startsWith(wanted))) {
      const wanted = words.find((some) => folded.startsWith(some)) ?? '';
      const isRun = unspaced.test(wanted) && folded.length === found.length;
      mark(index, index + (isRun ? wanted.length : found.length));
    } else if (unspaced.test(folded) && folded.length === found.length) {
      const wanted = words.find((some) => unspaced.test(some) && folded.includes(some));
      if (wanted === undefined) continue;
      const at = index + folded.indexOf(wanted);
      mark(at, at + wanted.length);
    }
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMarked: false });
  return pieces;
}
