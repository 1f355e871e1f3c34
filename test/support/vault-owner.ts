import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { type Gate, openGate } from '../../src/node/gate/gate.ts';
import { gateWrites } from '../../src/node/gate/gate-writes.ts';
import { nodeRandom } from '../../src/node/system/node-ports.ts';
import type { Postgres } from '../../src/postgres/connection/postgres.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { openWrittenFolder, type WrittenVault } from './written-vault.ts';

/** A vault, and the fence number of the owner that opens it. */
export interface OwnedFolder {
  /** The folder of the vault. */
  readonly folder: string;
  /** The folder of its gates; absent where they are switched off. */
  readonly gates?: string;
  readonly vault: number;
  readonly epoch: number;
  /** How long it waits, once older gates are closed, before it looks at the vault. */
  readonly settleMs?: number;
}

/** Where the vault and the gates of a test are, in one folder. */
export function placesIn(root: string): { readonly folder: string; readonly gates: string } {
  return { folder: join(root, 'vault'), gates: join(root, '.vaultdoor', 'gates', '1') };
}

/** Opens a vault as its owner does, with the history in PostgreSQL, once older gates are closed. */
export async function openOwned(
  postgres: Postgres,
  { folder, gates, vault, epoch, settleMs = 0 }: OwnedFolder,
  wrap: <State>(state: State) => State = (state) => state,
): Promise<WrittenVault & { readonly gate?: Gate }> {
  const gate = gates === undefined ? undefined : await openGate({ folder: gates, epoch });
  await gate?.closeOlder();
  if (settleMs > 0) await setTimeout(settleMs);
  const state = openPostgresState(postgres, { vault, epoch });
  const lock = { tryTake: async () => true, release: async () => {}, close: async () => {} };
  const { questions, proposals, dayTotals } = state;
  const none = { calls: () => 0, faulted: () => false, kill: () => {} };
  const opened = await openWrittenFolder(folder, {
    process: { state: wrap(state), lock, questions, proposals, dayTotals, ...none },
    parts: {
      disk: openNodeDisk(folder, gate === undefined ? {} : { writes: gateWrites(gate) }),
      random: nodeRandom,
    },
  });
  return { ...opened, ...(gate === undefined ? {} : { gate }) };
}
