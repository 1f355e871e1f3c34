import { join } from 'node:path';
import type { ReadLog } from '../../engine/ports/read-log.ts';
import { openReadLog } from '../../node/owner/read-log.ts';
import type { VaultFolders } from '../../node/place/vault-folders.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';

/** What clients have read in a vault, kept in its state folder. */
export function openVaultReads(
  { state }: Pick<VaultFolders, 'state'>,
  options: {
    readonly prepare?: () => Promise<void>;
    readonly onFailure?: (reason: string) => void;
  } = {},
): ReadLog {
  return openReadLog({
    ...options,
    folder: join(state, 'reads'),
    clock: nodeClock,
    timers: nodeTimers,
  });
}
