import type { ReadEntry, ReadLog } from '../../src/engine/ports/read-log.ts';

/** A log of what was read that a test can look into. */
export interface KeptReads extends ReadLog {
  /** What was added since the last call of this. */
  take(): readonly ReadEntry[];
}

/** An empty one. */
export function keptReads(): KeptReads {
  const kept: ReadEntry[] = [];
  return {
    add: (entry) => void kept.push(entry),
    entries: async () => ({ items: [...kept].reverse(), more: false, isEmpty: kept.length === 0 }),
    close: async () => undefined,
    take: () => kept.splice(0),
  };
}
