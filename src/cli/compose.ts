import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { VaultError } from '../base/vault-error.ts';
import { IndexKeeper } from '../engine/index-keeper.ts';
import type { Recovered } from '../engine/recover-changes.ts';
import { Vault } from '../engine/vault.ts';
import { useVaultFolders, type VaultFolders, vaultFolders } from '../node/app-folders.ts';
import { openNodeDisk } from '../node/node-disk.ts';
import { nodeClock, nodeHash, nodeRandom, nodeTimers } from '../node/node-ports.ts';
import { openObsidianCli } from '../node/obsidian-cli.ts';
import { openVaultRoot } from '../node/open-vault-root.ts';
import { outerLockFiles } from '../node/outer-locks.ts';
import { openSystemTrash } from '../node/system-trash.ts';
import { openThreadScanner } from '../node/thread-scanner.ts';
import { openThreadState } from '../node/thread-state.ts';
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
  /** Is told when a change was finished or taken back whose process had died. */
  readonly onRecovered?: (recovered: Recovered) => void;
}

/** Fails as `openVault` would, before anything is begun. */
export function checkVault(choice: VaultChoice, env: OpenVaultOptions['env']): void {
  placesOf(choice, env);
}

/** Opens a vault and begins to index it in the background. The only place that sees every part. */
export function openVault(choice: VaultChoice, options: OpenVaultOptions): Vault {
  const { entryFile, env, watch, poll = 'auto', allowRoots = [], onRecovered } = options;
  const { root, folders } = placesOf(choice, env);
  const file = join(folders.cache, 'index.db');
  const leaseFile = join(folders.cache, 'build.db');
  const markerFolder = join(folders.cache, 'watch');
  let prepared: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    prepared ??= makeFolders(root, folders);
    return prepared;
  };
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
      await prepare();
      if (fresh) discardIndex(file);
      return openThreadStore({ entryFile, file, leaseFile, vault: root });
    },
  });
  keeper.start();
  const { state, lock } = openThreadState({
    entryFile,
    stateFile: join(folders.state, 'state.db'),
    lockFile: join(folders.state, 'lock.db'),
    outer: () => outerLockFiles(root, env, process.platform),
    prepare,
  });
  const trash = openSystemTrash({ root, env, platform: process.platform });
  return new Vault({
    name: choice.name,
    location: root,
    disk,
    scanner,
    keeper,
    clock: nodeClock,
    timers: nodeTimers,
    hash: nodeHash,
    random: nodeRandom,
    state,
    lock,
    trash,
    app: openObsidianCli({ root, env, platform: process.platform }),
    outerVault: hasOuterVault(root),
    ...(onRecovered === undefined ? {} : { onRecovered }),
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
}

/** The vault's real folder, and those where we keep what is not for it. */
function placesOf(
  { path }: VaultChoice,
  env: OpenVaultOptions['env'],
): { readonly root: string; readonly folders: VaultFolders } {
  const root = openVaultRoot(path);
  const folders = vaultFolders(root, env, process.platform);
  refuseInside(root, folders);
  return { root, folders };
}

/** Whether Obsidian has opened a folder around this one: its notes may link into this one. */
function hasOuterVault(root: string): boolean {
  const folder = dirname(root);
  return folder !== root && (existsSync(join(folder, '.obsidian')) || hasOuterVault(folder));
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
