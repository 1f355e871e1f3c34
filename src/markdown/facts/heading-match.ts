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
  const index = new HeadingPaths(facts.headings).along(subpath).at(-1);
  return index === undefined ? undefined : facts.headings[index];
}

/**
 * The headings of a note by the subpaths that lead to them. All questions together cost about as much
 * as there are headings and names in the subpaths.
 */
export class HeadingPaths {
  /** For each heading, the one that it is directly below; -1 at the top. */
  readonly #parents: readonly number[];
  /** For each heading, the number of its key: headings with equal keys have the same. */
  readonly #keys: readonly number[];
  readonly #numbers = new Map<string, number>();
  /** For each count of names: the first heading for the numbers of so many names, joined by `/`. */
  readonly #firsts = new Map<number, ReadonlyMap<string, number>>();

  constructor(headings: readonly Heading[]) {
    this.#keys = headings.map(({ text }) => {
      const key = headingKey(text);
      const number = this.#numbers.get(key) ?? this.#numbers.size;
      this.#numbers.set(key, number);
      return number;
    });
    const open: number[] = [];
    this.#parents = headings.map(({ level }, index) => {
      while (open.length > 0 && (headings[open.at(-1) ?? 0]?.level ?? 0) >= level) open.pop();
      open.push(index);
      return open.at(-2) ?? -1;
    });
  }

  /**
   * The indexes of the headings that a subpath leads through, one for each of its names; none when
   * one is missing.
   */
  along(subpath: string): readonly number[] {
    if (/^#?(\^|\[\^)/.test(subpath)) return [];
    const names = subpath
      .split('#')
      .map(headingKey)
      .filter((key) => key !== '')
      .map((key) => this.#numbers.get(key) ?? -1);
    const target = this.#first(names.length).get(names.join('/'));
    if (target === undefined) return [];
    // Each name stands for the outermost heading above the target that it can stand for.
    const found: number[] = [];
    for (const index of this.above(target)) {
      if (this.#keys[index] === names[found.length] && found.length < names.length - 1) {
        found.push(index);
      }
    }
    return [...found, target];
  }

  /** The headings that a heading is below, from the top down, and itself. */
  above(index: number): readonly number[] {
    const above: number[] = [];
    for (let at = index; at >= 0; at = this.#parents[at] ?? -1) above.unshift(at);
    return above;
  }

  /** The first heading for each sequence of so many names. A heading has at most five above it. */
  #first(count: number): ReadonlyMap<string, number> {
    const known = this.#firsts.get(count);
    if (known !== undefined) return known;
    const first = new Map<string, number>();
    const isPossible = count > 0 && count <= levelsMax;
    for (let index = 0; isPossible && index < this.#keys.length; index++) {
      const above = this.above(index).slice(0, -1);
      for (const some of choices(above, count - 1)) {
        const path = [...some, index].map((at) => this.#keys[at]).join('/');
        if (!first.has(path)) first.set(path, index);
      }
    }
    this.#firsts.set(count, first);
    return first;
  }
}

const levelsMax = 6;

/** Every way to choose so many of a few items, in their order. */
function choices<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  const [item, ...others] = items;
  if (item === undefined || items.length < count) return [];
  return [...choices(others, count - 1).map((some) => [item, ...some]), ...choices(others, count)];
}

/** Finds a block by its id, with or without `#^`, without regard to case. */
export function findBlockId(facts: NoteFacts, id: string): BlockId | undefined {
  const wanted = id.replace(/^#?\^?/, '').toLowerCase();
  return facts.blockIds.find((block) => block.id.toLowerCase() === wanted);
}
