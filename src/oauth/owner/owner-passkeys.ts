import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { BriefBooks } from '../ports/brief-book.ts';
import type { OAuthCrypto, PublicKey } from '../ports/oauth-crypto.ts';
import type { OwnerBook, OwnerPage, Passkey } from '../ports/owner-book.ts';
import { toBase64Url } from '../text/base64url.ts';
import { checkNewPasskey, checkPasskey, type Refused, tooLate } from './check-credential.ts';
import { type ChallengePurpose, PasskeyChallenges } from './passkey-challenges.ts';
import { passkeyAlgorithms } from './passkey-key.ts';
import { canHavePasskeys, type PasskeySite } from './passkey-site.ts';

interface OwnerPasskeysParts {
  readonly book: OwnerBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** Where used challenges are remembered. */
  readonly brief: BriefBooks;
}

/**
 * The passkeys of the owner: WebAuthn without attestation. Which session may add one is for
 * `OwnerSignIn` to say.
 */
export class OwnerPasskeys {
  readonly #parts: OwnerPasskeysParts;
  readonly #challenges: PasskeyChallenges;

  constructor(parts: OwnerPasskeysParts) {
    this.#parts = parts;
    this.#challenges = new PasskeyChallenges(parts.crypto, parts.brief);
  }

  /** What the browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
  async creation(session: string, site: PasskeySite): Promise<object> {
    if (!canHavePasskeys(site)) {
      throw new VaultError(
        'invalid_input',
        'Browsers make passkeys only for servers with a name, not for an IP address.',
      );
    }
    const { crypto, book, nowMs } = this.#parts;
    const { owner, deviceKey } = await book.read();
    return {
      rp: { id: site.host, name: 'Vaultdoor' },
      // Stays the same until the owner is reset, so that a device keeps one passkey for this server.
      user: {
        id: toBase64Url(crypto.hmac(deviceKey, 'passkey user')),
        name: 'owner',
        displayName: 'Owner',
      },
      challenge: await this.#challenges.make(purposeOf('create', site, session), nowMs()),
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: limits.passkeyChallengeMs,
      excludeCredentials: passkeysOf(owner?.passkeys ?? [], site).map(({ id }) => ({
        type: 'public-key',
        id,
      })),
      authenticatorSelection: {
        // The device finds the passkey by itself, so strangers are told no ids.
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    };
  }

  /** Keeps a new passkey. */
  async add(
    session: string,
    site: PasskeySite,
    sent: { readonly name: string; readonly credential: unknown },
  ): Promise<Passkey | Refused> {
    const nowMs = this.#parts.nowMs();
    const checked = checkNewPasskey(sent.credential, await this.#expected('create', site, session));
    if ('refused' in checked) return checked;
    const notUsed = await this.#challenges.use(checked.challenge);
    if (notUsed !== undefined) return notAccepted[notUsed];
    const { id, key } = checked;
    const added: Passkey = {
      id,
      name: nameOf(sent.name),
      host: site.host,
      key,
      createdMs: nowMs,
    };
    return this.#parts.book.change((page) => withPasskey(page, added));
  }

  /** What the browser needs to sign in: `PublicKeyCredentialRequestOptionsJSON`. */
  async request(site: PasskeySite, bound: string): Promise<object> {
    return {
      challenge: await this.#challenges.make(purposeOf('get', site, bound), this.#parts.nowMs()),
      rpId: site.host,
      timeout: limits.passkeyChallengeMs,
      allowCredentials: [],
      userVerification: 'required',
    };
  }

  /** The passkey that has signed the challenge of a request; the challenge is used up then. */
  async check(
    site: PasskeySite,
    bound: string,
    credential: unknown,
  ): Promise<{ readonly id: string } | Refused> {
    const { owner } = await this.#parts.book.read({ newest: true });
    const known = passkeysOf(owner?.passkeys ?? [], site);
    const keyOf = (id: string): PublicKey | undefined =>
      known.find((passkey) => passkey.id === id)?.key;
    const expected = { ...(await this.#expected('get', site, bound)), keyOf };
    const checked = checkPasskey(credential, expected);
    if ('refused' in checked) return checked;
    const notUsed = await this.#challenges.use(checked.challenge);
    return notUsed === undefined ? checked : notAccepted[notUsed];
  }

  async #expected(kind: ChallengePurpose['kind'], site: PasskeySite, bound: string) {
    const { crypto, nowMs } = this.#parts;
    const isOpen = await this.#challenges.checkFor(purposeOf(kind, site, bound), nowMs());
    return { crypto, site, isOpen };
  }
}

const notAccepted = {
  twice: tooLate,
  'too many': { refused: 'Too many passkeys were used in a short time. Try again later.' },
} satisfies Readonly<Record<string, Refused>>;

function purposeOf(
  kind: ChallengePurpose['kind'],
  { host }: PasskeySite,
  bound: string,
): ChallengePurpose {
  return { kind, host, bound };
}

/** The passkeys that belong to this host. */
function passkeysOf(passkeys: readonly Passkey[], { host }: PasskeySite): readonly Passkey[] {
  return passkeys.filter((passkey) => passkey.host === host);
}

function withPasskey(
  page: OwnerPage,
  added: Passkey,
): { readonly keep?: OwnerPage; readonly answer: Passkey | Refused } {
  const { owner } = page;
  if (owner === undefined) return { answer: { refused: 'There is no owner any more.' } };
  if (owner.passkeys.some(({ id }) => id === added.id)) {
    return { answer: { refused: 'This passkey is known already.' } };
  }
  if (owner.passkeys.length >= limits.passkeysMax) {
    const refused = `There can be ${limits.passkeysMax} passkeys; remove one first.`;
    return { answer: { refused } };
  }
  const passkeys = [...owner.passkeys, added];
  return { keep: { ...page, owner: { ...owner, passkeys } }, answer: added };
}

/** The name of a passkey as it is kept: visible characters in one line. */
function nameOf(typed: string): string {
  const line = typed
    .slice(0, limits.signInBodyBytesMax)
    .replace(/\s+/g, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  return [...line].slice(0, limits.passkeyNameCharsMax).join('') || 'Passkey';
}
