import type { Right } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { Clients } from '../../oauth/clients/clients.ts';
import type { Grants } from '../../oauth/grants/grants.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import type { BriefBooks } from '../../oauth/ports/brief-book.ts';
import type { OAuthCrypto } from '../../oauth/ports/oauth-crypto.ts';
import type { PageAnswers } from './page-answers.ts';

/** What the door for signing in works with. */
export interface OAuthParts {
  /** The public addresses of the server. */
  readonly issuers: readonly Issuer[];
  readonly clients: Clients;
  readonly grants: Grants;
  readonly owner: OwnerSignIn;
  readonly crypto: OAuthCrypto;
  /** The vaults that are served now. */
  readonly vaults: () => readonly { readonly name: string; readonly path: string }[];
  /** Where requests wait for the owner. */
  readonly brief: BriefBooks;
  /** What the server allows at all. */
  readonly rights: readonly Right[];
  /** The folders at the top of the vaults that are not hidden. */
  readonly topFolders: () => Promise<readonly string[]>;
  /** The folder that the owner has typed. Fails with a `VaultError` that says what is wrong. */
  readonly checkFolder: (text: string) => VaultFolder;
  /** Makes a key that opens the owner's console once; absent where there is no console. */
  readonly consoleKey?: () => Promise<string>;
  /** How many questions and proposals wait for the owner. */
  readonly waiting: () => Promise<number>;
  readonly logger: Logger;
  readonly nowMs: () => number;
  /** The program's version. */
  readonly version: string;
}

/** The same, with how pages are answered. */
export interface PageParts extends OAuthParts {
  readonly pages: PageAnswers;
}

/** The steps of signing in that the log tells apart. */
export type SignInStep =
  | 'discovery'
  | 'register'
  | 'authorize'
  | 'owner'
  | 'consent'
  | 'token'
  | 'refresh'
  | 'revoke';

/** The answer to one request, with what the log says of it. */
export interface Answered {
  readonly response: Response;
  readonly step: SignInStep;
  /** Such as `page: sign-in` or `400 invalid_grant`; never anything that the client has sent. */
  readonly answer: string;
  /** Why it was refused, in our own words, as the client or the owner reads it. */
  readonly why?: string;
  /** The client's name or host, cleaned. */
  readonly client?: string;
}
