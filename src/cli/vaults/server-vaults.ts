import { resolve } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { type View, wholeVault } from '../../engine/ports/view.ts';
import type { ServerNotice } from '../../node/owner/owner-notice.ts';
import { checkChosenVault } from '../../node/place/check-chosen-vault.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import type { SharedThreads } from '../../node/threads/shared-threads.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hideInVaults, type ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openVault } from './compose.ts';
import { logMeaning } from './log-meaning.ts';
import { logPresence } from './log-presence.ts';
import { readLogOf } from './read-log-of.ts';
import { WaitingVault } from './waiting-vault.ts';

/** A vault of a server, opened with the server's options when it is first needed or found. */
export function serverVault(
  choice: VaultChoice,
  parts: {
    readonly shell: Shell;
    readonly options: ServerOptions;
    readonly logger: Logger;
    readonly notice: ServerNotice | undefined;
    /** The threads that all vaults of the server share. */
    readonly threads: SharedThreads;
    readonly hasOthers: boolean;
  },
): WaitingVault {
  const { shell, options, logger, notice, threads, hasOthers } = parts;
  const { sync, publish, attachFrom, embed } = options;
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
        threads,
        hasOthers,
        env: shell.env,
        allowRoots: options.allowRoots,
        watch: true,
        poll: options.poll,
        ...readLogOf(options, logger),
        ...(notice === undefined
          ? {}
          : { notice: notice.ofVault({ name, folder: resolve(shell.currentFolder, path) }) }),
        ...(attachFrom === undefined
          ? {}
          : { attachFrom: resolve(shell.currentFolder, attachFrom) }),
        ...(embed === undefined
          ? {}
          : {
              meaning: {
                embed,
                view: sentView(options, path),
                onProgress: logMeaning(logger, name),
              },
            }),
        ...(sync === undefined ? {} : { sync }),
        ...(publish === undefined
          ? {}
          : { publish: { ...publish, checkout: resolve(shell.currentFolder, publish.checkout) } }),
        onRecovered: ({ id, tool, outcome }) =>
          logger.log('warn', 'recovered', { vault: name, change: id, tool, outcome }),
        onProblem: (problem) => logger.log('warn', 'setting', { vault: name, problem }),
        onHistoryLost: () => logger.log('warn', 'history removed or replaced', { vault: name }),
      }),
    opened: (vault) => logPresence(vault, { name, logger, timers: nodeTimers }),
  });
}

/** What clients see of a vault without a token of their own: only that is sent to a model. */
function sentView(options: ServerOptions, folder: string): View {
  const { hideTags: tags, hideProperties: properties } = options;
  const hide = hideInVaults(options.hide, [folder]);
  const isMarked = tags.length > 0 || properties.length > 0;
  return { ...wholeVault, hide, ...(isMarked ? { marks: { tags, properties } } : {}) };
}

/** The next vault is opened when the one before is indexed, but after this time at the latest. */
const openNextAfterMs = 1_000;

/** Opens vaults one by one: opening all at once would delay the first call in any of them. */
export async function openInTurn(vaults: readonly WaitingVault[], logger: Logger): Promise<void> {
  for (const vault of vaults) {
    const timeout = new Promise<void>((resolve) => nodeTimers.after(openNextAfterMs, resolve));
    await Promise.race([openAndLog(vault, logger), timeout]);
  }
}

/** Opens a vault as soon as it exists, and logs that it is missing or that it is indexed. */
async function openAndLog(vault: WaitingVault, logger: Logger): Promise<void> {
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
    // The server has ended, or the index failed, which every call reports.
  }
}
