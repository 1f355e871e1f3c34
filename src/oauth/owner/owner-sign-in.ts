import { limits } from '../../base/limits.ts';
import { steadyClock } from '../../base/steady-clock.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type BriefBooks, memoryBriefBooks } from '../ports/brief-book.ts';
import type { OAuthCrypto, ScryptCost } from '../ports/oauth-crypto.ts';
import type { Owner, OwnerBook, OwnerPage, Passkey } from '../ports/owner-book.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';
import { sha256Hex } from '../text/hex.ts';
import { deviceCookie, deviceIdIn, newDeviceId } from './device-cookie.ts';
import { withoutSession, withPasskeyUsed, withPassphrase } from './owner-changes.ts';
import { OwnerPasskeys } from './owner-passkeys.ts';
import { isFresh, isFreshIn, sessionIn, withSession } from './owner-sessions.ts';
import type { PasskeySite } from './passkey-site.ts';
import { passphraseProblem } from './passphrase.ts';
import { PassphraseHashes } from './passphrase-hashes.ts';
import { hashOf, isOpenToSetUp, keptCode, newSetUpCode } from './set-up-code.ts';
import { refusals, slowRefusal } from './sign-in-refusals.ts';
import { WrongPassphrases } from './wrong-passphrases.ts';

/**
 * Why someone did not become the owner. `wrong`: passphrase or code; `slow`: too many wrong ones;
 * `weak`: the new passphrase is no good; `no-code`: there is no set-up code, or an owner already;
 * `busy`: too many passphrases wait to be checked; `stale`: the session is not fresh.
 */
export type SignInRefusal = {
  readonly refused: 'wrong' | 'slow' | 'weak' | 'no-code' | 'busy' | 'stale';
  /** A sentence for the person. */
  readonly message: string;
  /** With `slow` and `busy`. */
  readonly waitSeconds?: number;
};

/** The two cookies of a browser in which the owner has just signed in. */
export interface SignedIn {
  /** The session: 32 random bytes in base64url. */
  readonly cookie: string;
  /** By this signed cookie the browser is known the next time; it holds for `limits.deviceMs`. */
  readonly device: string;
}

interface OwnerSignInParts {
  readonly book: OwnerBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** What a new hash costs; a third of a second and 32 MiB if absent. */
  readonly cost?: ScryptCost;
  /** The names of the server's hosts; none of them may be the passphrase. */
  readonly names: readonly string[];
  /** Where used challenges of passkeys are remembered; in memory if absent. */
  readonly brief?: BriefBooks;
}

const cookieBytes = 32;

/**
 * The one owner of the server: set-up, passphrase, passkeys and sessions in browsers. Every method that
 * looks into the book fails as the book does. What was wrong and how often is counted in memory, so a
 * restart forgets it; a shell is never limited.
 */
export class OwnerSignIn {
  readonly #parts: OwnerSignInParts;
  readonly #hashes: PassphraseHashes;
  readonly #wrong: WrongPassphrases;
  readonly #passkeys: OwnerPasskeys;
  /** When the clock is set back, sessions, codes and challenges do not hold for longer. */
  readonly #nowMs: () => number;

  constructor(parts: OwnerSignInParts) {
    const nowMs = steadyClock(parts.nowMs);
    this.#parts = parts;
    this.#nowMs = nowMs;
    this.#hashes = new PassphraseHashes(parts.crypto, parts.cost);
    this.#wrong = new WrongPassphrases(nowMs);
    const { brief = memoryBriefBooks({ ...parts, nowMs }) } = parts;
    this.#passkeys = new OwnerPasskeys({ ...parts, nowMs, brief });
  }

  async hasOwner(): Promise<boolean> {
    const { book } = this.#parts;
    const page = await book.read();
    // The owner may just have been set up, at another node.
    return (page.owner ?? (await book.read({ newest: true })).owner) !== undefined;
  }

