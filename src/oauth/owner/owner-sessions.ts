import { limits } from '../../base/limits.ts';
import type { OwnerPage, OwnerSession } from '../ports/owner-book.ts';

/**
 * Whether a session goes on. One from the future does not: the clock was set back, and nobody knows
 * how old it is. But another node may have made it, whose clock is ahead a little.
 */
function isAlive(session: OwnerSession, nowMs: number): boolean {
  const { createdMs, usedMs } = session;
  return (
    createdMs <= nowMs + limits.clocksDifferMs &&
    usedMs <= nowMs + limits.clocksDifferMs &&
    nowMs - usedMs < limits.ownerIdleMs &&
    nowMs - createdMs < limits.ownerSessionMs
  );
}

/** The session with this hash; undefined when it has ended, or there is no owner. */
export function sessionIn(
  page: OwnerPage,
  sha256: string,
  nowMs: number,
): OwnerSession | undefined {
  return liveSessions(page, nowMs).find((session) => session.sha256 === sha256);
}

/** The sessions that go on. */
export function liveSessions(
  { owner, sessions }: OwnerPage,
  nowMs: number,
): readonly OwnerSession[] {
  return owner === undefined ? [] : sessions.filter((session) => isAlive(session, nowMs));
}

/** Whether the owner has shown passphrase or passkey in this session a short time ago. */
export function isFresh({ signedInMs }: OwnerSession, nowMs: number): boolean {
  return nowMs - signedInMs <= limits.ownerFreshMs;
}

/** Whether there is such a session, and it is fresh. */
export function isFreshIn(page: OwnerPage, key: string, nowMs: number): boolean {
  const session = sessionIn(page, key, nowMs);
  return session !== undefined && isFresh(session, nowMs);
}

/** The sessions with a new one. Those that have ended go, and the oldest when there are too many. */
export function withSession(
  sessions: readonly OwnerSession[],
  { sha256, nowMs }: { readonly sha256: string; readonly nowMs: number },
): readonly OwnerSession[] {
  const going = sessions.filter((session) => isAlive(session, nowMs));
  const added: OwnerSession = { sha256, signedInMs: nowMs, createdMs: nowMs, usedMs: nowMs };
  return [...going, added].slice(-limits.ownerSessionsMax);
}
