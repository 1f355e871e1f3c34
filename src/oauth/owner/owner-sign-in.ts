import type { OAuthCrypto, ScryptCost } from '../ports/oauth-crypto.ts';
import type { OwnerBook, Passkey } from '../ports/owner-book.ts';
import type { PasskeySite } from './passkey-site.ts';

/**
 * Why someone did not become the owner. `wrong`: passphrase or code; `slow`: too many wrong ones;
 * `weak`: the new passphrase is no good; `no-code`: there is no set-up code, or an owner already;
 * `busy`: too many passphrases wait to be checked; `stale`: the session is not fresh.
 */
export type SignInRefusal = {
  readonly refused: 'wrong' | 'slow' | 'weak' | 'no-code' | 'busy' | 'stale';
  /** A sentence for the person. */
  readonly message: string;
  /** With `slow` and `busy`. */
  readonly waitSeconds?: number;
};

/** The two cookies of a browser in which the owner has just signed in. */
export interface SignedIn {
  /** The session: 32 random bytes in base64url. */
  readonly cookie: string;
  /** By this signed cookie the browser is known the next time; it holds for `limits.deviceMs`. */
  readonly device: string;
}

export interface OwnerSignInParts {
  readonly book: OwnerBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** What a new hash costs; a third of a second and 32 MiB if absent. */
  readonly cost?: ScryptCost;
  /** The names of the server's hosts; none of them may be the passphrase. */
  readonly names: readonly string[];
}

export class OwnerSignIn {
  constructor(_parts: OwnerSignInParts) {}
  async hasOwner(): Promise<boolean> {
    throw new Error('later');
  }
  async makeSetUpCode(): Promise<string> {
    throw new Error('later');
  }
  async setUp(_given: {
    readonly code: string;
    readonly passphrase: string;
  }): Promise<SignedIn | SignInRefusal> {
    throw new Error('later');
  }
  /** `replaces` is the cookie of a session in the same browser, which ends then. */
  async signIn(_given: {
    readonly passphrase: string;
    readonly device?: string | undefined;
    readonly replaces?: string | undefined;
  }): Promise<SignedIn | SignInRefusal> {
    throw new Error('later');
  }
  async session(
    _cookie: string | undefined,
  ): Promise<{ readonly isFresh: boolean; readonly key: string } | undefined> {
    throw new Error('later');
  }
  formWord(_cookie: string, _about: string): string {
    throw new Error('later');
  }
  isFormWord(_cookie: string, _about: string, _word: string): boolean {
    throw new Error('later');
  }
  async signOut(_cookie: string): Promise<void> {
    throw new Error('later');
  }
  async setPassphrase(_passphrase: string): Promise<void> {
    throw new Error('later');
  }
  async changePassphrase(_given: {
    readonly cookie: string;
    readonly passphrase: string;
    readonly device?: string | undefined;
  }): Promise<SignedIn | SignInRefusal> {
    throw new Error('later');
  }
  async reset(): Promise<void> {
    throw new Error('later');
  }
  async passkeys(): Promise<readonly Passkey[]> {
    throw new Error('later');
  }
  async removePasskey(_id: string): Promise<boolean> {
    throw new Error('later');
  }
  /** Fails with `forbidden` when the session is not fresh. */
  async passkeyCreation(_cookie: string, _site: PasskeySite): Promise<object> {
    throw new Error('later');
  }
  async addPasskey(
    _cookie: string,
    _site: PasskeySite,
    _sent: { readonly name: string; readonly credential: unknown },
  ): Promise<Passkey | { readonly refused: string }> {
    throw new Error('later');
  }
  async passkeyRequest(_site: PasskeySite, _bound: string): Promise<object> {
    throw new Error('later');
  }
  async signInWithPasskey(
    _site: PasskeySite,
    _bound: string,
    _credential: unknown,
  ): Promise<SignedIn | { readonly refused: string }> {
    throw new Error('later');
  }
}
