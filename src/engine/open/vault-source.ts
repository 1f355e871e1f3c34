import type { Clock } from '../ports/ports.ts';
import type { Vault } from './vault.ts';

/** A vault that may not be there yet: its drive is not mounted, or the system does not let us in. */
export interface VaultSource {
  readonly name: string;
  readonly clock: Clock;
  /** The vault, opened by the first call that finds it. Until then fails with what to do. */
  open(): Promise<Vault>;
}

/** A vault that is open already, as a source. */
export function openedVault(vault: Vault): VaultSource {
  const { name, clock } = vault.parts;
  return { name, clock, open: async () => vault };
}
