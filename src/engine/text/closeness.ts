import { foldName } from '../../base/vault-path.ts';

const askedCharsMax = 100;
const wordsMax = 8;
const word = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * How similar a name is to the one that was asked for: smaller is more similar. The kind of
 * similarity (see `closeness`) decides, and the detail only between names of the same kind.
 */
export type Closeness = readonly [kind: number, detail: number];

/** A name that was asked for, prepared for being compared with many. */
export interface AskedName {
  /** Folded, and cut to `askedCharsMax`, which few names exceed. */
  readonly text: string;
  readonly words: readonly string[];
  /** The number of typing mistakes it may have. */
  readonly mistakesMax: number;
  /** Buffers for `mistakesIn`, made once for all comparisons. */
  readonly rows: readonly [Uint8Array, Uint8Array, Uint8Array];
}

/** Prepares a name, given without its extension. */
export function askedName(name: string): AskedName {
  const text = Array.from(foldName(name).trim()).slice(0, askedCharsMax).join('');
  const words = Array.from(new Set(text.match(word) ?? [])).slice(0, wordsMax);
  const mistakesMax = text.length < 3 ? 0 : Math.min(3, Math.ceil(text.length / 4));
  const row = (): Uint8Array => new Uint8Array(text.length + mistakesMax + 1);
  return { text, words, mistakesMax, rows: [row(), row(), row()] };
}

/**
 * Says how similar a folded name is; undefined when it is not similar. The most similar are names
 * that begin with the text or contain it, then names with all of its words, then names a few typing
 * mistakes away, then names that are at least a third of the text, and last names with at least
 * half of its words and of its letters: sharing one of two words ("Notes") is not enough.
 */
export function closeness(asked: AskedName, name: string): Closeness | undefined {
  const { text, words } = asked;
  if (text === '' || name === '') return undefined;
  if (name === text) return [0, 0];
  const longer = name.length - text.length;
  const at = name.indexOf(text);
  if (at === 0) return [1, longer];
  // 2 where the text begins a word of the name, 3 where it stands inside a word.
  if (at > 0) return [/[\p{L}\p{N}\p{M}]/u.test(name[at - 1] ?? '') ? 3 : 2, longer];
  const missing = words.filter((one) => !name.includes(one));
  if (words.length > 1 && missing.length === 0) return [4, longer];
  const mistakes = mistakesIn(asked, name);
  if (mistakes !== undefined) return [5, mistakes];
  if (name.length > 2 && name.length * 3 >= text.length && text.includes(name)) {
    return [6, -longer];
  }
  const isHalf = missing.length * 2 <= words.length && lettersIn(missing) * 2 <= lettersIn(words);
  return words.length > 1 && isHalf ? [7, missing.length] : undefined;
}

function lettersIn(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Counts how many characters of the asked name must be added, left out, replaced or swapped with
 * their neighbour to make it the other (the "optimal string alignment" distance); undefined when
 * there are more than `mistakesMax`. Costs the length of the name times `mistakesMax`.
 */
export function mistakesIn(
  { text: a, mistakesMax: max, rows }: Pick<AskedName, 'text' | 'mistakesMax' | 'rows'>,
  b: string,
): number | undefined {
  if (Math.abs(a.length - b.length) > max) return undefined;
  const beyond = max + 1;
  let [before, above, current] = rows;
  for (let column = 0; column <= b.length; column++) above[column] = Math.min(column, beyond);
  for (let row = 1; row <= a.length; row++) {
    // Only the columns near the diagonal can be within `max`; those beside them never are.
    const first = Math.max(1, row - max);
    const last = Math.min(b.length, row + max);
    current[first - 1] = first === 1 ? Math.min(row, beyond) : beyond;
    if (last < b.length) current[last + 1] = beyond;
    let least = current[first - 1] ?? beyond;
    for (let column = first; column <= last; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column - 1] ?? beyond) + (same ? 0 : 1),
        (above[column] ?? beyond) + 1,
        (current[column - 1] ?? beyond) + 1,
        beyond,
      );
      const swapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? beyond) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > max) return undefined;
    [before, above, current] = [above, current, before];
  }
  const mistakes = above[b.length] ?? beyond;
  return mistakes > max ? undefined : mistakes;
}
