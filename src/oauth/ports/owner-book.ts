import type { PublicKey, ScryptCost } from './oauth-crypto.ts';

/** The owner of the server. Bytes are in base64url. */
export interface Owner {
  readonly passphrase: { readonly salt: string; readonly hash: string } & ScryptCost;
  readonly setMs: number;
  readonly passkeys: readonly Passkey[];
}

export interface Passkey {
  /** The id of the credential, in base64url. */
  readonly id: string;
  readonly name: string;
  /** The name of the host that it belongs to. */
  readonly host: string;
  readonly key: PublicKey;
  readonly createdMs: number;
  readonly usedMs?: number;
}

/** A browser in which the owner has signed in. */
export interface OwnerSession {
  /** The hex of the SHA-256 of the cookie. */
  readonly sha256: string;
  /** When the passphrase or a passkey was last shown. */
  readonly signedInMs: number;
  readonly createdMs: number;
  readonly usedMs: number;
}

/** The one-time code with which an owner is set up in a browser, as the hex of its SHA-256. */
export interface SetUpCode {
  readonly sha256: string;
  readonly endsMs: number;
  readonly triesLeft: number;
}

/** Everything that is kept about the owner. */
export interface OwnerPage {
  readonly owner?: Owner;
  readonly setUp?: SetUpCode;
  readonly sessions: readonly OwnerSession[];
  /** Signs the cookies by which a browser is known, in base64url. */
  readonly deviceKey: string;
}

/**
 * What is kept about the owner. Several processes may use one book: a shell may set the passphrase
 * while a server runs. Fails with a `VaultError` when it cannot be read or written.
 */
export interface OwnerBook {
  /**
   * What is kept now; at a node of a cluster, what was kept at most a second ago, unless the newest is
   * asked for. The first look makes the device key.
   */
  read(how?: { readonly newest: true }): Promise<OwnerPage>;
  /**
   * Changes it in a transaction. When `keep` is absent, nothing is written. Resolves when it is
   * durable. `decide` may be called again, so it does nothing but decide.
   */
  change<T>(
    decide: (page: OwnerPage) => { readonly keep?: OwnerPage; readonly answer: T },
  ): Promise<T>;
}
