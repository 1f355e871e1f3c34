import type { BlockId, Heading, NoteFacts } from './facts.ts';

/**
 * The form in which headings are compared: punctuation counts as spaces, several spaces as one, and
 * case does not matter. Which punctuation the app ignores is our guess; we keep apostrophes, `-` and
 * `_`.
 */
export function headingKey(text: string): string {
  return text
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Finds the heading that a subpath names, with or without its leading `#`: `#A` is the first
 * heading A, `#A#B` the first B somewhere below an A. Undefined when there is none, and for
 * subpaths that name a block (`#^id`) or a footnote (`#[^id]`).
 */
export function findHeading(facts: NoteFacts, subpath: string): Heading | undefined {
  return headingsAlong(facts, subpath).at(-1);
}

/**
 * Returns the headings that a subpath leads through, one for each of its names; none when one is
 * missing.
 */
export function headingsAlong(facts: NoteFacts, subpath: string): readonly Heading[] {
  if (/^#?(\^|\[\^)/.test(subpath)) return [];
  const keys = subpath
    .split('#')
    .map(headingKey)
    .filter((key) => key !== '');
  return findBelow(facts.headings, { from: 0, level: 0 }, keys) ?? [];
}

/**
 * Finds a heading for each of `keys`, each below the one before it; undefined when one is missing.
 * Searches from index `from` to the first heading that is not deeper than `level`. Tries the next
 * match when the rest is not found below one.
 */
function findBelow(
  headings: readonly Heading[],
  { from, level }: { from: number; level: number },
  [key, ...rest]: readonly string[],
): readonly Heading[] | undefined {
  if (key === undefined) return undefined;
  for (let index = from; index < headings.length; index++) {
    const heading = headings[index];
    if (heading === undefined || heading.level <= level) return undefined;
    if (headingKey(heading.text) !== key) continue;
    if (rest.length === 0) return [heading];
    const found = findBelow(headings, { from: index + 1, level: heading.level }, rest);
    if (found !== undefined) return [heading, ...found];
  }
  return undefined;
}

/** Finds a block by its id, with or without `#^`, without regard to case. */
export function findBlockId(facts: NoteFacts, id: string): BlockId | undefined {
  const wanted = id.replace(/^#?\^?/, '').toLowerCase();
  return facts.blockIds.find((block) => block.id.toLowerCase() === wanted);
}
