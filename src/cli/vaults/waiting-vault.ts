import { VaultError } from '../../base/vault-error.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';

export interface WaitingVaultParts {
  readonly name: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Fails, with what to do, where the vault cannot be opened now. */
  readonly look: () => Promise<void>;
  readonly open: () => Vault;
}

/** How long nobody looks for a vault that nobody asks for. */
const lookAgainMs = 5_000;

/** A vault that is opened as soon as it is there. Every call looks anew until then. */
export class WaitingVault implements VaultSource {
  readonly name: string;
  readonly clock: Clock;
  readonly #parts: WaitingVaultParts;
  #opening: Promise<Vault> | undefined;
  #vault: Vault | undefined;
  #closed = false;

  constructor(parts: WaitingVaultParts) {
    this.name = parts.name;
    this.clock = parts.clock;
    this.#parts = parts;
  }

  open(): Promise<Vault> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Looks for the vault from time to time, until it is found or no longer wanted. Tells once, if
   * it is not there, why.
   */
  async found(onMissing: (error: unknown) => void): Promise<void> {
    for (let tries = 0; !this.#closed; tries++) {
      try {
        await this.open();
        return;
      } catch (error) {
        if (tries === 0) onMissing(error);
        await new Promise<void>((resolve) => this.#parts.timers.after(lookAgainMs, resolve));
      }
    }
  }

  /** Closes the vault if it is open, and opens it no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#vault?.close();
  }

  async #open(): Promise<Vault> {
    if (!this.#closed) await this.#parts.look();
    if (this.#closed) throw new VaultError('unavailable', 'The server is being shut down.');
    this.#vault = this.#parts.open();
    return this.#vault;
  }
}
