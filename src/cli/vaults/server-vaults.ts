import { resolve } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { checkChosenVault } from '../../node/place/check-chosen-vault.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openVault } from './compose.ts';
import { WaitingVault } from './waiting-vault.ts';

/** A vault that a server opens when it is first needed, or found. */
export function serverVault(
  choice: VaultChoice,
  parts: { readonly shell: Shell; readonly options: ServerOptions; readonly logger: Logger },
): WaitingVault {
  const { shell, options, logger } = parts;
  const { sync, publish } = options;
  const { name, path } = choice;
  return new WaitingVault({
    name,
    clock: nodeClock,
    timers: nodeTimers,
    look: async () => {
      if (options.waitForVault) await checkChosenVault({ name, path, platform: process.platform });
    },
    open: () =>
      openVault(choice, {
        entryFile: shell.entryFile,
        env: shell.env,
        allowRoots: options.allowRoots,
        watch: true,
        poll: options.poll,
        ...(sync === undefined ? {} : { sync }),
        ...(publish === undefined
          ? {}
          : { publish: { ...publish, checkout: resolve(shell.currentFolder, publish.checkout) } }),
        onRecovered: ({ id, tool, outcome }) =>
          logger.log('warn', 'recovered', { vault: name, change: id, tool, outcome }),
      }),
  });
}

/** The next vault is opened when one is indexed, or after this time. */
const openNextAfterMs = 1_000;

/** Opens vaults one by one: all at once, they would keep a first call in one of them waiting. */
export async function openInTurn(vaults: readonly WaitingVault[], logger: Logger): Promise<void> {
  for (const vault of vaults) {
    const late = new Promise<void>((resolve) => nodeTimers.after(openNextAfterMs, resolve));
    await Promise.race([logFound(vault, logger), late]);
  }
}

/** Opens a vault as soon as it is there, and tells the log, now and when it is indexed. */
async function logFound(vault: WaitingVault, logger: Logger): Promise<void> {
  const { name } = vault;
  await vault.found((error) => {
    const { code, message } = toVaultError(error);
    logger.log('warn', 'waiting for the vault', { vault: name, code, message });
  });
  const startMs = Date.now();
  try {
    const { keeper } = (await vault.open()).parts;
    await keeper.wait('facts', { waitMs: Number.POSITIVE_INFINITY });
    logger.log('info', 'indexed', { vault: name, ms: Date.now() - startMs });
  } catch {
    // We left before, or calls say what is wrong.
  }
}

/** Leaves in any case: what a disk that hangs keeps us from closing is recovered at the next start. */
export async function closeInTime(vaults: readonly WaitingVault[], logger: Logger): Promise<void> {
  const cancel = nodeTimers.after(limits.shutdownMs, () => {
    logger.log('warn', 'left without closing the vault');
    process.exit(0);
  });
  await Promise.all(vaults.map((vault) => vault.close()));
  cancel();
}
