import { limits } from '../../base/limits.ts';
import type { Allowed, GrantClient } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { toBase64Url } from '../text/base64url.ts';
import { sha256Hex } from '../text/hex.ts';

/** What the owner has allowed, until the client fetches it with a code. */
export interface Promised {
  readonly client: GrantClient;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string;
  readonly allowed: Allowed;
  /** The id of the grant that is made, or changed. */
  readonly grant: string;
  readonly isChange: boolean;
}

/** What a client sends to exchange a code. */
export interface SentCode {
  readonly client: string;
  readonly code: string;
  readonly redirectUri?: string;
  readonly verifier?: string;
}

interface KeptCode {
  readonly promised: Promised;
  readonly issuedMs: number;
  used?: { readonly atMs: number; readonly client: string; readonly verifier: string };
}

/**
 * The codes that clients exchange for their first tokens. They are kept in memory as hashes, hold for
 * a minute and can be used once. A restart ends them.
 */
export class Codes {
  readonly #crypto: OAuthCrypto;
  readonly #nowMs: () => number;
  /** By the hash of the code, oldest first. */
  readonly #codes = new Map<string, KeptCode>();

  constructor(parts: { readonly crypto: OAuthCrypto; readonly nowMs: () => number }) {
    this.#crypto = parts.crypto;
    this.#nowMs = parts.nowMs;
  }

  /** How many codes can still be exchanged for grants that do not exist yet. */
  get newGrants(): number {
    this.#tidy();
    return Array.from(this.#codes.values()).filter(
      ({ promised, used }) => used === undefined && !promised.isChange,
    ).length;
  }

  /** Makes a code. */
  issue(promised: Promised): string {
    const code = `vdk_${toBase64Url(this.#crypto.random(32))}`;
    this.#codes.set(this.#hashOf(code), { promised, issuedMs: this.#nowMs() });
    this.#tidy();
    return code;
  }

  /**
   * Uses a code up. `replayed`: it was used before, so somebody has a copy. `refused`: it is unknown
   * or too old, or something else that was sent does not belong to it, in which case it is unknown
   * from now on; or the client only repeats its request, because it did not get the answer.
   * `target`: the resource is not that of the code, which can still be used.
   */
  take(
    sent: SentCode,
    isMeant: (resource: string) => boolean,
  ): { readonly promised: Promised; readonly how: 'taken' | 'replayed' } | 'refused' | 'target' {
    this.#tidy();
    const hash = this.#hashOf(sent.code);
    const kept = this.#codes.get(hash);
    if (kept === undefined) return 'refused';
    const { promised, used } = kept;
    const { client, verifier = '' } = sent;
    const nowMs = this.#nowMs();
    if (used !== undefined) {
      const isSame = used.client === client && used.verifier === this.#hashOf(verifier);
      const isRepeated = isSame && nowMs - used.atMs <= limits.codeRetryMs;
      return isRepeated ? 'refused' : { promised, how: 'replayed' };
    }
    const isRight =
      client === promised.client.id &&
      (sent.redirectUri ?? promised.redirectUri) === promised.redirectUri &&
      this.#isVerifierOf(promised.challenge, verifier);
    if (!isRight) {
      this.#codes.delete(hash);
      return 'refused';
    }
    if (!isMeant(promised.resource)) return 'target';
    kept.used = { atMs: nowMs, client, verifier: this.#hashOf(verifier) };
    return { promised, how: 'taken' };
  }

  /** Lets a code be used after all: what it stands for could not be written. */
  giveBack(code: string): void {
    const kept = this.#codes.get(this.#hashOf(code));
    if (kept !== undefined) delete kept.used;
  }

  /** Lets no code be used any more. */
  forgetAll(): void {
    this.#codes.clear();
  }

  #isVerifierOf(challenge: string, verifier: string): boolean {
    if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
    const encoder = new TextEncoder();
    const shown = toBase64Url(this.#crypto.sha256(verifier));
    return this.#crypto.isEqual(encoder.encode(shown), encoder.encode(challenge));
  }

  #hashOf(text: string): string {
    return sha256Hex(this.#crypto, text);
  }

  /** Forgets codes that have ended, and the oldest when there are too many. */
  #tidy(): void {
    const nowMs = this.#nowMs();
    for (const [hash, { issuedMs, used }] of this.#codes) {
      const endMs = used === undefined ? issuedMs + limits.codeMs : used.atMs + limits.usedCodeMs;
      if (nowMs >= endMs || this.#codes.size > limits.codesMax) this.#codes.delete(hash);
    }
  }
}
