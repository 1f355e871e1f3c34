import type { Right, ServedToolset } from '../../base/caller.ts';
import type { VaultFolder } from '../../base/vault-path.ts';

/**
 * How a client is known: its document is built in (`known`) or was fetched from the address that is
 * its id (`document`), it has registered itself (`registered`), or the owner has entered it by hand
 * (`entered`).
 */
export type ClientKind = 'known' | 'document' | 'registered' | 'entered';

/** The client of a grant, as the owner saw it when allowing it. */
export interface GrantClient {
  readonly id: string;
  readonly name: string;
  readonly kind: ClientKind;
  /** Where the answer went, in words for the owner: a host, `the device where you let it in`, `cursor: links`. */
  readonly answersTo: string;
}

/** What the owner allows a client. */
export interface Allowed {
  readonly effects: readonly Right[];
  /** The folders that it sees; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  readonly tools: readonly ServedToolset[];
  /** Absent when it holds until it is revoked. */
  readonly endsMs?: number;
}

/**
 * An access token and a refresh token that were given out together, as the hex of their SHA-256. A
 * refresh token is spent when it was exchanged for the first time.
 */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
  /** The refresh token that was exchanged for this pair; absent for the pair of a code. */
  readonly from?: string;
  readonly madeMs: number;
  readonly accessEndsMs: number;
  /** What the access token may do, where the client asked for less than the grant allows. */
  readonly effects?: readonly Right[];
  readonly spentMs?: number;
  /** When the access token was first shown, or the refresh token exchanged. */
  readonly usedMs?: number;
  /** Set when a pair that this one was exchanged for was used: so the client got the answer. */
  readonly isFollowed?: true;
  /** When it was ended before its time: it had to make room, or its client never got it. */
  readonly droppedMs?: number;
}

/** Why a grant has ended; `replayed`: a code or a spent refresh token was shown again. */
export type GrantEnd = 'revoked' | 'client' | 'replayed' | 'expired' | 'idle';

/** What the owner has allowed one client, once. */
export interface Grant extends Allowed {
  /** `g` and 16 hex digits. */
  readonly id: string;
  readonly client: GrantClient;
  /** The paths of the vaults that the consent page named; the grant holds for exactly these. */
  readonly vaults: readonly string[];
  readonly resource: string;
  readonly createdMs: number;
  /** When the client last used it, to the hour; absent when it never has. */
  readonly usedMs?: number;
  /** An ended grant is kept for a while, so that its tokens are told from unknown ones. */
  readonly ended?: { readonly atMs: number; readonly why: GrantEnd };
  readonly pairs: readonly TokenPair[];
}

/** A client that the owner has entered by hand. */
export interface EnteredClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The hex of the SHA-256 of its secret; absent for a public client. */
  readonly secret?: string;
  readonly createdMs: number;
}

/**
 * What signing in leaves behind: grants with the hashes of their tokens, clients entered by hand, and
 * the key that signs the ids of clients that register themselves. Several processes may use one book.
 * Every method fails with a `VaultError` when the book cannot be read or written; then nobody comes in
 * by signing in.
 */
export interface OAuthBook {
  /** 32 random bytes, made when they are first asked for. They outlive every owner and grant. */
  key(): Promise<Uint8Array>;
  /** All grants, also those that have ended and are not forgotten yet. */
  grants(): Promise<readonly Grant[]>;
  /** The grant with this id. */
  grant(id: string): Promise<Grant | undefined>;
  /** The grant with a pair that has this hash, as access or as refresh token. */
  grantOf(sha256: string): Promise<Grant | undefined>;
  /**
   * Changes one grant in a transaction: nobody else changes it between the look and the write. `keep`
   * is what is kept then (`forget`: nothing); when it is absent, nothing is written. Resolves when it
   * is durable. `decide` may be called again, so it does nothing but decide.
   */
  change<T>(
    id: string,
    decide: (grant: Grant | undefined) => { readonly keep?: Grant | 'forget'; readonly answer: T },
  ): Promise<T>;
  clients(): Promise<readonly EnteredClient[]>;
  /** Changes the clients entered by hand, in the same way. */
  changeClients<T>(
    decide: (clients: readonly EnteredClient[]) => {
      readonly keep?: readonly EnteredClient[];
      readonly answer: T;
    },
  ): Promise<T>;
}
