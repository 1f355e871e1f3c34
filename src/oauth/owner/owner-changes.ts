import type { Owner, OwnerPage } from '../ports/owner-book.ts';

/** The page without one session. */
export function withoutSession(page: OwnerPage, sha256: string | undefined): OwnerPage {
  return { ...page, sessions: page.sessions.filter((session) => session.sha256 !== sha256) };
}

/**
 * The page with a new passphrase. Sessions do not outlive that, and an owner who has one needs no
 * set-up code.
 */
export function withPassphrase(
  page: OwnerPage,
  passphrase: Owner['passphrase'],
  setMs: number,
): OwnerPage {
  const { setUp: _, owner, ...rest } = page;
  const passkeys = owner?.passkeys ?? [];
  return { ...rest, owner: { passphrase, setMs, passkeys }, sessions: [] };
}

/** The owner with the last use of a passkey; undefined when it is not there any more. */
export function withPasskeyUsed(owner: Owner, id: string, usedMs: number): Owner | undefined {
  if (!owner.passkeys.some((passkey) => passkey.id === id)) return undefined;
  const passkeys = owner.passkeys.map((passkey) =>
    passkey.id === id ? { ...passkey, usedMs } : passkey,
  );
  return { ...owner, passkeys };
}
