import { VaultError } from '../../base/vault-error.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';

interface WaitingVaultParts {
  readonly name: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Fails, with what to do about it, when the vault cannot be opened now. */
  readonly look: () => Promise<void>;
  readonly open: () => Vault;
  /** Called once the vault is open; what it returns is called when the vault is closed. */
  readonly opened?: (vault: Vault) => () => void;
}

/** How often to look for a vault that is not there. */
const lookAgainMs = 5_000;

/** A vault that a server opens as soon as it exists. Until then, every call looks for it again. */
export class WaitingVault implements VaultSource {
  readonly name: string;
  readonly clock: Clock;
  readonly #parts: WaitingVaultParts;
  #opening: Promise<Vault> | undefined;
  #vault: Vault | undefined;
  #closed = false;
  #ended: (() => void) | undefined;

  constructor(parts: WaitingVaultParts) {
    this.name = parts.name;
    this.clock = parts.clock;
    this.#parts = parts;
  }

  /** The vault, opened if need be. Fails as `look` does; the next call tries again. */
  open(): Promise<Vault> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Looks for the vault every few seconds; resolves when it is open, or after `close`. Calls
   * `onMissing` once, when the first look fails.
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

  /** Closes the vault if it is open. It cannot be opened again. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#ended?.();
    await this.#vault?.close();
  }

  async #open(): Promise<Vault> {
    if (!this.#closed) await this.#parts.look();
    if (this.#closed) throw new VaultError('unavailable', 'The server is being shut down.');
    this.#vault = this.#parts.open();
    this.#ended = this.#parts.opened?.(this.#vault);
    return this.#vault;
  }
}
