import type { Timers } from '../../src/engine/ports/ports.ts';

/** Timers that go off when a test says so, and never by themselves. */
export interface ManualTimers extends Timers {
  /** Lets so much time pass. */
  advance(ms: number): void;
}

/** Timers at zero. */
export function manualTimers(): ManualTimers {
  let nowMs = 0;
  const waiting = new Set<{ readonly atMs: number; readonly call: () => void }>();
  return {
    after(ms, call) {
      const timer = { atMs: nowMs + ms, call };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of Array.from(waiting)) {
        if (timer.atMs > nowMs || !waiting.delete(timer)) continue;
        timer.call();
      }
    },
  };
}
