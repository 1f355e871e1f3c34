import { limits } from '../../base/limits.ts';
import type { ClientDocuments } from '../ports/client-documents.ts';
import type { EnteredClient, OAuthBook } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { sha256Hex } from '../text/hex.ts';
import { basicCredentials } from './basic-credentials.ts';
import { type Client, clientWith } from './client.ts';
import { documentHost } from './client-document.ts';
import { DocumentClients } from './document-clients.ts';
import { knownClient } from './known-clients.ts';
import { type RegistrationError, readRegistration } from './read-registration.ts';
import {
  type Registration,
  registeredId,
  registeredPrefix,
  registeredSecret,
  registrationOf,
} from './registered-client.ts';

/**
 * A client, or why there is none: nobody knows it, its document cannot be had now, or the document may
 * be fetched only for an owner who has signed in. `message` is for the owner, and names only hosts.
 */
type FoundClient =
  | { readonly client: Client }
  | {
      readonly refused: 'unknown' | 'unavailable' | 'sign-in-first';
      readonly message: string;
    };

/** How a client says who it is, at `/token` and `/revoke`. */
interface ShownClient {
  /** `client_id` and `client_secret` of the body. */
  readonly id?: string;
  readonly secret?: string;
  /** What stands after `Basic ` in the Authorization header. */
  readonly basic?: string;
}

/** The id of a client that has proved who it is, or how to refuse it. */
export type IdentifiedClient =
  | { readonly id: string }
  | { readonly refused: 'invalid_client' | 'invalid_request'; readonly usedBasic: boolean };

/** What came of a registration; `waitSeconds`: there were too many. */
type Registered =
  | { readonly registered: Readonly<Record<string, unknown>> }
  | RegistrationError
  | { readonly waitSeconds: number };

/** All clients: built in, known by a document, registered by themselves, entered by hand. */
export class Clients {
  readonly #book: Pick<OAuthBook, 'key' | 'clients'>;
  readonly #crypto: OAuthCrypto;
  readonly #documents: DocumentClients | undefined;
  readonly #nowMs: () => number;
  /** When the last registrations came, the oldest first. */
  #registeredMs: readonly number[] = [];

  /** Without `documents`, no document is ever fetched. */
  constructor(parts: {
    readonly book: Pick<OAuthBook, 'key' | 'clients'>;
    readonly crypto: OAuthCrypto;
    readonly documents?: ClientDocuments;
    readonly nowMs: () => number;
  }) {
    this.#book = parts.book;
    this.#crypto = parts.crypto;
    this.#nowMs = parts.nowMs;
    this.#documents = parts.documents && new DocumentClients(parts.documents, parts.nowMs);
  }

