import { limits } from '../../base/limits.ts';
import type { AuthorizeRequest } from '../../oauth/grants/authorize-request.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { OAuthCrypto } from '../../oauth/ports/oauth-crypto.ts';
import { toBase64Url } from '../../oauth/text/base64url.ts';

/** A request of a client that waits until the owner has decided. */
export interface WaitingRequest {
  readonly issuer: Issuer;
  /** The query of the request, for a client that is looked up after the owner has signed in. */
  readonly query: string;
  /** Absent until the client has been looked up. */
  readonly request?: AuthorizeRequest;
  /** What the client is called on the sign-in page. */
  readonly name: string;
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
 * The requests that wait for the owner. They are kept in memory only, so that the form of the consent
 * page needs nothing but an id: client, address and challenge cannot be changed in the browser.
 */
export class WaitingRequests {
  readonly #crypto: Pick<OAuthCrypto, 'random'>;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<
    string,
    { readonly held: WaitingRequest; readonly sinceMs: number }
  >();

  constructor(parts: {
    readonly crypto: Pick<OAuthCrypto, 'random'>;
    readonly nowMs: () => number;
  }) {
    this.#crypto = parts.crypto;
    this.#nowMs = parts.nowMs;
  }

  /**
   * Keeps a request and answers its id. When too many wait, the oldest goes of those that a stranger
   * has begun, or else of those that nobody has signed in for: strangers cannot push out a request
   * that the owner is looking at, nor one of a browser that the owner has used before.
   */
  add(held: WaitingRequest): string {
    this.#forgetOld();
    if (this.#waiting.size >= limits.authorizeWaitingMax) {
      const all = Array.from(this.#waiting, ([id, { held }]) => ({ id, worth: worthOf(held) }));
      const worth = Math.min(...all.map((one) => one.worth));
      const oldest = all.find((one) => one.worth === worth);
      if (oldest !== undefined) this.#waiting.delete(oldest.id);
    }
    const id = toBase64Url(this.#crypto.random(16));
    this.#waiting.set(id, { held, sinceMs: this.#nowMs() });
    return id;
  }

  /** The request with this id, if it still waits and belongs to this browser. */
  find(id: string, holder: Holder): WaitingRequest | undefined {
    this.#forgetOld();
    const held = this.#waiting.get(id)?.held;
    if (held === undefined) return undefined;
    const isTheirs =
      (held.session !== undefined && held.session === holder.session) ||
      held.browser === holder.browser;
    return isTheirs ? held : undefined;
  }

  /** Puts more that is known now into a request that waits. */
  keep(id: string, held: WaitingRequest): void {
    const kept = this.#waiting.get(id);
    if (kept !== undefined) this.#waiting.set(id, { ...kept, held });
  }

  /** Takes a request out: whoever calls this decides about it. Undefined when another call was first. */
  take(id: string): { readonly putBack: () => void } | undefined {
    const kept = this.#waiting.get(id);
    if (kept === undefined) return undefined;
    this.#waiting.delete(id);
    return { putBack: () => this.#waiting.set(id, kept) };
  }

  /** A clock that is set back does not let requests live longer: those from the future go too. */
  #forgetOld(): void {
    const nowMs = this.#nowMs();
    for (const [id, { sinceMs }] of this.#waiting) {
      if (nowMs - sinceMs >= limits.authorizeMs || nowMs < sinceMs) this.#waiting.delete(id);
    }
  }
}

function worthOf({ session, isKnown }: WaitingRequest): number {
  if (session !== undefined) return 2;
  return isKnown ? 1 : 0;
}
