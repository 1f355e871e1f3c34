import { limits } from '../../base/limits.ts';
import type { BriefBook, BriefBooks } from '../ports/brief-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';
import { sha256Hex, toHex } from '../text/hex.ts';

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

/** Why a challenge is not accepted: it was used before, or too many others were. */
type NotUsed = 'twice' | 'too many';

/**
 * The challenges that passkeys sign. A challenge carries its time and our signature instead of being
 * remembered, so strangers who ask for thousands cannot push out the owner's. Those that were used are
 * remembered until they end, since each is good for one sign-in.
 */
export class PasskeyChallenges {
  readonly #crypto: OAuthCrypto;
  readonly #brief: BriefBooks;
  readonly #used: BriefBook<Record<string, never>>;

  constructor(crypto: OAuthCrypto, brief: BriefBooks) {
    this.#crypto = crypto;
    this.#brief = brief;
    // No used one may be pushed out: `use` refuses before there are so many.
    this.#used = brief.open('challenge', 10 * limits.passkeyChallengesMax);
  }

  /** A new challenge, in base64url. */
  async make(purpose: ChallengePurpose, nowMs: number): Promise<string> {
    const bytes = new Uint8Array(form.all);
    bytes.set(this.#crypto.random(randomBytes));
    for (let at = 0, left = nowMs; at < timeBytes; at++, left = Math.floor(left / 256)) {
      bytes[form.time - 1 - at] = left % 256;
    }
    bytes.set(this.#signature(await this.#brief.key(), bytes, purpose), form.time);
    return toBase64Url(bytes);
  }

  /** Answers what tells of a challenge whether it is ours, for this purpose, and not too old. */
  async checkFor(
    purpose: ChallengePurpose,
    nowMs: number,
  ): Promise<(challenge: string) => boolean> {
    const key = await this.#brief.key();
    return (challenge) => {
      const bytes = challenge.length > 2 * form.all ? undefined : fromBase64Url(challenge);
      if (bytes?.length !== form.all) return false;
      const signature = this.#signature(key, bytes, purpose);
      const isOurs = this.#crypto.isEqual(bytes.slice(form.time), signature);
      const madeMs = bytes.slice(form.random, form.time).reduce((ms, byte) => ms * 256 + byte, 0);
      return isOurs && nowMs - madeMs < limits.passkeyChallengeMs;
    };
  }

  /** Uses up a challenge; otherwise answers why it must not be accepted. */
  async use(challenge: string): Promise<NotUsed | undefined> {
    const isFull = (await this.#used.all()).length >= limits.passkeyChallengesMax;
    return this.#used.change<NotUsed | undefined>(sha256Hex(this.#crypto, challenge), (found) => {
      if (found !== undefined) return { answer: 'twice' };
      if (isFull) return { answer: 'too many' };
      // The clock of the node that has made it may be ahead.
      const forMs = limits.passkeyChallengeMs + limits.clocksDifferMs;
      return { keep: { entry: {}, forMs }, answer: undefined };
    });
  }

  #signature(
    key: Uint8Array,
    bytes: Uint8Array,
    { kind, host, bound }: ChallengePurpose,
  ): Uint8Array {
    const about = JSON.stringify([kind, host, bound, toHex(bytes.slice(0, form.time))]);
    return this.#crypto.hmac(key, about);
  }
}
