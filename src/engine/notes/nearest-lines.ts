import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import { foldText } from '../text/fold-text.ts';

/** How much of what is looked for a line must have to be shown. */
const shareMin = 0.5;
const charsMax = 400;

/**
 * The lines of a text that look most like one that was looked for and does not occur, counted from
 * 0 and in order: where most of its pairs of letters are found, whatever stands between. Of several
 * lines looked for, the first that the text lacks counts. Looks through the first
 * `limits.snippetCharsMax` characters from `from`.
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
    near.push({ line, score: shared / wanted.size + shared / (wanted.size + pairs.size) });
  });
  return near
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, options.max)
    .map(({ line }) => line)
    .sort((a, b) => a - b);
}

function lineLookedFor(text: string, find: string): string {
  const lines = find
    .slice(0, limits.snippetCharsMax)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => !text.includes(line)) ?? lines[0] ?? '';
}

/** The pairs of neighbouring letters of a line; case and spaces do not count. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = foldText(line.slice(0, charsMax)).replace(/\s+/g, '');
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2));
  return pairs;
}
