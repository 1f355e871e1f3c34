import type { VaultFolder } from '../../../base/vault-path.ts';
import type { HttpParts } from './http-parts.ts';

/** Something that stays open for a visitor: a session, or a stream that listens. */
export interface Guest {
  /** The token of the visitor, if any. */
  readonly token: string | undefined;
  /** The folders that it was begun for. */
  readonly folders: readonly VaultFolder[];
  /** Ends it. Its owner calls `remove` once it has ended. */
  end(): void;
}

/**
 * Ends the sessions and streams of a token soon after it was revoked or has expired, and those of a
 * grant when the owner has chosen other folders for it: what they listen to may not be in these. It
 * checks the tokens every `tokenLookMs` as long as there are guests.
 */
export class TokenWatch {
  readonly #parts: Pick<HttpParts, 'isValid' | 'timers' | 'limits'>;
  /** By their tokens and folders. */
  readonly #guests = new Map<string, Set<Guest>>();
  #isWatching = false;

  constructor(parts: Pick<HttpParts, 'isValid' | 'timers' | 'limits'>) {
    this.#parts = parts;
  }

  add(guest: Guest): void {
    if (guest.token === undefined) return;
    const guests = this.#guests.get(keyOf(guest)) ?? new Set();
    this.#guests.set(keyOf(guest), guests.add(guest));
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#lookLater();
  }

  remove(guest: Guest): void {
    const guests = this.#guests.get(keyOf(guest));
    if (guests?.delete(guest) && guests.size === 0) this.#guests.delete(keyOf(guest));
  }

  #lookLater(): void {
    this.#isWatching = this.#guests.size > 0;
    if (!this.#isWatching) return;
    this.#parts.timers.after(this.#parts.limits.tokenLookMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    for (const guests of [...this.#guests.values()]) {
      const [{ token = '', folders } = { folders: [] }] = guests;
      // If the check fails, the guest is ended too; its token is checked again when it comes back.
      if (await this.#parts.isValid(token, folders).catch(() => false)) continue;
      for (const guest of [...guests]) guest.end();
    }
    this.#lookLater();
  }
}

function keyOf({ token, folders }: Guest): string {
  return JSON.stringify([token, folders]);
}
