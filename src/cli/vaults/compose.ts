import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { IndexKeeper } from '../../engine/index/index-keeper.ts';
import { Vault } from '../../engine/open/vault.ts';
import type { VaultSync } from '../../engine/ports/vault-sync.ts';
import type { Recovered } from '../../engine/vault/vault-parts.ts';
import { SharedWatcher } from '../../engine/watch/shared-watcher.ts';
import { openNodeDisk } from '../../node/disk/node-disk.ts';
import { openSystemTrash } from '../../node/disk/system-trash.ts';
import { openThumbnails } from '../../node/pictures/thumbnails.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import {
  findOuterLocks,
  useVaultFolders,
  type VaultFolders,
} from '../../node/place/vault-folders.ts';
import { openGitPublisher } from '../../node/programs/git/git-publisher.ts';
import { openObsidianCli } from '../../node/programs/obsidian/obsidian-cli.ts';
import { openRclone } from '../../node/programs/rclone/rclone.ts';
import { openRipgrep } from '../../node/programs/ripgrep/ripgrep.ts';
import { openRawDisk } from '../../node/raw/raw-disk.ts';
import {
  type LocalListener,
  listenLocal,
  localSocketPath,
} from '../../node/server/local-socket.ts';
import { openSessionBook, type SessionBook } from '../../node/server/session-book.ts';
import { openTokenBook, type TokenBook } from '../../node/server/token-book.ts';
import {
  nodeBase64,
  nodeClock,
  nodeHash,
  nodeRandom,
  nodeTimers,
} from '../../node/system/node-ports.ts';
import type { PollChoice } from '../../node/threads/worker-data.ts';
import { openThreadMatcher } from '../../node/workers/thread-matcher.ts';
import { openThreadScanner } from '../../node/workers/thread-scanner.ts';
import { openThreadState } from '../../node/workers/thread-state.ts';
import { openThreadStore } from '../../node/workers/thread-store.ts';
import { openThreadWatcher } from '../../node/workers/thread-watcher.ts';
import { discardIndex } from '../../sqlite/index/open-index-database.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import { LockFile, withLockFile } from '../../sqlite/lock/lock-file.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { PublishOptions, SyncOptions } from '../options/server-options.ts';
import { placesOf } from './vault-places.ts';

export interface OpenVaultOptions {
  /** The bundled program: workers run the same file. */
  readonly entryFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Watches for changes; a command that ends at once does without. */
  readonly watch: boolean;
  /** Whether indexing begins at once, or with the first question that needs it; at once if absent. */
  readonly index?: 'now' | 'when asked';
  /** Makes thumbnails where the library for them is there. */
  readonly thumbnails?: boolean;
  readonly poll?: PollChoice;
  readonly allowRoots?: readonly string[];
  /** Absent where none is set up. */
  readonly sync?: SyncOptions;
  /** Absent where none is set up. */
  readonly publish?: PublishOptions;
  /** Is told when a change was finished or taken back whose process had died. */
  readonly onRecovered?: (recovered: Recovered) => void;
}

/** The tokens of these vaults. The folders where they are kept are made when one is first needed. */
export function openVaultTokens(
  choices: readonly VaultChoice[],
  env: OpenVaultOptions['env'],
): TokenBook {
  let made: Promise<readonly string[]> | undefined;
  const make = async (choice: VaultChoice): Promise<string> => {
    const { root, folders } = placesOf(choice, env);
    await makeFolders(root, folders);
    return folders.state;
  };
  return openTokenBook({
    folders: () => {
      made ??= Promise.all(choices.map(make)).catch((error: unknown) => {
        made = undefined; // A vault that is not there yet may be the next time.
        throw error;
      });
      return made;
    },
    alone: booksAlone,
    nowMs: Date.now,
  });
}

/** What outlives a server of these vaults, for its sessions. Needs no vault to be there. */
export function openServerSessions(
  choices: readonly VaultChoice[],
  env: OpenVaultOptions['env'],
): SessionBook {
  return openSessionBook({
    file: join(appFolders(env, process.platform).state, 'sessions.json'),
    served: JSON.stringify(choices.map(({ path }) => path)),
    alone: booksAlone,
    nowMs: Date.now,
  });
}

/**
 * Listens for programs of this user that want to share a server of this vault. Fails as `listenLocal`
 * does, and as `checkVault` where the vault is not there.
 */
export async function listenForVault(
  choice: VaultChoice,
  env: OpenVaultOptions['env'],
  onConnection: (socket: Socket) => void,
): Promise<LocalListener> {
  const { root, folders } = placesOf(choice, env);
  await makeFolders(root, folders);
  return listenLocal({
    path: localSocketPath(folders, process.platform),
    alone: (work) => booksAlone(folders.state, work),
    onConnection,
    says: {
      taken: 'Another server of this vault listens already.',
      shorter: 'set XDG_STATE_HOME to a shorter one',
    },
  });
}

