import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { OwnerSignIn } from '../../src/oauth/owner/owner-sign-in.ts';
import type { OAuthCrypto } from '../../src/oauth/ports/oauth-crypto.ts';
import { type MemoryOwnerBook, memoryOwnerBook } from './memory-owner-book.ts';

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
