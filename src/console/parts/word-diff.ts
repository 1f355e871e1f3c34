import { type ChangeObject, diffWordsWithSpace } from 'diff';
import { consolePageLimits } from '../../base/console-page-limits.ts';

/** A piece of a line, and whether it differs from the other line. */
export interface WordPiece {
  readonly text: string;
  readonly differs: boolean;
}

/** A removed and an added line, in pieces. */
interface WordDiff {
  readonly removed: readonly WordPiece[];
  readonly added: readonly WordPiece[];
}

/**
 * Compares two lines word by word. Undefined where that would not help: a line is too long, or they
 * have too little in common. The cost grows with the square of the words that differ, so these are
 * bounded.
 */
export function wordDiff(removed: string, added: string): WordDiff | undefined {
  const longest = Math.max(removed.length, added.length);
  if (longest > consolePageLimits.wordDiffCharsMax) return undefined;
  const parts = diffWordsWithSpace(removed, added, {
    maxEditLength: consolePageLimits.wordDiffEditsMax,
  });
  if (parts === undefined) return undefined;
  const same = parts
    .filter((part) => !part.added && !part.removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  if (same * 5 < Math.min(removed.trim().length, added.trim().length)) return undefined;
  const side = (isOther: (part: ChangeObject<string>) => boolean): WordPiece[] =>
    parts
      .filter((part) => !isOther(part))
      .map(({ value, added: isAdded, removed: isRemoved }) => ({
        text: value,
        differs: isAdded || isRemoved,
      }));
  return { removed: side(({ added: is }) => is), added: side(({ removed: is }) => is) };
}
