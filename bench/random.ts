/** A seeded source of numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in this share of all calls. */
  chance(share: number): boolean;
  /** Any item, all equally likely. */
  pick<T>(items: readonly T[]): T;
  /** An item by Zipf's law: the first is likely, the n-th n times less. */
  zipf<T>(items: readonly T[], among?: number): T;
}

/** Makes a source of numbers (mulberry32: fast, and good enough to make up notes). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const at = <T>(items: readonly T[], index: number): T => {
    const item = items[index];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
  // Notes draw hundreds of words from the same vocabulary: its logarithm is worth keeping.
  let lastAmong = 0;
  let lastLog = 0;
  const rank = (among: number): number => {
    if (among !== lastAmong) {
      lastAmong = among;
      lastLog = Math.log(among + 1);
    }
    return Math.min(among, Math.floor(Math.exp(next() * lastLog)));
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: (items) => at(items, Math.floor(next() * items.length)),
    // A rank drawn evenly on a logarithmic scale follows Zipf's law, without a table of weights.
    zipf: (items, among = items.length) => at(items, rank(among) - 1),
  };
}
