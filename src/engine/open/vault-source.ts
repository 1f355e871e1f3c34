import type { Clock } from '../ports/ports.ts';
import type { Vault } from './vault.ts';

/**
 * A vault that may not be available yet: its drive is not mounted, or the system denies us access.
 */
export interface VaultSource {
  readonly name: string;
  readonly clock: Clock;
  /** Opens the vault at the first call. While it is not available, fails and says what to do. */
  open(): Promise<Vault>;
}

/** The source of a vault that is open already. */
export function openedVault(vault: Vault): VaultSource {
  const { name, clock } = vault.parts;
  return { name, clock, open: async () => vault };
}
