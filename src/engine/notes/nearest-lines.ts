import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import { foldText } from '../text/fold-text.ts';

/** The share of the letter pairs of the wanted line that a line must contain to be returned. */
const shareMin = 0.5;
/** Of a longer line, only this many characters are compared. */
const charsMax = 400;

/**
 * Finds the lines of `text` that are most similar to `find`, which does not occur in it, and returns
 * their numbers, from 0 and in order. Compares pairs of neighbouring letters. When `find` has several
 * lines, the first of them that does not occur is compared. Looks at `limits.snippetCharsMax` characters after
 * `from`.
 */
export function nearestLines(
  text: string,
  find: string,
  options: { readonly from: number; readonly max: number },
): number[] {
  const looked = text.slice(0, options.from + limits.snippetCharsMax);
  const wanted = pairsOf(lineLookedFor(looked, find));
  if (wanted.size === 0) return [];
  const near: { line: number; score: number }[] = [];
  const first = new LineIndex(looked).lineAt(options.from);
  looked.split(/\r\n|\n|\r/).forEach((content, line) => {
    if (line < first) return;
    const pairs = pairsOf(content);
    let shared = 0;
    for (const pair of wanted) if (pairs.has(pair)) shared++;
    if (shared < wanted.size * shareMin) return;
    // Of lines that share equally much, the one with the least other text is nearest.
    near.push({ line, score: shared / wanted.size + shared / (wanted.size + pairs.size) });
  });
  return near
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, options.max)
    .map(({ line }) => line)
    .sort((a, b) => a - b);
}

/** The line of `find` to compare: the first that the text does not have, or else the first. */
function lineLookedFor(text: string, find: string): string {
  const lines = find
    .slice(0, limits.snippetCharsMax)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => !text.includes(line)) ?? lines[0] ?? '';
}

/** The pairs of neighbouring letters in a line, without regard to case and spaces. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = foldText(line.slice(0, charsMax)).replace(/\s+/g, '');
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2));
  return pairs;
}
