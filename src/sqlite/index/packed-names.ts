/**
 * Folded names, joined into one text: a hundred thousand need a few megabytes, and one search in the
 * text finds a word in all of them. `marksAt` and `beyondAt` are quick tests for spelling mistakes.
 */
export class PackedNames {
  readonly #text: string;
  /** Where each name begins in the text, and where one after the last would begin. */
  readonly #starts: Uint32Array;
  /** The letters of each name; see `marksOf`. */
  readonly #marks: Uint32Array;

  constructor(names: readonly string[]) {
    this.#text = names.join('\n');
    this.#starts = new Uint32Array(names.length + 1);
    this.#marks = new Uint32Array(names.length);
    let start = 0;
    names.forEach((name, at) => {
      this.#starts[at] = start;
      this.#marks[at] = marksOf(name);
      start += name.length + 1;
    });
    this.#starts[names.length] = start;
  }

  /** How many names there are. */
  get size(): number {
    return this.#marks.length;
  }

  /** The name at a position. */
  at(index: number): string {
    const start = this.#starts[index] ?? 0;
    return this.#text.slice(start, start + this.lengthAt(index));
  }

  lengthAt(index: number): number {
    return (this.#starts[index + 1] ?? 0) - (this.#starts[index] ?? 0) - 1;
  }

  /** The letters of a name; see `marksOf`. */
  marksAt(index: number): number {
    return this.#marks[index] ?? 0;
  }

  /**
   * How many characters of a name are not in a text, where each counts as often as it occurs. `counts`
   * are those of the text. May be too low, since characters share counts.
   */
  beyondAt(index: number, counts: CharacterCounts): number {
    left.set(counts);
    const start = this.#starts[index] ?? 0;
    const end = start + this.lengthAt(index);
    let beyond = 0;
    for (let at = start; at < end; at++) {
      const character = this.#text.charCodeAt(at) % countsSize;
      const count = left[character] ?? 0;
      if (count === 0) beyond++;
      else left[character] = count - 1;
    }
    return beyond;
  }

  /** Calls `found` once for every name that contains a text, in order. */
  eachContaining(text: string, found: (index: number) => void): void {
    let index = 0;
    for (let at = this.#text.indexOf(text); at !== -1; ) {
      index = this.#indexAt(at, index);
      const next = this.#starts[index + 1] ?? 0;
      // Otherwise the match would go beyond the line break after the name.
      if (at + text.length < next) found(index);
      at = next >= this.#text.length ? -1 : this.#text.indexOf(text, next);
    }
  }

  /** The name that a place in the text belongs to; it is at or after the name `from`. */
  #indexAt(place: number, from: number): number {
    let low = from;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const countsSize = 128;

/** How often a text contains each character; characters beyond ASCII share the counts of ASCII. */
type CharacterCounts = Uint8Array;

/** The working copy of `beyondAt`, created once for all names. */
const left = new Uint8Array(countsSize);

/** Counts the characters of a text, for `PackedNames.beyondAt`. */
export function characterCounts(text: string): CharacterCounts {
  const counts = new Uint8Array(countsSize);
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at) % countsSize;
    counts[character] = (counts[character] ?? 0) + 1;
  }
  return counts;
}

/** One bit for each letter from a to z that a text contains; all other characters share six bits. */
export function marksOf(text: string): number {
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    marks |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return marks >>> 0;
}

/** How many bits are set in `marks` but not in `other` (the usual way to count bits without a loop). */
export function marksLacking(marks: number, other: number): number {
  let bits = marks & ~other;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
