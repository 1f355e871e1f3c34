import { limits } from '../../base/limits.ts';
import type { TokenPair } from '../ports/oauth-book.ts';

/**
 * What became of a refresh token that was shown. `first`: it was exchanged for the first time.
 * `parallel`: it was exchanged moments ago, by a client that refreshes several times at once. `lost`:
 * it was exchanged earlier, and the client never got the answer. In these cases `pairs` has the new
 * pair. `replayed`: it was stolen, or the client shows an old one again. `refused`: it is not known,
 * or holds no longer.
 */
type Refreshed =
  | { readonly how: 'first' | 'parallel' | 'lost'; readonly pairs: readonly TokenPair[] }
  | { readonly how: 'replayed' | 'refused' };

/** Decides what a refresh token is exchanged for. `made` is the pair to give out, if one is given. */
export function refreshPairs(
  pairs: readonly TokenPair[],
  given: { readonly refresh: string; readonly made: TokenPair; readonly nowMs: number },
): Refreshed {
  const { refresh, made, nowMs } = given;
  const shown = pairs.find((pair) => pair.refresh === refresh);
  if (shown === undefined) return { how: 'refused' };
  const how = howShown(shown, nowMs);
  if (how === 'replayed' || how === 'refused') return { how };
  const changed = withUse(pairs, shown, nowMs).map((pair) => {
    if (pair.refresh === refresh && how !== 'parallel') return { ...pair, spentMs: nowMs };
    // The pair in the lost answer was never used, so no other pair was exchanged for it.
    const wasLost = how === 'lost' && pair.from === refresh;
    return wasLost ? dropped(pair, nowMs) : pair;
  });
  return { how, pairs: withPair(changed, { ...made, from: refresh }, nowMs) };
}

function howShown(shown: TokenPair, nowMs: number): Refreshed['how'] {
  const { spentMs, droppedMs, isFollowed } = shown;
  if (spentMs === undefined) {
    return droppedMs === undefined && !isUnused(shown, nowMs) ? 'first' : 'refused';
  }
  // A time in the future was written before the clock was set back: then nobody knows how long ago
  // it was.
  if (Math.abs(nowMs - spentMs) <= limits.refreshGraceMs) return 'parallel';
  if (isFollowed) return 'replayed';
  return isUnused(shown, nowMs) ? 'refused' : 'lost';
}

/** Adds a new pair, and drops and forgets others as the limits of a grant ask. */
export function withPair(
  pairs: readonly TokenPair[],
  made: TokenPair,
  nowMs: number,
): readonly TokenPair[] {
  const live = pairs.filter((pair) => isLive(pair, nowMs));
  const tooMany = Math.max(live.length + 1 - limits.livePairsMax, 0);
  // The oldest go. But before any that still waits to be refreshed, perhaps by a slower program with
  // the same grant, those go that have been refreshed: their clients have newer ones.
  const isReplaced = ({ spentMs = nowMs }: TokenPair): boolean =>
    nowMs - spentMs > limits.refreshGraceMs;
  const oldestFirst = [...live.filter(isReplaced), ...live.filter((one) => !isReplaced(one))];
  const leaving = new Set(oldestFirst.slice(0, tooMany));
  const all = pairs.map((pair) => (leaving.has(pair) ? dropped(pair, nowMs) : pair));
  const ended = all.filter((pair) => !isLive(pair, nowMs));
  const remembered = new Set(
    ended.filter((pair) => nowMs < forgottenMs(pair)).slice(-limits.endedPairsMax),
  );
  return [...all.filter((pair) => isLive(pair, nowMs) || remembered.has(pair)), made];
}

/**
 * Marks a pair as used, for the first time, and those that it came from as followed. Costs one pass:
 * what a followed pair came from is marked already.
 */
export function withUse(
  pairs: readonly TokenPair[],
  used: TokenPair,
  nowMs: number,
): readonly TokenPair[] {
  if (used.usedMs !== undefined) return pairs;
  const byRefresh = new Map(pairs.map((pair) => [pair.refresh, pair]));
  const followed = new Set<TokenPair>();
  const parentOf = ({ from }: TokenPair) => (from === undefined ? undefined : byRefresh.get(from));
  for (
    let parent = parentOf(used);
    parent !== undefined && !parent.isFollowed && !followed.has(parent);
    parent = parentOf(parent)
  ) {
    followed.add(parent);
  }
  return pairs.map((pair) => {
    if (pair === used) return { ...pair, usedMs: nowMs };
    return followed.has(pair) ? { ...pair, isFollowed: true } : pair;
  });
}

function dropped(pair: TokenPair, nowMs: number): TokenPair {
  if (pair.droppedMs !== undefined) return pair;
  return { ...pair, accessEndsMs: Math.min(pair.accessEndsMs, nowMs), droppedMs: nowMs };
}

/** Whether the access token of a pair holds now. */
export function isAccessLive(pair: TokenPair, nowMs: number): boolean {
  const { madeMs, accessEndsMs, droppedMs } = pair;
  if (nowMs >= accessEndsMs || droppedMs !== undefined) return false;
  // When the clock was set back by more than the token's lifetime, the token must be refreshed:
  // otherwise it would hold until the clock is right again.
  return madeMs - nowMs < accessEndsMs - madeMs;
}

/** Whether a token of the pair can be used now, not counting repeated requests. */
function isLive(pair: TokenPair, nowMs: number): boolean {
  if (pair.droppedMs !== undefined) return false;
  return isAccessLive(pair, nowMs) || (pair.spentMs === undefined && !isUnused(pair, nowMs));
}

/** Whether the refresh token of a pair was kept for too long without being exchanged. */
function isUnused({ madeMs }: TokenPair, nowMs: number): boolean {
  return nowMs - madeMs >= limits.grantIdleMs;
}

/** When a pair that has ended need not be told from an unknown one any more. */
function forgottenMs(pair: TokenPair): number {
  const { madeMs, accessEndsMs, spentMs, droppedMs, isFollowed } = pair;
  const unusedMs = madeMs + limits.grantIdleMs;
  // The client may not have got the answer yet, and may ask again.
  if (spentMs !== undefined && !isFollowed) return unusedMs;
  const endedMs = droppedMs ?? Math.max(accessEndsMs, spentMs ?? unusedMs);
  return endedMs + limits.endedTokenMs;
}
