import type { Timers } from '../../engine/ports/ports.ts';

/** How often is looked whether something is in use. */
const lookMs = 1_000;

/** Resolves when something was not in use for `idleMs`, or the process is told to end. */
export function untilIdle(given: {
  /** Since when it is not in use; undefined while it is. */
  readonly idleSinceMs: () => number | undefined;
  readonly idleMs: number;
  readonly nowMs: () => number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { idleSinceMs, idleMs, nowMs, timers, signal } = given;
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const look = (): void => {
      const sinceMs = idleSinceMs();
      const isIdle = sinceMs !== undefined && nowMs() - sinceMs >= idleMs;
      if (isIdle || signal.aborted) end();
      else cancel = timers.after(lookMs, look);
    };
    signal.addEventListener('abort', end, { once: true });
    look();
  });
}
