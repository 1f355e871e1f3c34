import { isAbsolute, join, relative } from 'node:path';
import { VaultError } from '../base/vault-error.ts';
import { IndexKeeper } from '../engine/index-keeper.ts';
import { Vault } from '../engine/vault.ts';
import { useVaultFolders, type VaultFolders, vaultFolders } from '../node/app-folders.ts';
import { openNodeDisk } from '../node/node-disk.ts';
import { nodeClock, nodeTimers } from '../node/node-ports.ts';
import { openVaultRoot } from '../node/open-vault-root.ts';
import { openThreadScanner } from '../node/thread-scanner.ts';
import { openThreadStore } from '../node/thread-store.ts';
import { openThreadWatcher } from '../node/thread-watcher.ts';
import type { PollChoice } from '../node/worker-data.ts';
import { discardIndex } from '../sqlite/discard-index.ts';
import { openSqliteIndex } from '../sqlite/sqlite-index-store.ts';
import type { VaultChoice } from './choose-vault.ts';

export interface OpenVaultOptions {
  /** The bundled program: workers run the same file. */
  readonly entryFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Watches for changes; a command that ends at once does without. */
  readonly watch: boolean;
  readonly poll?: PollChoice;
  readonly allowRoots?: readonly string[];
}

/** Opens a vault and begins to index it in the background. The only place that sees every part. */
export function openVault(choice: VaultChoice, options: OpenVaultOptions): Vault {
  const { entryFile, env, watch, poll = 'auto', allowRoots = [] } = options;
  const root = openVaultRoot(choice.path);
  const folders = vaultFolders(root, env, process.platform);
  refuseInside(root, folders);
  const file = join(folders.cache, 'index.db');
  const leaseFile = join(folders.cache, 'build.db');
  const markerFolder = join(folders.cache, 'watch');
  const disk = openNodeDisk(root, { allowRoots });
  const scanner = openThreadScanner({ entryFile, root, allowRoots });
  const keeper = new IndexKeeper({
    disk,
    scanner,
    ...(watch
      ? { watcher: openThreadWatcher({ entryFile, root, allowRoots, poll, markerFolder }) }
      : {}),
    clock: nodeClock,
    timers: nodeTimers,
    openStore: async ({ fresh }) => {
      await makeFolders(root, folders);
      if (fresh) discardIndex(file);
      return openThreadStore({ entryFile, file, leaseFile, vault: root });
    },
  });
  keeper.start();
  return new Vault({
    name: choice.name,
    location: root,
    disk,
    scanner,
    keeper,
    clock: nodeClock,
    timers: nodeTimers,
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
}

/** What we keep must not lie in the vault: it would be taken for the user's files, and synced. */
function refuseInside(root: string, { cache, state }: VaultFolders): void {
  for (const folder of [cache, state]) {
    const away = relative(root, folder);
    if (away.startsWith('..') || isAbsolute(away)) continue;
    throw new VaultError(
      'invalid_input',
      `Vaultdoor would write into the vault ("${folder}"); set XDG_CACHE_HOME and XDG_STATE_HOME to folders outside of it.`,
    );
  }
}

async function makeFolders(root: string, folders: VaultFolders): Promise<void> {
  try {
    await useVaultFolders(root, folders);
  } catch (cause) {
    throw new VaultError(
      'io_failed',
      `Vaultdoor cannot write to "${folders.cache}" or "${folders.state}"; set XDG_CACHE_HOME and XDG_STATE_HOME to folders that you may write to.`,
      { cause },
    );
  }
}
