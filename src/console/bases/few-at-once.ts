/** Runs some work once its turn has come; fails with the signal's reason when that is aborted before. */
type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Runs at most so many pieces of work at once, in the order in which they came. */
export function fewAtOnce(max: number): InTurn {
  let running = 0;
  const waiting = new Set<() => void>();
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < max) running++;
    else {
      await new Promise<void>((begin, fail) => {
        waiting.add(begin);
        signal?.addEventListener('abort', () => {
          if (waiting.delete(begin)) fail(signal.reason);
        });
      });
    }
    try {
      return await work();
    } finally {
      // The next one takes this place, so that nobody who comes meanwhile can take it, too.
      const [next] = waiting;
      if (next === undefined) running--;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
