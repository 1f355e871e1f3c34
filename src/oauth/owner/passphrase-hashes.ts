import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { OAuthCrypto, ScryptCost } from '../ports/oauth-crypto.ts';
import type { Owner } from '../ports/owner-book.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';
import { foldPassphrase } from './passphrase.ts';

type KeptPassphrase = Owner['passphrase'];

/** A third of a second on two shared cores, and 32 MiB: containers may have as little as 1 GB. */
const usualCost: ScryptCost = { n: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;

/**
 * Hashes passphrases one after the other: each takes memory and a core for a third of a second, so
 * strangers must not be able to have many hashed at once.
 */
export class PassphraseHashes {
  readonly #crypto: OAuthCrypto;
  readonly #cost: ScryptCost;
  readonly #one = new Semaphore(1);
  #begun = 0;

  constructor(crypto: OAuthCrypto, cost: ScryptCost = usualCost) {
    this.#crypto = crypto;
    this.#cost = cost;
  }

  /** What is kept of a new passphrase; `busy` when too many wait. */
  async hash(passphrase: string): Promise<KeptPassphrase | 'busy'> {
    const salt = this.#crypto.random(saltBytes);
    const folded = foldPassphrase(passphrase);
    assert(folded !== undefined, 'a passphrase is checked before it is hashed');
    const hash = await this.#scrypt(folded, salt, this.#cost);
    if (hash === 'busy') return hash;
    return { salt: toBase64Url(salt), hash: toBase64Url(hash), ...this.#cost };
  }

  /**
   * Whether this is the passphrase. Takes the same time when there is none, and when the text is too
   * long to be one. `busy` when too many wait.
   */
  async isRight(passphrase: string, kept: KeptPassphrase | undefined): Promise<boolean | 'busy'> {
    const { n, r, p } = kept ?? this.#cost;
    const salt = kept === undefined ? undefined : fromBase64Url(kept.salt);
    const expected = kept === undefined ? undefined : fromBase64Url(kept.hash);
    const shown = foldPassphrase(passphrase) ?? '';
    const hash = await this.#scrypt(shown, salt ?? new Uint8Array(saltBytes), { n, r, p });
    if (hash === 'busy') return hash;
    return expected !== undefined && shown !== '' && this.#crypto.isEqual(hash, expected);
  }

  async #scrypt(text: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array | 'busy'> {
    if (this.#begun > limits.passphrasesWaitingMax) return 'busy';
    this.#begun += 1;
    try {
      return await this.#one.run(() => this.#crypto.scrypt(text, salt, cost));
    } finally {
      this.#begun -= 1;
    }
  }
}
