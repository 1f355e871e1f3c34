import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import {
  OwnerSignIn,
  type SignedIn,
  type SignInRefusal,
} from '../../src/oauth/owner/owner-sign-in.ts';
import type { PasskeySite } from '../../src/oauth/owner/passkey-site.ts';
import type { OAuthCrypto } from '../../src/oauth/ports/oauth-crypto.ts';
import { type MemoryOwnerBook, memoryOwnerBook } from './memory-owner-book.ts';
import { PasskeyDevice } from './passkey-device.ts';

/** A passphrase of the owner in tests. */
export const ownerPassphrase = 'four words of mine';

/** Hashes that cost nothing: for tests only. */
export const cheapCost = { n: 2, r: 1, p: 1 } as const;

/** An owner who signs in over a book in memory, and the clock of that. */
export interface TestOwner {
  readonly book: MemoryOwnerBook;
  readonly clock: { nowMs: number };
  readonly owner: OwnerSignIn;
  /** As after a restart: what is in memory only is gone. */
  readonly again: () => OwnerSignIn;
}

export function testOwner(parts: { readonly crypto?: Partial<OAuthCrypto> } = {}): TestOwner {
  const book = memoryOwnerBook();
  const clock = { nowMs: Date.UTC(2026, 10, 20) };
  const again = (): OwnerSignIn =>
    new OwnerSignIn({
      book,
      crypto: { ...nodeOAuthCrypto, ...parts.crypto },
      nowMs: () => clock.nowMs,
      cost: cheapCost,
      names: ['vault.example.com'],
    });
  return { book, clock, owner: again(), again };
}

/** An owner who has a passphrase. */
export async function ownerWithPassphrase(
  parts: Parameters<typeof testOwner>[0] = {},
): Promise<TestOwner> {
  const test = testOwner(parts);
  await test.owner.setPassphrase(ownerPassphrase);
  return test;
}

/** An owner who has signed in, with both cookies. */
export async function ownerSignedIn(): Promise<TestOwner & SignedIn> {
  const test = await ownerWithPassphrase();
  return { ...test, ...signedIn(await test.owner.signIn({ passphrase: ownerPassphrase })) };
}

/** The cookies of an answer that must not be a refusal. */
export function signedIn(answer: SignedIn | SignInRefusal): SignedIn {
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`);
  return answer;
}

/** Why an answer is a refusal; undefined when it is none. */
export function refusedOf(answer: SignedIn | SignInRefusal): string | undefined {
  return 'refused' in answer ? answer.refused : undefined;
}

/** A public address of the server in tests. */
export const passkeySite: PasskeySite = {
  host: 'vault.example.com',
  origin: 'https://vault.example.com',
};

/** An address of somebody else. */
export const otherSite: PasskeySite = { host: 'evil.example', origin: 'https://evil.example' };

/** What an authenticator says of itself in one byte. */
export const passkeyFlags = {
  none: 0x00,
  present: 0x01,
  verified: 0x04,
  made: 0x40,
  extensions: 0x80,
};

/** Parts of the sentences with which a passkey is refused. */
export const passkeyRefusals = {
  website: 'another website',
  again: 'took too long, or was sent twice',
  who: 'has not checked who you are',
  unreadable: 'could not be read',
} as const;

/** An owner who has signed in and added a passkey. */
export async function ownerWithPasskey(
  key: PasskeyDevice = new PasskeyDevice(passkeySite.origin),
): Promise<TestOwner & SignedIn & { readonly key: PasskeyDevice }> {
  const test = await ownerSignedIn();
  const credential = key.create(await test.owner.passkeyCreation(test.cookie, passkeySite));
  const sent = { name: 'Phone', credential };
  const added = await test.owner.addPasskey(test.cookie, passkeySite, sent);
  if ('refused' in added) throw new Error(added.refused);
  return { ...test, key };
}
