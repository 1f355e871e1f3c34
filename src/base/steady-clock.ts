/**
 * A clock that never goes back: when the given one is set back, this one goes on from the latest time
 * that it has shown. Otherwise tokens would hold for longer than they were made for.
 */
export function steadyClock(nowMs: () => number): () => number {
  let latestMs = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return () => {
    const seenMs = nowMs();
    aheadMs = Math.max(aheadMs, latestMs - seenMs);
    latestMs = seenMs + aheadMs;
    return latestMs;
  };
}
