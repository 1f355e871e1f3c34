import { limits } from '../../base/limits.ts';
import type { Client } from '../../oauth/clients/client.ts';
import type { AuthorizeRequest } from '../../oauth/grants/authorize-request.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { BriefBook, BriefBooks } from '../../oauth/ports/brief-book.ts';
import type { OAuthCrypto } from '../../oauth/ports/oauth-crypto.ts';
import { toBase64Url } from '../../oauth/text/base64url.ts';
import { sha256Hex } from '../../oauth/text/hex.ts';

/** What a client asks for, as it is kept. */
export type KeptRequest = Omit<AuthorizeRequest, 'client'> & {
  readonly client: Pick<Client, 'id' | 'name' | 'kind' | 'host'>;
};

/** A request of a client that waits until the owner has decided. */
export interface WaitingRequest {
  readonly issuer: Issuer;
  /** The query of the request, for a client that is looked up after the owner has signed in. */
  readonly query: string;
  /** Absent until the client has been looked up. */
  readonly request?: KeptRequest;
  /** What the client is called on the sign-in page. */
  readonly name: string;
  /** The vaults that were served when it came: the page names these, and they are what is allowed. */
  readonly vaults: readonly { readonly name: string; readonly path: string }[];
  /** Whose request it is: the id of the browser, and the key of the owner's session in it, if any. */
  readonly browser: string;
  readonly session?: string;
  /** Whether the owner has signed in with this browser before. */
  readonly isKnown: boolean;
}

/** By what a browser shows that a waiting request is its own. */
interface Holder {
  readonly session?: string | undefined;
  readonly browser?: string | undefined;
}

/**
 * The requests that wait for the owner. The form of the consent page needs nothing but an id: client,
 * address and challenge cannot be changed in the browser. Ids, also those of browsers, are kept as hashes.
 * When too many wait, the oldest goes of those that a stranger has begun, or else of those that nobody has
 * signed in for: strangers cannot push out a request that the owner is looking at, nor one of a browser
 * that the owner has used before.
 */
export class WaitingRequests {
  readonly #crypto: Pick<OAuthCrypto, 'random' | 'sha256'>;
  readonly #book: BriefBook<WaitingRequest>;

  constructor(parts: {
    readonly crypto: Pick<OAuthCrypto, 'random' | 'sha256'>;
    readonly brief: BriefBooks;
  }) {
    this.#crypto = parts.crypto;
    this.#book = parts.brief.open('request', limits.authorizeWaitingMax);
  }

  /** Keeps a request and answers its id. */
  async add(held: WaitingRequest): Promise<string> {
    const id = toBase64Url(this.#crypto.random(16));
    const entry = { ...held, browser: this.#hashOf(held.browser) };
    await this.#put(id, entry, limits.authorizeMs);
    return id;
  }

  /** The request with this id, if it still waits and belongs to this browser. */
  async find(id: string, { session, browser }: Holder): Promise<WaitingRequest | undefined> {
    const held = (await this.#book.get(this.#hashOf(id)))?.entry;
    if (held === undefined) return undefined;
    const isOfSession = held.session !== undefined && held.session === session;
    const isOfBrowser = browser !== undefined && held.browser === this.#hashOf(browser);
    return isOfSession || isOfBrowser ? held : undefined;
  }

  /** Puts more that is known now into a request that waits. */
  keep(id: string, known: Pick<WaitingRequest, 'session' | 'request'>): Promise<void> {
    return this.#book.change(this.#hashOf(id), (found) => {
      if (found === undefined) return { answer: undefined };
      const entry = { ...found.entry, ...known };
      return { keep: { entry, worth: worthOf(entry) }, answer: undefined };
    });
  }

  /** Takes a request out: whoever calls this decides about it. Undefined when another call was first. */
  async take(id: string): Promise<{ readonly putBack: () => Promise<void> } | undefined> {
    const kept = await this.#book.change(this.#hashOf(id), (found) =>
      found === undefined ? { answer: undefined } : { keep: 'forget', answer: found },
    );
    if (kept === undefined) return undefined;
    const leftMs = Math.max(0, limits.authorizeMs - kept.ageMs);
    return { putBack: () => this.#put(id, kept.entry, leftMs) };
  }

  #put(id: string, entry: WaitingRequest, forMs: number): Promise<void> {
    const keep = { entry, forMs, worth: worthOf(entry) };
    return this.#book.change(this.#hashOf(id), () => ({ keep, answer: undefined }));
  }

  #hashOf(text: string): string {
    return sha256Hex(this.#crypto, text);
  }
}

function worthOf({ session, isKnown }: WaitingRequest): number {
  if (session !== undefined) return 2;
  return isKnown ? 1 : 0;
}
