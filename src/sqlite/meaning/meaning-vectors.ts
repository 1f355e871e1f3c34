import type { VaultPath } from '../../base/vault-path.ts';
import type { Neighbours } from '../../engine/ports/meaning.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';

/** The vectors of a note, as they are stored: one byte for each number. */
export interface StoredVectors {
  /** The line of each passage. */
  readonly lines: Int32Array;
  /** What the numbers of each passage are multiplied with. */
  readonly scales: Float32Array;
  /** The numbers of all passages, one after the other. */
  readonly numbers: Int8Array;
}

/** How many passages a block of memory has; a vault needs at most one block more than it fills. */
const blockPassages = 1_024;

interface Block {
  readonly numbers: Int8Array;
  readonly scales: Float32Array;
  readonly lines: Int32Array;
  /** Which note each passage belongs to; -1 for a place that is free. */
  readonly notes: Int32Array;
}

/** Makes vectors of length 1 and stores each number in a byte. */
export function packVectors(
  vectors: readonly Float32Array[],
  lines: readonly number[],
): StoredVectors {
  const length = vectors[0]?.length ?? 0;
  const scales = new Float32Array(vectors.length);
  const numbers = new Int8Array(vectors.length * length);
  vectors.forEach((vector, at) => {
    const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
    const size = Math.sqrt(vector.reduce((sum, value) => sum + (value / largest) ** 2, 0)) || 1;
    scales[at] = 1 / (127 * size);
    vector.forEach((value, i) => {
      numbers[at * length + i] = Math.round((127 * value) / largest);
    });
  });
  return { lines: Int32Array.from(lines), scales, numbers };
}

/** All vectors of a vault in memory, and a search that looks at each: nothing has to be kept sorted. */
export class MeaningVectors {
  readonly length: number;
  readonly #blocks: Block[] = [];
  /** Places that are free again, each as the number of a passage. */
  readonly #free: number[] = [];
  #used = 0;
  /** By the number of a note; absent when it is gone. */
  readonly #paths: (VaultPath | undefined)[] = [];
  readonly #places = new Map<
    VaultPath,
    { readonly note: number; readonly places: readonly number[] }
  >();
  /** The last view, and which notes it admits. */
  #admitted: { readonly view: string; readonly mask: Uint8Array } | undefined;

  constructor(length: number) {
    this.length = length;
  }

  has(path: VaultPath): boolean {
    return this.#places.has(path);
  }

  paths(): Iterable<VaultPath> {
    return this.#places.keys();
  }

  put(path: VaultPath, { lines, scales, numbers }: StoredVectors): void {
    const note = this.#places.get(path)?.note ?? this.#paths.length;
    this.forget(path);
    this.#paths[note] = path;
    const places = Array.from(lines, (line, at) => {
      const place = this.#free.pop() ?? this.#used++;
      const block = this.#blockOf(place);
      const within = place % blockPassages;
      const from = at * this.length;
      block.numbers.set(numbers.subarray(from, from + this.length), within * this.length);
      block.scales[within] = scales[at] ?? 0;
      block.lines[within] = line;
      block.notes[within] = note;
      return place;
    });
    this.#places.set(path, { note, places });
  }

  forget(path: VaultPath): void {
    const known = this.#places.get(path);
    if (known === undefined) return;
    for (const place of known.places) {
      this.#blockOf(place).notes[place % blockPassages] = -1;
      this.#free.push(place);
    }
    this.#places.delete(path);
    this.#paths[known.note] = undefined;
    this.#admitted = undefined;
  }

  /** The notes nearest to a vector of this length, of those that the view admits. */
  nearest(view: View, vector: Float32Array, limit: number): Neighbours {
    const size = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    const query = vector.map((value) => value / size);
    const mask = this.#maskOf(view);
    const best = new Float32Array(this.#paths.length).fill(-2);
    const lines = new Int32Array(this.#paths.length);
    for (const block of this.#blocks) {
      for (let at = 0; at < blockPassages; at++) {
        const note = block.notes[at] as number;
        if (note < 0 || mask[note] === 0) continue;
        const near = dot(block.numbers, at * this.length, query) * (block.scales[at] as number);
        if (near <= (best[note] as number)) continue;
        best[note] = near;
        lines[note] = block.lines[at] as number;
      }
    }
    return this.#best(best, lines, limit);
  }

  /** The middle of a note's passages; undefined when it has none. */
  middleOf(path: VaultPath): Float32Array | undefined {
    const { places } = this.#places.get(path) ?? {};
    if (places === undefined || places.length === 0) return undefined;
    const middle = new Float32Array(this.length);
    for (const place of places) {
      const { numbers, scales } = this.#blockOf(place);
      const within = place % blockPassages;
      for (let i = 0; i < this.length; i++) {
        middle[i] =
          (middle[i] as number) +
          (numbers[within * this.length + i] as number) * (scales[within] as number);
      }
    }
    return middle;
  }

  #best(best: Float32Array, lines: Int32Array, limit: number): Neighbours {
    let sum = 0;
    let squares = 0;
    const found: number[] = [];
    for (let note = 0; note < best.length; note++) {
      const near = best[note] as number;
      if (near < -1.5) continue;
      found.push(note);
      sum += near;
      squares += near * near;
    }
    const mean = found.length === 0 ? 0 : sum / found.length;
    const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, found.length) - mean * mean));
    // Most notes are not near: only those that can be among the first are sorted by path and rank.
    const last = best.slice().sort().at(-limit) ?? -2;
    const notes = found
      .filter((note) => (best[note] as number) >= last)
      .sort((one, other) => (best[other] as number) - (best[one] as number) || one - other)
      .slice(0, limit)
      .map((note) => ({
        path: this.#paths[note] as VaultPath,
        line: lines[note] as number,
        near: best[note] as number,
      }));
    return { notes, among: found.length, mean, deviation };
  }

  /** Which notes a view admits, by their numbers. */
  #maskOf(view: View): Uint8Array {
    const key = JSON.stringify(view);
    const known = this.#admitted;
    if (known?.view === key && known.mask.length === this.#paths.length) return known.mask;
    const sees = makeSees(view);
    const mask = Uint8Array.from(this.#paths, (path) => (path !== undefined && sees(path) ? 1 : 0));
    this.#admitted = { view: key, mask };
    return mask;
  }

  #blockOf(place: number): Block {
    const at = Math.floor(place / blockPassages);
    let block = this.#blocks[at];
    if (block === undefined) {
      block = {
        numbers: new Int8Array(blockPassages * this.length),
        scales: new Float32Array(blockPassages),
        lines: new Int32Array(blockPassages),
        notes: new Int32Array(blockPassages).fill(-1),
      };
      this.#blocks[at] = block;
    }
    return block;
  }
}

/** The sum of the products, in four sums that do not wait for each other. */
function dot(numbers: Int8Array, from: number, query: Float32Array): number {
  const { length } = query;
  const whole = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < whole; i += 4) {
    a += (numbers[from + i] as number) * (query[i] as number);
    b += (numbers[from + i + 1] as number) * (query[i + 1] as number);
    c += (numbers[from + i + 2] as number) * (query[i + 2] as number);
    d += (numbers[from + i + 3] as number) * (query[i + 3] as number);
  }
  for (let i = whole; i < length; i++) a += (numbers[from + i] as number) * (query[i] as number);
  return a + b + c + d;
}
