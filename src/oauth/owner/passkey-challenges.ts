import { limits } from '../../base/limits.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';
import { toHex } from '../text/hex.ts';

/** What a challenge is for. An answer counts only where all of it is the same. */
export interface ChallengePurpose {
  readonly kind: 'create' | 'get';
  readonly host: string;
  /** The session, or the browser that signs in: somebody else's challenge is worth nothing. */
  readonly bound: string;
}

const randomBytes = 32;
const timeBytes = 8;
const form = {
  random: randomBytes,
  time: randomBytes + timeBytes,
  all: randomBytes + timeBytes + 32,
};

/**
 * The challenges that passkeys sign. A challenge carries its time and our signature instead of being
 * remembered, so strangers who ask for thousands cannot push out the owner's. Those that were used are
 * remembered until they end, since each is good for one sign-in.
 */
export class PasskeyChallenges {
  readonly #crypto: OAuthCrypto;
  readonly #key: Uint8Array;
  /** When each used challenge ends, in that order. */
  readonly #used = new Map<string, number>();

  constructor(crypto: OAuthCrypto) {
    this.#crypto = crypto;
    this.#key = crypto.random(randomBytes);
  }

  /** A new challenge, in base64url. */
  make(purpose: ChallengePurpose, nowMs: number): string {
    const bytes = new Uint8Array(form.all);
    bytes.set(this.#crypto.random(randomBytes));
    for (let at = 0, left = nowMs; at < timeBytes; at++, left = Math.floor(left / 256)) {
      bytes[form.time - 1 - at] = left % 256;
    }
    bytes.set(this.#signature(bytes, purpose), form.time);
    return toBase64Url(bytes);
  }

  /** Whether the challenge is ours, for this purpose, neither too old nor used. */
  isOpen(challenge: string, purpose: ChallengePurpose, nowMs: number): boolean {
    const bytes = challenge.length > 2 * form.all ? undefined : fromBase64Url(challenge);
    if (bytes?.length !== form.all || this.#used.has(challenge)) return false;
    const isOurs = this.#crypto.isEqual(bytes.slice(form.time), this.#signature(bytes, purpose));
    const madeMs = bytes.slice(form.random, form.time).reduce((ms, byte) => ms * 256 + byte, 0);
    return isOurs && nowMs - madeMs < limits.passkeyChallengeMs;
  }

  /** Uses up a challenge. False when it cannot be remembered; then it must not be accepted. */
  use(challenge: string, nowMs: number): boolean {
    for (const [used, endsMs] of this.#used) if (endsMs <= nowMs) this.#used.delete(used);
    if (this.#used.has(challenge) || this.#used.size >= limits.passkeyChallengesMax) return false;
    this.#used.set(challenge, nowMs + limits.passkeyChallengeMs);
    return true;
  }

  #signature(bytes: Uint8Array, { kind, host, bound }: ChallengePurpose): Uint8Array {
    const about = JSON.stringify([kind, host, bound, toHex(bytes.slice(0, form.time))]);
    return this.#crypto.hmac(this.#key, about);
  }
}
