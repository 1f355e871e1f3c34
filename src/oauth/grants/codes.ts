import { limits } from '../../base/limits.ts';
import type { BriefBook, BriefBooks } from '../ports/brief-book.ts';
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
  /** The paths of the vaults that the consent page named. */
  readonly vaults: readonly string[];
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
  /** Who has used it, with the hash of the verifier. */
  readonly used?: { readonly client: string; readonly verifier: string };
  /** Whether it was shown again by someone who is not the client that only repeats its request. */
  readonly isReplayed?: true;
}

/** What came of using a code; see `Codes.take`. */
type Taken =
  | { readonly promised: Promised; readonly how: 'taken' | 'replayed' }
  | 'refused'
  | 'target';

/**
 * The codes that clients exchange for their first tokens. Only their hashes are kept. They hold for a
 * minute and can be used once. Those of one server end with a restart.
 */
export class Codes {
  readonly #crypto: OAuthCrypto;
  readonly #book: BriefBook<KeptCode>;

  constructor(parts: { readonly crypto: OAuthCrypto; readonly brief: BriefBooks }) {
    this.#crypto = parts.crypto;
    this.#book = parts.brief.open('code', limits.codesMax);
  }

  /** How many codes can still be exchanged for grants that do not exist yet. */
  async newGrants(): Promise<number> {
    return (await this.#book.all()).filter(
      ({ entry: { promised, used } }) => used === undefined && !promised.isChange,
    ).length;
  }

  /** Makes a code. */
  async issue(promised: Promised): Promise<string> {
    const code = `vdk_${toBase64Url(this.#crypto.random(32))}`;
    const keep = { entry: { promised }, forMs: limits.codeMs };
    await this.#book.change(this.#hashOf(code), () => ({ keep, answer: undefined }));
    return code;
  }

  /**
   * Uses a code up. `replayed`: it was used before, so somebody has a copy. `refused`: it is unknown
   * or too old, or something else that was sent does not belong to it, in which case it is unknown
   * from now on; or the client only repeats its request, because it did not get the answer.
   * `target`: the resource is not that of the code, which can still be used.
   */
  take(sent: SentCode, isMeant: (resource: string) => boolean): Promise<Taken> {
    const { client, verifier = '' } = sent;
    const by = { client, verifier: this.#hashOf(verifier) };
    return this.#book.change<Taken>(this.#hashOf(sent.code), (found) => {
      if (found === undefined) return { answer: 'refused' };
      const { promised, used } = found.entry;
      if (used !== undefined) {
        const isSame = used.client === by.client && used.verifier === by.verifier;
        if (isSame && found.ageMs <= limits.codeRetryMs) return { answer: 'refused' };
        const entry: KeptCode = { promised, used, isReplayed: true };
        return { keep: { entry }, answer: { promised, how: 'replayed' } };
      }
      const isRight =
        client === promised.client.id &&
        (sent.redirectUri ?? promised.redirectUri) === promised.redirectUri &&
        this.#isVerifierOf(promised.challenge, verifier);
      if (!isRight) return { keep: 'forget', answer: 'refused' };
      if (!isMeant(promised.resource)) return { answer: 'target' };
      const keep = { entry: { promised, used: by }, forMs: limits.usedCodeMs };
      return { keep, answer: { promised, how: 'taken' } };
    });
  }

  /** Whether a code was shown again since it was used. */
  async isReplayed(code: string): Promise<boolean> {
    return (await this.#book.get(this.#hashOf(code)))?.entry.isReplayed === true;
  }

  /** Lets a code be used after all, for another minute: what it stands for could not be written. */
  giveBack(code: string): Promise<void> {
    return this.#book.change(this.#hashOf(code), (found) => {
      if (found === undefined || found.entry.isReplayed) return { answer: undefined };
      const { promised } = found.entry;
      return { keep: { entry: { promised }, forMs: limits.codeMs }, answer: undefined };
    });
  }

  /** Lets no code be used any more. */
  forgetAll(): Promise<void> {
    return this.#book.clear();
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
}