  /**
   * Makes the code with which an owner is set up in a browser, in place of an earlier one. Only its hash
   * is kept. Fails with `already_exists` when there is an owner.
   */
  async makeSetUpCode(): Promise<string> {
    const { book, crypto } = this.#parts;
    const code = newSetUpCode(crypto);
    const setUp = keptCode(crypto, code, this.#nowMs());
    const isKept = await book.change((page) =>
      page.owner === undefined ? { keep: { ...page, setUp }, answer: true } : { answer: false },
    );
    if (isKept) return code;
    throw new VaultError(
      'already_exists',
      'This server has an owner already; "vaultdoor owner set" sets another passphrase, and "vaultdoor owner reset" forgets the owner.',
    );
  }

  /** Sets up the owner in a browser. A wrong code uses up one of its tries. */
  async setUp(given: {
    readonly code: string;
    readonly passphrase: string;
  }): Promise<SignedIn | SignInRefusal> {
    const { book, crypto } = this.#parts;
    const sha256 = hashOf(crypto, given.code);
    const refused = await this.#tryCode(sha256);
    if (refused !== undefined) return refused;
    const hashed = await this.#hashNew(given.passphrase);
    if ('refused' in hashed) return hashed;
    const nowMs = this.#nowMs();
    const begin = this.#beginning(newDeviceId(crypto), nowMs);
    return book.change<SignedIn | SignInRefusal>((page) => {
      // Somebody may have been quicker, or a new code was made, while the passphrase was hashed.
      const isStillOpen = isOpenToSetUp(page, nowMs) && page.setUp?.sha256 === sha256;
      return isStillOpen ? begin(withPassphrase(page, hashed, nowMs)) : { answer: refusals.noCode };
    });
  }

  /**
   * Signs the owner in by passphrase. `device` is the device cookie of this browser. `replaces` is its
   * session so far, which ends then. The answer takes the same time, and is the same, for a wrong
   * passphrase and where there is no owner.
   */
  async signIn(given: {
    readonly passphrase: string;
    readonly device?: string | undefined;
    readonly replaces?: string | undefined;
  }): Promise<SignedIn | SignInRefusal> {
    const { book, crypto } = this.#parts;
    const page = await book.read();
    const device = this.#deviceIn(given.device, page);
    const attempt = this.#wrong.begin(device);
    if ('waitMs' in attempt) return slowRefusal(attempt.waitMs);
    const checked = page.owner?.passphrase;
    const isRight = await this.#hashes.isRight(given.passphrase, checked);
    if (isRight === false) return refusals.wrong;
    attempt.forget();
    if (isRight === 'busy') return refusals.busy;
    const replaced = this.#hashIn(given.replaces);
    const begin = this.#beginning(device ?? newDeviceId(crypto), this.#nowMs());
    return book.change<SignedIn | SignInRefusal>((now) => {
      // The passphrase may have been changed while this one was checked.
      if (now.owner?.passphrase.hash !== checked?.hash) return { answer: refusals.wrong };
      return begin(withoutSession(now, replaced));
    });
  }

  /**
   * The session of a cookie; undefined when there is none, or it has ended. `isFresh`: the owner has
   * signed in a short time ago. `key` names the session, but nobody can sign in with it. Using a session
   * keeps it from ending; that is written at most once in `limits.ownerUsedMs`.
   */
  async session(
    cookie: string | undefined,
  ): Promise<{ readonly isFresh: boolean; readonly key: string } | undefined> {
    const key = this.#hashIn(cookie);
    if (key === undefined) return undefined;
    const nowMs = this.#nowMs();
    const { book } = this.#parts;
    const session =
      sessionIn(await book.read(), key, nowMs) ??
      // It may just have begun, at another node.
      sessionIn(await book.read({ newest: true }), key, nowMs);
    if (session === undefined) return undefined;
    if (nowMs - session.usedMs >= limits.ownerUsedMs) await this.#touch(key, nowMs);
    return { isFresh: isFresh(session, nowMs), key };
  }

  /** Whether the owner has signed in before with the browser that has this device cookie. */
  async knows(device: string | undefined): Promise<boolean> {
    if (device === undefined) return false;
    return this.#deviceIn(device, await this.#parts.book.read()) !== undefined;
  }

  /** A word for a form that belongs to this session and purpose: no other site can know it. */
  formWord(cookie: string, about: string): string {
    return toBase64Url(this.#wordBytes(cookie, about));
  }

  isFormWord(cookie: string, about: string, word: string): boolean {
    const sent = word.length > 2 * cookieBytes ? undefined : fromBase64Url(word);
    return sent !== undefined && this.#parts.crypto.isEqual(sent, this.#wordBytes(cookie, about));
  }

  async signOut(cookie: string): Promise<void> {
    const key = this.#hashIn(cookie);
    if (key === undefined) return;
    await this.#parts.book.change((page) => {
      const isThere = page.sessions.some(({ sha256 }) => sha256 === key);
      return { ...(isThere ? { keep: withoutSession(page, key) } : {}), answer: undefined };
    });
  }

