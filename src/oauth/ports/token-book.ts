import type { Scopes, ServedToolset } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';

/** What is known about a token. The token itself is never stored. */
export interface KeptToken {
  /** 8 hex digits, for users and for the log. */
  readonly id: string;
  readonly name: string;
  readonly effects: Scopes['effects'];
  readonly folders: readonly VaultFolder[];
  /** The toolsets that the token is for; absent for those of the server. */
  readonly tools?: readonly ServedToolset[];
  /** The names of the vaults of a cluster that the token is for; absent when it is for all. */
  readonly vaults?: readonly string[];
  readonly createdMs: number;
  /** Absent when the token never expires. */
  readonly expiresMs?: number;
}

/** What the holder of a token may do, and with which tools. */
interface FoundToken extends Pick<KeptToken, 'id' | 'tools'> {
  /** The keys of the vaults of a cluster that the token is for; absent when it is for all. */
  readonly vaults?: readonly string[];
  readonly scopes: Pick<Scopes, 'effects' | 'folders'>;
}

/** A token as a book has it. */
export interface TokenEntry extends KeptToken {
  /** The token's hash in hex. A token is random enough that no slower hash is needed. */
  readonly sha256: string;
}

/** What is decided about a token before it is made. */
type WantedToken = Pick<
  KeptToken,
  'name' | 'effects' | 'folders' | 'tools' | 'vaults' | 'expiresMs'
>;

/**
 * The tokens that give access, kept outside the vault. A file is looked at anew
 * by every call; a cluster's tokens are at most a second old.
 */
export interface TokenBook {
  /**
   * Creates a token and returns it; it cannot be read again later. Fails with `already_exists` when
   * the name is taken, and with `too_large` when there are too many.
   */
  create(wanted: WantedToken): Promise<{ readonly token: string; readonly kept: KeptToken }>;
  /** The tokens that are valid for all served vaults, including expired ones. */
  list(): Promise<readonly KeptToken[]>;
  /** Removes the token with this id or name. Fails with `not_found` or `ambiguous`. */
  revoke(idOrName: string): Promise<KeptToken>;
  /**
   * The token with this SHA-256; `ended` for one that has expired, undefined for one that is unknown or
   * revoked. The time that it takes says nothing about tokens.
   */
  find(sha256: Uint8Array): Promise<FoundToken | 'ended' | undefined>;
  /** Whether the token with this id is valid now. */
  isValid(id: string): Promise<boolean>;
}

/** What is kept of a new token. */
export function newKeptToken(
  wanted: WantedToken,
  made: Pick<KeptToken, 'id' | 'createdMs'>,
): KeptToken {
  const { name, effects, folders, tools, vaults, expiresMs } = wanted;
  return {
    id: made.id,
    name,
    effects,
    folders,
    ...(tools === undefined ? {} : { tools }),
    ...(vaults === undefined ? {} : { vaults }),
    createdMs: made.createdMs,
    ...(expiresMs === undefined ? {} : { expiresMs }),
  };
}

/** Returns the entries. Fails when a token of this name cannot be added to them. */
export function withRoomFor(
  { name, max }: { readonly name: string; readonly max: number },
  entries: readonly TokenEntry[],
): readonly TokenEntry[] {
  if (entries.some((entry) => entry.name === name)) {
    throw new VaultError(
      'already_exists',
      `There is a token called "${name}" already; revoke it first, or choose another name.`,
    );
  }
  if (entries.length >= max) {
    throw new VaultError('too_large', `There may be at most ${max} tokens; revoke some.`);
  }
  return entries;
}

/** The token with this id or name. Fails with `not_found` or `ambiguous`. */
export function meantToken(entries: readonly TokenEntry[], idOrName: string): TokenEntry {
  const meant = entries.filter(({ id, name }) => id === idOrName || name === idOrName);
  const [first] = meant;
  if (first === undefined) {
    throw new VaultError(
      'not_found',
      'There is no token with this id or name; "vaultdoor token list" shows all tokens.',
    );
  }
  if (meant.some(({ id }) => id !== first.id)) {
    throw new VaultError(
      'ambiguous',
      'Several tokens have this name; revoke one by its id, which "vaultdoor token list" shows.',
    );
  }
  return first;
}

/** What the holder of a token may do; `ended` when the token has expired. */
export function shownToken(entry: TokenEntry, nowMs: number): FoundToken | 'ended' {
  if (hasEnded(entry, nowMs)) return 'ended';
  const { id, effects, folders, tools, vaults } = entry;
  return {
    id,
    scopes: { effects, folders },
    ...(tools === undefined ? {} : { tools }),
    ...(vaults === undefined ? {} : { vaults }),
  };
}

/** Whether a token has expired. */
export function hasEnded({ expiresMs }: KeptToken, nowMs: number): boolean {
  return expiresMs !== undefined && nowMs >= expiresMs;
}

/** A token without its hash. */
export function keptOf({ sha256: _, ...kept }: TokenEntry): KeptToken {
  return kept;
}