  /**
   * The client with this id, for `/authorize`. `mayFetch` says whether the owner has signed in: a
   * stranger must not make us fetch anything. Fails when the book cannot be read.
   */
  async find(id: string, options: { readonly mayFetch: boolean }): Promise<FoundClient> {
    const known = knownClient(id);
    if (known !== undefined) return { client: known };
    if (id.startsWith('https:')) return this.#findByDocument(id, options);
    if (id.startsWith(registeredPrefix)) {
      const { name, redirectUris } = (await this.#registration(id)) ?? {};
      if (name === undefined || redirectUris === undefined) return unknown;
      return { client: clientWith({ id, name, kind: 'registered' }, redirectUris) };
    }
    const entered = await this.#entered(id);
    if (entered === undefined) return unknown;
    const about = { id, name: entered.name, kind: 'entered' } as const;
    return { client: clientWith(about, entered.redirectUris) };
  }

  /**
   * Who a client is, for `/token` and `/revoke`. Never fetches: the code or refresh token that the
   * client shows names the client, so any https id of the right shape will do. Fails when the book
   * cannot be read.
   */
  async identify(shown: ShownClient): Promise<IdentifiedClient> {
    const { id = '', secret = '', basic } = shown;
    if (basic === undefined) {
      const isRight = await this.#proves(id, secret);
      return isRight ? { id } : { refused: 'invalid_client', usedBasic: false };
    }
    if (secret !== '') return { refused: 'invalid_request', usedBasic: true };
    for (const credentials of basicCredentials(basic)) {
      if (!(await this.#proves(credentials.id, credentials.secret))) continue;
      const isSame = id === '' || id === credentials.id;
      return isSame ? { id: credentials.id } : { refused: 'invalid_request', usedBasic: true };
    }
    return { refused: 'invalid_client', usedBasic: true };
  }

  /**
   * Registers a client as RFC 7591 says, from the parsed body of its request, and keeps nothing. Fails
   * when the book cannot be read.
   */
  async register(body: unknown): Promise<Registered> {
    const nowMs = this.#nowMs();
    const waitSeconds = this.#secondsToWait(nowMs);
    if (waitSeconds > 0) return { waitSeconds };
    const wanted = readRegistration(body);
    if ('error' in wanted) return wanted;
    const registration = { ...wanted, issuedSeconds: Math.floor(nowMs / 1_000) };
    const signing = { key: await this.#book.key(), crypto: this.#crypto };
    const id = registeredId(registration, signing);
    if (id === undefined) {
      return {
        error: 'invalid_client_metadata',
        description: 'The redirect addresses and the name are too long together',
      };
    }
    const secret = registration.method === 'none' ? undefined : registeredSecret(id, signing);
    return { registered: registrationAnswer(id, registration, secret) };
  }

  async #findByDocument(
    id: string,
    { mayFetch }: { readonly mayFetch: boolean },
  ): Promise<FoundClient> {
    const host = documentHost(id);
    if (host === undefined) return unknown;
    const documents = this.#documents;
    if (documents === undefined) {
      return {
        refused: 'unknown',
        message:
          `The app names itself by an address at ${host}, and this server looks up no ` +
          'addresses (VAULTDOOR_OAUTH_FETCH is off). "vaultdoor client create" enters it by hand.',
      };
    }
    const kept = documents.kept(id);
    if (kept !== undefined) return { client: kept };
    if (!mayFetch) {
      return {
        refused: 'sign-in-first',
        message: `The app names itself by an address at ${host}. Sign in to have it checked.`,
      };
    }
    const found = await documents.find(id);
    if ('client' in found) return found;
    const message = `What ${host} publishes about the app could not be checked. ${found.message}`;
    return found.isPassing
      ? { refused: 'unavailable', message: `${message} Try again in a minute.` }
      : { refused: 'unknown', message };
  }

  /** Whether a client with this id exists and has shown the right secret, if it has one. */
  async #proves(id: string, secret: string): Promise<boolean> {
    if (id.startsWith('https:')) return documentHost(id) !== undefined;
    if (id.startsWith(registeredPrefix)) {
      const registration = await this.#registration(id);
      if (registration === undefined) return false;
      if (registration.method === 'none') return true;
      const signing = { key: await this.#book.key(), crypto: this.#crypto };
      return this.#isSecret(secret, sha256Hex(this.#crypto, registeredSecret(id, signing)));
    }
    const entered = await this.#entered(id);
    if (entered === undefined) return false;
    return entered.secret === undefined || this.#isSecret(secret, entered.secret);
  }

  /** Compares hashes, in a time that says nothing about the secret or its length. */
  #isSecret(shown: string, hash: string): boolean {
    const bytes = new TextEncoder();
    return this.#crypto.isEqual(bytes.encode(sha256Hex(this.#crypto, shown)), bytes.encode(hash));
  }

  async #registration(id: string): Promise<Registration | undefined> {
    return registrationOf(id, { key: await this.#book.key(), crypto: this.#crypto });
  }

  async #entered(id: string): Promise<EnteredClient | undefined> {
    return (await this.#book.clients()).find((client) => client.id === id);
  }

  /** Counts a registration: 0, or after how many seconds another one is allowed. */
  #secondsToWait(nowMs: number): number {
    const recent = this.#registeredMs.filter(
      (ms) => ms <= nowMs && ms > nowMs - limits.registrationsMs,
    );
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= limits.registrationsMax) {
      return Math.ceil((oldest + limits.registrationsMs - nowMs) / 1_000);
    }
    this.#registeredMs = [...recent, nowMs];
    return 0;
  }
}

const unknown: FoundClient = {
  refused: 'unknown',
  message:
    'This server does not know the app that wants to sign in. Remove the connection in that ' +
    'app and add it again.',
};

/** The answer to a registration. Clients refuse members that are null or empty, so there are none. */
function registrationAnswer(
  id: string,
  { name, redirectUris, method, issuedSeconds }: Registration,
  secret: string | undefined,
): Readonly<Record<string, unknown>> {
  return {
    client_id: id,
    client_id_issued_at: issuedSeconds,
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name === '' ? {} : { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  };
}
