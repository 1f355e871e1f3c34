import { join } from 'node:path';
import type { ReadLog } from '../../engine/ports/read-log.ts';
import { dropOldReads, openReadLog } from '../../node/owner/read-log.ts';
import type { VaultFolders } from '../../node/place/vault-folders.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';

/** Drops what is kept of reads that were too long ago, also where a server keeps none now. */
export function dropOldVaultReads(folders: Pick<VaultFolders, 'state'>): void {
  // A failure leaves the files for the next start, or for `vaultdoor reads`.
  void dropOldReads(folderIn(folders), nodeClock.nowMs()).catch(() => undefined);
}

/** What clients have read in a vault, kept in its state folder. */
export function openVaultReads(
  folders: Pick<VaultFolders, 'state'>,
  options: {
    readonly prepare?: () => Promise<void>;
    readonly onFailure?: (reason: string) => void;
  } = {},
): ReadLog {
  return openReadLog({
    ...options,
    folder: folderIn(folders),
    clock: nodeClock,
    timers: nodeTimers,
  });
}

function folderIn({ state }: Pick<VaultFolders, 'state'>): string {
  return join(state, 'reads');
}
