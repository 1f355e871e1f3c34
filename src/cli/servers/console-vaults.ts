import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ConsoleNews, Picture } from '../../doors/console/console-parts.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { ReadLog } from '../../engine/ports/read-log.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { Service } from '../../tools/service/service.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { type ConsoleDesk, deskHere } from '../owner/desk-message.ts';
import type { Shell } from '../shell/shell.ts';
import { type TokenNames, tokenNames } from '../vaults/token-names.ts';
import { vaultPlaces } from '../vaults/vault-places.ts';
import { openVaultReads } from '../vaults/vault-reads.ts';
import { countWaiting, watchedVaults } from './console-news.ts';
import type { Server } from './run-server.ts';

/** How the console reaches the vaults: those of this machine, or of a cluster. */
export interface ConsoleVaults {
  /** The vaults that there are now, with their folders. */
  list(): readonly VaultChoice[];
  /** The service with the toolset of the console. */
  service(): Promise<Pick<Service, 'list' | 'call' | 'disconnected'>>;
  /** Where the owner decides in the vault that a caller means. */
  desk(caller: Caller): ConsoleDesk;
  picture(path: string, caller: Caller): Promise<Picture>;
  /** What clients have read in the vault that a caller means. */
  reads(caller: Caller): Pick<ReadLog, 'entries'>;
  /** The names of tokens and of clients that have signed in, by their ids. */
  names(): Promise<TokenNames>;
  /** What happens in the vaults. */
  readonly news: ConsoleNews;
  /** How many questions and proposals wait in all vaults. */
  waiting(): Promise<number>;
  /** The vaults whose size is kept by this process. */
  counted(): readonly VaultSource[];
}

/** The vaults that a server of one machine serves. */
export function machineVaults(
  shell: Shell,
  { vaults, choices }: Pick<Server, 'vaults' | 'choices'>,
): ConsoleVaults {
  const meant = (caller: Caller): VaultSource => vaultMeant(vaults, caller);
  return {
    list: () => choices,
    async service() {
      const { consoleToolset } = await import('../../tools/console/console-toolset.ts');
      const { createService } = await import('../../tools/service/service.ts');
      return createService(vaults, [consoleToolset], nodeTimers);
    },
    desk: (caller) => deskHere(meant(caller)),
    async picture(path, caller) {
      const { readPicture } = await import('./console-picture.ts');
      return readPicture(meant(caller), path, caller);
    },
    reads: (caller) => {
      const choice = vaultMeant(choices, { ...caller, vault: meant(caller).name });
      return openVaultReads(vaultPlaces(choice, shell.env).folders);
    },
    async names() {
      const all = choices.map((choice) => tokenNames(choice, shell, { ended: true }));
      return new Map((await Promise.all(all)).flatMap((each) => [...each]));
    },
    news: watchedVaults(vaults, nodeTimers),
    waiting: () => countWaiting(vaults),
    counted: () => vaults,
  };
}

/** The vault that a caller means; the only one when it names none. Fails with `invalid_input`. */
export function vaultMeant<V extends { readonly name: string }>(
  vaults: readonly V[],
  { vault }: Pick<Caller, 'vault'>,
): V {
  const [only, ...others] = vaults;
  const found = vault === undefined ? only : vaults.find(({ name }) => name === vault);
  if (found !== undefined && (vault !== undefined || others.length === 0)) return found;
  throw new VaultError('invalid_input', 'Say which vault is meant, with its name as "vault".');
}
