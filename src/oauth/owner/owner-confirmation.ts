import { steadyClock } from '../../base/steady-clock.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type BriefBooks, memoryBriefBooks } from '../ports/brief-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import type { OwnerBook, Passkey } from '../ports/owner-book.ts';
import { withPasskeyUsed } from './owner-changes.ts';
import { OwnerPasskeys } from './owner-passkeys.ts';
import { canHavePasskeys, type PasskeySite } from './passkey-site.ts';

interface OwnerConfirmationParts {
  readonly book: OwnerBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** Where used challenges are remembered; in memory if absent. */
  readonly brief?: BriefBooks;
}

/** Something that the owner does in a console, for which a passkey is asked. */
interface OwnersStep {
  /** Where the console is open; undefined where browsers use no passkeys. */
  readonly site: PasskeySite | undefined;
  /** The open console and what is done there: a passkey that was shown for it is good for nothing else. */
  readonly about: string;
  /** What the browser has sent (`AuthenticationResponseJSON`); undefined before it was asked. */
  readonly credential: unknown;
}

/**
 * Asks for a passkey before single steps of an owner who is signed in already: an open console could
 * be in the hands of somebody else.
 */
export class OwnerConfirmation {
  readonly #parts: OwnerConfirmationParts;
  readonly #passkeys: OwnerPasskeys;
  readonly #nowMs: () => number;

  constructor(parts: OwnerConfirmationParts) {
    this.#parts = parts;
    this.#nowMs = steadyClock(parts.nowMs);
    const own = { ...parts, nowMs: this.#nowMs };
    this.#passkeys = new OwnerPasskeys({ ...own, brief: parts.brief ?? memoryBriefBooks(own) });
  }

  /** All passkeys of the owner. */
  async passkeys(): Promise<readonly Passkey[]> {
    return (await this.#parts.book.read()).owner?.passkeys ?? [];
  }

  /**
   * Whether a passkey is asked for at a site: `none` when the owner has no passkey, `elsewhere` when
   * all of them are for other hosts.
   */
  async asks(site: PasskeySite | undefined): Promise<'none' | 'here' | 'elsewhere'> {
    const passkeys = await this.passkeys();
    if (passkeys.length === 0) return 'none';
    return passkeys.some((passkey) => isFor(passkey, site)) ? 'here' : 'elsewhere';
  }

  /**
   * Returns when a step may be done: a passkey was shown for it, or the owner has none. Otherwise fails
   * with `forbidden`; `details.passkey` is then what the browser needs to ask for one
   * (`PublicKeyCredentialRequestOptionsJSON`), unless none works at this address.
   */
  async confirm({ site, about, credential }: OwnersStep): Promise<void> {
    const asks = await this.asks(site);
    if (asks === 'none') return;
    if (asks === 'elsewhere' || site === undefined) {
      const hosts = Array.from(new Set((await this.passkeys()).map(({ host }) => host)));
      throw new VaultError('forbidden', elsewhere(hosts), { details: { passkeyHosts: hosts } });
    }
    if (credential === undefined) {
      const details = { passkey: await this.#passkeys.request(site, about) };
      throw new VaultError('forbidden', 'This needs your passkey.', { details });
    }
    const checked = await this.#passkeys.check(site, about, credential);
    if ('refused' in checked) throw new VaultError('forbidden', checked.refused);
    const usedMs = this.#nowMs();
    const isThere = await this.#parts.book.change((page) => {
      const owner = page.owner && withPasskeyUsed(page.owner, checked.id, usedMs);
      if (owner === undefined) return { answer: false };
      return { keep: { ...page, owner }, answer: true };
    });
    if (!isThere) throw new VaultError('forbidden', 'This passkey was just removed.');
  }
}

/** Whether a passkey works at a site. */
export function isFor({ host }: Pick<Passkey, 'host'>, site: PasskeySite | undefined): boolean {
  return site !== undefined && canHavePasskeys(site) && host === site.host;
}

function elsewhere(hosts: readonly string[]): string {
  return `This needs your passkey, and that works only at ${hosts.join(' or ')}, not at this address. Open the console there, or use the command line on the machine of the vault.`;
}
