import type { Right, ServedToolset } from '../../base/caller.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { Allowed, Grant, GrantClient, GrantEnd, OAuthBook } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import type { Issuer } from './issuer.ts';

/** The answer of `/token` that lets a client in. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** The answer of `/token` that does not. */
export interface TokenError {
  readonly error:
    | 'invalid_grant'
    | 'invalid_request'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unsupported_grant_type';
  readonly error_description: string;
}

/** Whom an access token lets in, and to what. */
interface FoundAccess {
  /** The id of the grant. */
  readonly id: string;
  readonly client: string;
  readonly effects: readonly Right[];
  readonly folders: readonly VaultFolder[];
  readonly tools: readonly ServedToolset[];
}

interface GrantsParts {
  readonly book: OAuthBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** The paths of the vaults that are served. */
  readonly vaults: readonly string[];
  readonly issuers: readonly Issuer[];
  /** How long an access token holds. */
  readonly accessMs: number;
  /** Told of what happens to a grant, for the log. */
  readonly onEvent?: (event: {
    readonly step: string;
    readonly grant: string;
    readonly client?: string;
  }) => void;
}

/** What the owner has allowed, and the tokens that show it. */
export class Grants {
  readonly #parts: GrantsParts;

  constructor(parts: GrantsParts) {
    this.#parts = parts;
  }

  issueCode(_given: {
    readonly client: GrantClient;
    readonly redirectUri: string;
    readonly challenge: string;
    readonly resource: string;
    readonly allowed: Allowed;
    readonly change?: string;
  }): Promise<string> {
    throw new Error(`not yet ${this.#parts.accessMs}`);
  }

  exchange(_sent: {
    readonly client: string;
    readonly code: string;
    readonly redirectUri?: string;
    readonly verifier?: string;
    readonly resource?: readonly string[];
  }): Promise<TokenAnswer | TokenError> {
    throw new Error('not yet');
  }

  refresh(_sent: {
    readonly client: string;
    readonly refreshToken: string;
    readonly scope?: string;
    readonly resource?: readonly string[];
  }): Promise<TokenAnswer | TokenError> {
    throw new Error('not yet');
  }

  revokeToken(_sent: { readonly client: string; readonly token: string }): Promise<void> {
    throw new Error('not yet');
  }

  findAccess(_sha256: Uint8Array): Promise<FoundAccess | 'ended' | undefined> {
    throw new Error('not yet');
  }

  isAlive(_id: string): Promise<boolean> {
    throw new Error('not yet');
  }

  list(): Promise<readonly Grant[]> {
    throw new Error('not yet');
  }

  liveOf(_clientId: string): Promise<readonly Grant[]> {
    throw new Error('not yet');
  }

  end(_id: string, _why: GrantEnd): Promise<Grant | undefined> {
    throw new Error('not yet');
  }
}
