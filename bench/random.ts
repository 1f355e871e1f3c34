/** A source of random numbers. The same seed gives the same sequence on every machine. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in this share of all calls. */
  chance(share: number): boolean;
  /** One of the items, all equally likely. */
  pick<T>(items: readonly T[]): T;
  /** One of the items by Zipf's law: the n-th item is n times less likely than the first. */
  zipf<T>(items: readonly T[], among?: number): T;
}

/**
 * Makes a source of random numbers (mulberry32, which is fast and good enough to generate notes).
 */
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
    if (item === undefined) throw new Error('The list of items is empty.');
    return item;
  };
  // The logarithm is kept, because notes draw hundreds of words from the same vocabulary.
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
    // A rank that is drawn evenly on a logarithmic scale follows Zipf's law.
    zipf: (items, among = items.length) => at(items, rank(among) - 1),
  };
}