  /**
   * Sets the passphrase, for whoever has a shell; makes the owner when there is none. Ends all sessions
   * and keeps the passkeys. Fails with `invalid_input` when the passphrase is no good.
   */
  async setPassphrase(passphrase: string): Promise<void> {
    const hashed = await this.#hashNew(passphrase);
    if ('refused' in hashed) {
      throw new VaultError(hashed.refused === 'busy' ? 'busy' : 'invalid_input', hashed.message);
    }
    const nowMs = this.#nowMs();
    await this.#parts.book.change((page) => ({
      keep: withPassphrase(page, hashed, nowMs),
      answer: undefined,
    }));
  }

  /**
   * Sets another passphrase from a fresh session. All sessions end, and this browser gets a new one. The
   * passkeys stay.
   */
  async changePassphrase(given: {
    readonly cookie: string;
    readonly passphrase: string;
    readonly device?: string | undefined;
  }): Promise<SignedIn | SignInRefusal> {
    const { book, crypto } = this.#parts;
    const key = this.#hashIn(given.cookie);
    const page = await book.read();
    if (key === undefined || !isFreshIn(page, key, this.#nowMs())) return refusals.stale;
    const hashed = await this.#hashNew(given.passphrase);
    if ('refused' in hashed) return hashed;
    const nowMs = this.#nowMs();
    const begin = this.#beginning(this.#deviceIn(given.device, page) ?? newDeviceId(crypto), nowMs);
    return book.change<SignedIn | SignInRefusal>((now) => {
      if (sessionIn(now, key, nowMs) === undefined) return { answer: refusals.stale };
      return begin(withPassphrase(now, hashed, nowMs));
    });
  }

  /** Forgets the owner with passkeys, sessions and set-up code. No browser is known after it. */
  async reset(): Promise<void> {
    const { book, crypto } = this.#parts;
    const deviceKey = toBase64Url(crypto.random(cookieBytes));
    await book.change(() => ({ keep: { sessions: [], deviceKey }, answer: undefined }));
  }

  async passkeys(): Promise<readonly Passkey[]> {
    return (await this.#parts.book.read()).owner?.passkeys ?? [];
  }

  /** Removes a passkey; false when there is none with this id. */
  async removePasskey(id: string): Promise<boolean> {
    return this.#parts.book.change((page) => {
      const { owner } = page;
      if (owner?.passkeys.some((passkey) => passkey.id === id) !== true) return { answer: false };
      const passkeys = owner.passkeys.filter((passkey) => passkey.id !== id);
      return { keep: { ...page, owner: { ...owner, passkeys } }, answer: true };
    });
  }

  /**
   * What the browser needs to make a passkey (`PublicKeyCredentialCreationOptionsJSON`). Fails with
   * `forbidden` when the session is not fresh, and with `invalid_input` at an IP address.
   */
  async passkeyCreation(cookie: string, site: PasskeySite): Promise<object> {
    const key = this.#hashIn(cookie);
    const page = await this.#parts.book.read();
    if (key === undefined || !isFreshIn(page, key, this.#nowMs())) {
      throw new VaultError('forbidden', refusals.stale.message);
    }
    return this.#passkeys.creation(key, site);
  }

  /** Keeps the passkey that the browser has made for the last `passkeyCreation` of this session. */
  async addPasskey(
    cookie: string,
    site: PasskeySite,
    sent: { readonly name: string; readonly credential: unknown },
  ): Promise<Passkey | { readonly refused: string }> {
    const session = await this.session(cookie);
    if (session === undefined) return { refused: refusals.stale.message };
    return this.#passkeys.add(session.key, site, sent);
  }

  /**
   * What the browser needs to sign in with a passkey (`PublicKeyCredentialRequestOptionsJSON`). `bound`
   * is a random text that the same browser shows again at `signInWithPasskey`.
   */
  async passkeyRequest(site: PasskeySite, bound: string): Promise<object> {
    return this.#passkeys.request(site, bound);
  }

  /** Signs the owner in by passkey. `device` and `replaces` are as in `signIn`. */
  async signInWithPasskey(
    site: PasskeySite,
    bound: string,
    credential: unknown,
    browser: { readonly device?: string | undefined; readonly replaces?: string | undefined } = {},
  ): Promise<SignedIn | { readonly refused: string }> {
    const { book, crypto } = this.#parts;
    const checked = await this.#passkeys.check(site, bound, credential);
    if ('refused' in checked) return checked;
    const nowMs = this.#nowMs();
    const device = this.#deviceIn(browser.device, await book.read()) ?? newDeviceId(crypto);
    const begin = this.#beginning(device, nowMs);
    const replaced = this.#hashIn(browser.replaces);
    return book.change<SignedIn | { readonly refused: string }>((page) => {
      const owner = page.owner && withPasskeyUsed(page.owner, checked.id, nowMs);
      if (owner === undefined) return { answer: { refused: 'This passkey was just removed.' } };
      return begin({ ...withoutSession(page, replaced), owner });
    });
  }

  /** Why a set-up code is not accepted. A wrong one costs one of the tries of the right one. */
  #tryCode(sha256: string): Promise<SignInRefusal | undefined> {
    const nowMs = this.#nowMs();
    return this.#parts.book.change<SignInRefusal | undefined>((page) => {
      const { setUp } = page;
      if (setUp === undefined || !isOpenToSetUp(page, nowMs)) return { answer: refusals.noCode };
      if (setUp.sha256 === sha256) return { answer: undefined };
      const triesLeft = setUp.triesLeft - 1;
      return { keep: { ...page, setUp: { ...setUp, triesLeft } }, answer: refusals.wrongCode };
    });
  }

  async #hashNew(passphrase: string): Promise<Owner['passphrase'] | SignInRefusal> {
    const message = passphraseProblem(passphrase, this.#parts.names);
    if (message !== undefined) return { refused: 'weak', message };
    const hashed = await this.#hashes.hash(passphrase);
    return hashed === 'busy' ? refusals.busy : hashed;
  }

  /**
   * Makes the step of a transaction that begins a session. The cookie is made here and not in the step,
   * because a book may call the step again.
   */
  #beginning(device: string, nowMs: number) {
    const { crypto } = this.#parts;
    const cookie = toBase64Url(crypto.random(cookieBytes));
    const sha256 = sha256Hex(crypto, cookie);
    return (page: OwnerPage): { readonly keep: OwnerPage; readonly answer: SignedIn } => ({
      keep: { ...page, sessions: withSession(page.sessions, { sha256, nowMs }) },
      answer: { cookie, device: deviceCookie(crypto, { key: page.deviceKey, nowMs, id: device }) },
    });
  }

  /** Notes that a session was used. When that cannot be written, the session only ends sooner. */
  async #touch(key: string, nowMs: number): Promise<void> {
    const write = this.#parts.book.change((page) => ({
      keep: {
        ...page,
        sessions: page.sessions.map((session) =>
          session.sha256 === key && session.usedMs < nowMs
            ? { ...session, usedMs: nowMs }
            : session,
        ),
      },
      answer: undefined,
    }));
    await write.catch(() => undefined);
  }

  #deviceIn(cookie: string | undefined, { deviceKey }: OwnerPage): string | undefined {
    if (cookie === undefined) return undefined;
    return deviceIdIn(this.#parts.crypto, { key: deviceKey, nowMs: this.#nowMs(), cookie });
  }

  /** The hash of a session's cookie; undefined for a text that cannot be one. */
  #hashIn(cookie: string | undefined): string | undefined {
    if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined;
    return sha256Hex(this.#parts.crypto, cookie);
  }

  #wordBytes(cookie: string, about: string): Uint8Array {
    return this.#parts.crypto.hmac(cookie, `form ${about}`);
  }
}