/** Listens where the clients of a daemon look for it. Fails as `listenLocal` does. */
export function listenForRemote(
  path: string,
  env: OpenVaultOptions['env'],
  onConnection: (socket: Socket) => void,
): Promise<LocalListener> {
  const { state } = appFolders(env, process.platform);
  return listenLocal({
    path,
    alone: (work) => withLockFile(join(state, 'daemon-lock.db'), work),
    onConnection,
    says: {
      taken: `A daemon listens at "${path}" already; stop it first, or listen elsewhere (--socket).`,
      shorter: 'give a shorter one (--socket)',
    },
  });
}

function booksAlone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  return withLockFile(join(folder, 'books-lock.db'), work);
}

/**
 * Opens a vault and begins to index it in the background, unless that is to wait. The only place
 * that sees every part.
 */
export function openVault(choice: VaultChoice, options: OpenVaultOptions): Vault {
  const { entryFile, env, watch, poll = 'auto', allowRoots = [], onRecovered } = options;
  const { sync, publish, index = 'now', thumbnails = false } = options;
  const { platform } = process;
  const { root, folders } = placesOf(choice, env);
  const file = join(folders.cache, 'index.db');
  const leaseFile = join(folders.cache, 'build.db');
  const markerFolder = join(folders.cache, 'watch');
  let prepared: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    prepared ??= makeFolders(root, folders);
    return prepared;
  };
  const disk = openNodeDisk(root, {
    allowRoots,
    // What is mounted there now is what an empty folder is measured by at the next start.
    onReplaced: () => void makeFolders(root, folders).catch(() => undefined),
  });
  const when = index === 'now' ? 'now' : 'called';
  const scanner = openThreadScanner({ entryFile, root, allowRoots, when });
  const watcher = watch
    ? new SharedWatcher(openThreadWatcher({ entryFile, root, allowRoots, poll, markerFolder }))
    : undefined;
  const keeper = new IndexKeeper({
    disk,
    scanner,
    ...(watcher === undefined ? {} : { watcher }),
    clock: nodeClock,
    timers: nodeTimers,
    openStore: async ({ fresh }) => {
      await prepare();
      if (fresh) discardIndex(file);
      return openThreadStore({ entryFile, file, leaseFile, vault: root });
    },
  });
  if (index === 'now') keeper.start();
  const { state, lock } = openThreadState({
    entryFile,
    stateFile: join(folders.state, 'state.db'),
    lockFile: join(folders.state, 'lock.db'),
    outer: findOuterLocks(root, env, platform),
    prepare,
  });
  const trash = openSystemTrash({ root, env, platform });
  const maker = thumbnails
    ? openThumbnails({ entryFile, cacheFolder: join(folders.cache, 'thumbnails') })
    : undefined;
  return new Vault({
    name: choice.name,
    location: root,
    disk,
    files: openRawDisk(root, { check: () => disk.check() }),
    ...(maker === undefined ? {} : { thumbnails: maker }),
    ...(watcher === undefined ? {} : { watcher }),
    scanner,
    keeper,
    clock: nodeClock,
    timers: nodeTimers,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock,
    trash,
    app: openObsidianCli({ root, env, platform }),
    matcher: openThreadMatcher({ entryFile, root, allowRoots, scanner }),
    lines: openRipgrep({ root, env, platform }),
    ...(sync === undefined ? {} : { sync: openSync(sync, { root, folders, env }) }),
    ...(publish === undefined
      ? {}
      : { publisher: openGitPublisher({ ...publish, env, platform }) }),
    outerVault: hasOuterVault(root),
    ...(onRecovered === undefined ? {} : { onRecovered }),
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
}

function openSync(
  sync: SyncOptions,
  parts: { root: string; folders: VaultFolders; env: OpenVaultOptions['env'] },
): VaultSync {
  const { root, folders, env } = parts;
  const lock = new LockFile(join(folders.state, 'sync-lock.db'));
  return openRclone({
    ...sync,
    root,
    env,
    platform: process.platform,
    stateFolder: folders.state,
    lock: { tryTake: () => lock.tryAlone(), release: () => lock.release() },
  });
}

/** Whether Obsidian has opened a folder around this one: its notes may link into this one. */
function hasOuterVault(root: string): boolean {
  const folder = dirname(root);
  return folder !== root && (existsSync(join(folder, '.obsidian')) || hasOuterVault(folder));
}

async function makeFolders(root: string, folders: VaultFolders): Promise<void> {
  try {
    await useVaultFolders(root, folders);
  } catch (cause) {
    if (cause instanceof VaultError) throw cause;
    throw new VaultError(
      'io_failed',
      `Vaultdoor cannot write to "${folders.cache}" or "${folders.state}"; set XDG_CACHE_HOME and XDG_STATE_HOME to folders that you may write to.`,
      { cause },
    );
  }
}
