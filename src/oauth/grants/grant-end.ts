import { limits } from '../../base/limits.ts';
import type { Grant } from '../ports/oauth-book.ts';

/** When and why a grant has ended; undefined while it lives. */
export function endOf(grant: Grant, nowMs: number): Grant['ended'] {
  if (grant.ended !== undefined) return grant.ended;
  const { endsMs, createdMs, pairs } = grant;
  if (endsMs !== undefined && nowMs >= endsMs) return { atMs: endsMs, why: 'expired' };
  const refreshedMs = pairs.reduce((latest, { madeMs }) => Math.max(latest, madeMs), createdMs);
  const idleMs = refreshedMs + limits.grantIdleMs;
  return nowMs >= idleMs ? { atMs: idleMs, why: 'idle' } : undefined;
}

/** The ended grants that are forgotten now: they ended long ago, or too many others did since. */
export function forgottenGrants(grants: readonly Grant[], nowMs: number): readonly Grant[] {
  const ended = grants.flatMap((grant) => {
    const end = endOf(grant, nowMs);
    return end === undefined ? [] : [{ grant, atMs: end.atMs }];
  });
  ended.sort((one, other) => other.atMs - one.atMs);
  return ended
    .filter(({ atMs }, place) => place >= limits.grantsMax || nowMs >= atMs + limits.endedTokenMs)
    .map(({ grant }) => grant);
}
