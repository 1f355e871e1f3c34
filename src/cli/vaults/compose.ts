import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { rethrowIfAway } from '../../base/vault-error.ts';
import { DocumentTexts } from '../../engine/index/document-texts.ts';
import { IndexKeeper } from '../../engine/index/index-keeper.ts';
import { Vault } from '../../engine/open/vault.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import type { OwnerNotice } from '../../engine/ports/questions.ts';
import type { ReadLog } from '../../engine/ports/read-log.ts';
import type { CommitLock } from '../../engine/ports/state-store.ts';
import type { VaultState } from '../../engine/ports/vault-state.ts';
import type { VaultSync } from '../../engine/ports/vault-sync.ts';
import type { Recovered } from '../../engine/vault/vault-parts.ts';
import { SharedWatcher } from '../../engine/watch/shared-watcher.ts';
import { openAttachFolder } from '../../node/disk/attach-folder.ts';
import { openNodeDisk } from '../../node/disk/node-disk.ts';
import { openSystemTrash } from '../../node/disk/system-trash.ts';
import type { Gate } from '../../node/gate/gate.ts';
import { gateWrites } from '../../node/gate/gate-writes.ts';
import { openThumbnails } from '../../node/pictures/thumbnails.ts';
import {
  type ClusterAbove,
  clusterAbove,
  servedByCluster,
} from '../../node/place/cluster-above.ts';
import { answersAtOnce } from '../../node/place/drive-kind.ts';
import { findOuterLocks, type VaultFolders } from '../../node/place/vault-folders.ts';
import { openGitPublisher } from '../../node/programs/git/git-publisher.ts';
import { openObsidianCli } from '../../node/programs/obsidian/obsidian-cli.ts';
import { endLeftRclone, syncFolderIn } from '../../node/programs/rclone/left-rclone.ts';
import { openRclone } from '../../node/programs/rclone/rclone.ts';
import { openRipgrep } from '../../node/programs/ripgrep/ripgrep.ts';
import { openRawDisk } from '../../node/raw/raw-disk.ts';
import {
  nodeBase64,
  nodeClock,
  nodeHash,
  nodeRandom,
  nodeTimers,
  nodeTurn,
} from '../../node/system/node-ports.ts';
import type { SharedThreads } from '../../node/threads/shared-threads.ts';
import type { PollChoice } from '../../node/threads/worker-data.ts';
import { openThreadDocumentReader } from '../../node/workers/thread-document-reader.ts';
import { openThreadMatcher } from '../../node/workers/thread-matcher.ts';
import { openThreadNoteWorker } from '../../node/workers/thread-note-worker.ts';
import { openThreadQueryRunner } from '../../node/workers/thread-query-runner.ts';
import { openThreadScanner } from '../../node/workers/thread-scanner.ts';
import { openThreadState } from '../../node/workers/thread-state.ts';
import { openThreadStore } from '../../node/workers/thread-store.ts';
import { openThreadWatcher } from '../../node/workers/thread-watcher.ts';
import { discardIndex } from '../../sqlite/index/open-index-database.ts';
import { LockFile } from '../../sqlite/lock/lock-file.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { PublishOptions, SyncOptions } from '../options/server-options.ts';
import {
  openScannerInPlace,
  openStateInPlace,
  openStateNear,
  openStoreInPlace,
} from './in-place.ts';
import { type MeaningOptions, openMeaning } from './open-meaning.ts';
import { makeCacheFolder, makeStateFolder, vaultPlaces } from './vault-places.ts';
import { dropOldVaultReads, openVaultReads } from './vault-reads.ts';

/** What of a vault is not kept in files of this machine. */
interface ClusterParts {
  readonly state: Omit<VaultState, 'finishAll' | 'numbers' | 'checkpoint'>;
  readonly lock: CommitLock;
  readonly reads?: ReadLog;
}

interface OpenVaultOptions {
  /** The bundled program: workers run the same file. */
  readonly entryFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The threads that the vaults of this process share; absent where there is one vault. */
  readonly threads?: SharedThreads;
  /** Whether other vaults share them. */
  readonly hasOthers?: boolean;
  /** See `VaultParts`. */
  readonly sleepMs?: number;
  /**
   * Whether to watch the folder for changes, and to make thumbnails if the library for them is
   * installed; a command that ends at once does neither.
   */
  readonly watch: boolean;
  /** Whether indexing begins now (the default) or with the first call that needs the index. */
  readonly index?: 'now' | 'when asked';
  /** The folder from which clients may add attachments by name, as an absolute path. */
  readonly attachFrom?: string;
  /** The embedding model; absent where nothing is searched by meaning. */
  readonly meaning?: MeaningOptions;
  readonly poll?: PollChoice;
  readonly allowRoots?: readonly string[];
  /** What `vault_sync` does; absent where there is no such tool. */
  readonly sync?: SyncOptions;
  /** Where `adr_publish` writes; absent where there is no such tool. */
  readonly publish?: PublishOptions;
  /** Keeps which files clients read; `onFailure` is told once when that cannot be written. */
  readonly logReads?: { readonly onFailure: (reason: string) => void };
  /** Tells the owner that something waits. */
  readonly notice?: OwnerNotice;
  /** Called after an interrupted change, of a process that died, was finished or taken back. */
  readonly onRecovered?: (recovered: Recovered) => void;
  /** See `VaultParts`. */
  readonly onProblem?: (problem: string) => void;
  /** For a node of a cluster, which alone may write to its vaults: what is kept for all machines. */
  readonly cluster?: ClusterParts;
  /** What every destructive step passes where several machines share the vault. */
  readonly gate?: Gate;
  /** See `VaultParts`. */
  readonly onFenced?: () => void;
  /** Called after each walk through the vault, with how long it took. */
  readonly onWalk?: (seconds: number) => void;
  /** Called when the vault's history was removed or replaced while it was in use. */
  readonly onHistoryLost?: () => void;
}

/**
 * Opens a vault: makes every part that answers a port of the engine and joins them. The only function
 * that sees all of them. Indexing runs in the background. Fails as `checkVault` does.
 */
export function openVault(choice: VaultChoice, options: OpenVaultOptions): Vault {
  const { entryFile, env, watch, poll = 'auto', allowRoots = [], onRecovered, onProblem } = options;
  const { sync, publish, index = 'now', attachFrom } = options;
  const { platform } = process;
  const { cluster } = options;
  const { root, folders } = vaultPlaces(choice, env, { isImported: cluster !== undefined });
  // Looked for once, so that a commit costs no more: see `docs/cluster.md`.
  const above = cluster === undefined ? clusterAbove(root) : undefined;
  let prepared: Promise<void> | undefined;
  const prepareState = (): Promise<void> => {
    prepared ??= makeStateFolder(root, folders).catch((error: unknown) => {
      prepared = undefined; // The next call tries again.
      throw error;
    });
    return prepared;
  };

  // The files, and what scans and watches them.
  const disk = openNodeDisk(root, {
    allowRoots,
    ...(options.gate === undefined ? {} : { writes: gateWrites(options.gate) }),
    // Another folder or drive is at the path now. Remember it: the next start must tell an empty
    // vault from a missing drive.
    onReplaced: () => void makeStateFolder(root, folders).catch(() => undefined),
  });
  const file = join(folders.cache, 'index.db');
  const leaseFile = join(folders.cache, 'build.db');
  // A command that ends at once does everything in its own thread, but for building a first index.
  const hasIndex = existsSync(file);
  const isShort = !watch && hasIndex;
  const when = index === 'now' ? 'now' : 'called';
  // Index and history are in the user's own folders, so their threads can be shared. A thread that
  // reads the vault cannot if the vault's drive may hang: it would hold up all other vaults.
  const own = options.threads === undefined ? {} : { openThread: options.threads.open };
  const isAtOnce = [root, ...allowRoots].every((folder) => answersAtOnce(folder, platform));
  const ofVault = isAtOnce ? { ...own, hasOthers: options.hasOthers === true } : {};
  // Long work has threads of its own where it would hold up other vaults.
  const hasOthers = options.threads !== undefined && options.hasOthers === true;
  const scanner = isShort
    ? openScannerInPlace({ root, allowRoots })
    : openThreadScanner({ entryFile, root, allowRoots, when, ...ofVault });
  if (options.onWalk !== undefined) timeWalks(scanner, options.onWalk);
  const markerFolder = join(folders.cache, 'watch');
  const watcher = watch
    ? new SharedWatcher(
        openThreadWatcher({ entryFile, root, allowRoots, poll, markerFolder, ...ofVault }),
      )
    : undefined;

  const lines = openRipgrep({ root, env, platform });

  // The index, in a file of the cache folder.
  const openIndex = (
    files: Parameters<typeof openStoreInPlace>[0],
    how: { readonly isLong: boolean; readonly onDeath: () => void },
  ) =>
    isShort ? openStoreInPlace(files) : openThreadStore({ entryFile, ...files, ...own, ...how });
  const keeper = new IndexKeeper({
    disk,
    scanner,
    ...(watcher === undefined ? {} : { watcher }),
    // On other systems, reading every file may fetch files that are only in the cloud.
    ...(watch && isAtOnce && !hasIndex && platform === 'linux' ? { search: lines } : {}),
    clock: nodeClock,
    timers: nodeTimers,
    movesWhenBuilt: hasOthers,
    openStore: async ({ fresh, inMemory, isBuilt, onDeath }) => {
      const how = { isLong: hasOthers && !isBuilt, onDeath };
      if (inMemory) {
        onProblem?.('The index cannot be written, so it is in memory until the next start.');
        const bytesMax = limits.memoryIndexBytesMax;
        return openIndex({ file: ':memory:', leaseFile, vault: root, bytesMax }, how);
      }
      // Reading needs no state. But the next start has to know which vault was here.
      await prepareState().catch(rethrowIfAway);
      await makeCacheFolder(folders);
      if (fresh) await discardIndex(file);
      return openIndex({ file, leaseFile, vault: root }, how);
    },
  });
  if (index === 'now') keeper.start();

  // History, journal, lock and what waits for the owner, in the state folder.
  const { state, lock, questions, proposals, dayTotals } =
    clusterState(cluster) ??
    openThreadState({
      entryFile,
      stateFile: join(folders.state, 'state.db'),
      lockFile: join(folders.state, 'lock.db'),
      outer: findOuterLocks(root, env, platform),
      ...(watch ? near(folders.state) : { open: openStateInPlace }),
      prepare: prepareState,
      ...own,
      onHistoryLost: () => {
        options.onHistoryLost?.();
        prepared = undefined; // The next history needs its folder, and the record of the vault in it.
      },
    });
  const endLeft = (): Promise<void> => endLeftRclone(syncFolderIn(folders.state));

  if (watch) dropOldVaultReads(folders);

  const thumbnails = watch
    ? openThumbnails({ entryFile, cacheFolder: join(folders.cache, 'thumbnails') })
    : undefined;
  // Only a server goes on long enough, and only it reads in the background.
  const documents =
    watch && index === 'now'
      ? new DocumentTexts({ keeper, disk, reader: openThreadDocumentReader({ entryFile }) })
      : undefined;
  const meaning =
    options.meaning === undefined
      ? undefined
      : openMeaning(options.meaning, {
          entryFile,
          env,
          keeper,
          disk,
          cacheFolder: folders.cache,
          prepare: () => makeCacheFolder(folders),
          fills: watch,
        });
  return new Vault({
    name: choice.name,
    location: root,
    disk,
    files: openRawDisk(root, { check: () => disk.check() }),
    ...(thumbnails === undefined ? {} : { thumbnails }),
    ...(attachFrom === undefined ? {} : { attachFrom: openAttachFolder(attachFrom, root) }),
    ...(documents === undefined ? {} : { documents }),
    ...(meaning === undefined ? {} : { meaning }),
    ...(watcher === undefined ? {} : { watcher }),
    scanner,
    keeper,
    clock: nodeClock,
    timers: nodeTimers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock: cluster === undefined ? lockOf(lock, above, endLeft) : lock,
    questions,
    proposals,
    dayTotals,
    trash: openSystemTrash({ root, env, platform }),
    app: openObsidianCli({ root, env, platform }),
    matcher: openThreadMatcher({ entryFile, root, allowRoots, scanner }),
    worker: openThreadNoteWorker({ entryFile }),
    queries: openThreadQueryRunner({ entryFile }),
    lines,
    ...(sync === undefined ? {} : { sync: openSync(sync, { root, folders, env }) }),
    ...(publish === undefined
      ? {}
      : { publisher: openGitPublisher({ ...publish, env, platform }) }),
    ...(options.notice === undefined ? {} : { notice: options.notice }),
    ...(options.logReads === undefined
      ? {}
      : {
          reads:
            cluster?.reads ??
            openVaultReads(folders, { ...options.logReads, prepare: prepareState }),
        }),
    outerVault: hasOuterVault(root),
    ...(options.sleepMs === undefined ? {} : { sleepMs: options.sleepMs }),
    ...(onRecovered === undefined ? {} : { onRecovered }),
    ...(onProblem === undefined ? {} : { onProblem }),
    ...(options.onFenced === undefined ? {} : { onFenced: options.onFenced }),
    openIndexAgain: () => openThreadStore({ entryFile, file, leaseFile, vault: root }),
    openScratchIndex: () =>
      openThreadStore({ entryFile, file: ':memory:', leaseFile, vault: root }),
  });
}

/** The parts of a vault's state that are kept for a whole cluster. */
function clusterState(cluster: ClusterParts | undefined) {
  if (cluster === undefined) return undefined;
  const { state, lock } = cluster;
  const { questions, proposals, dayTotals } = state;
  return { state, lock, questions, proposals, dayTotals };
}

/** Where the disk with the state always answers at once, small changes are recorded in this thread. */
function near(stateFolder: string): { readonly near?: typeof openStateNear } {
  return answersAtOnce(existingFolder(stateFolder), process.platform)
    ? { near: openStateNear }
    : {};
}

/** The folder itself, or the nearest one around it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : existingFolder(dirname(folder));
}

/** The lock of this machine; a program beside a cluster gets it never. */
function lockOf(
  lock: CommitLock,
  above: ClusterAbove | undefined,
  work: () => Promise<void>,
): CommitLock {
  return above === undefined ? lockAfter(lock, work) : refusedLock(lock, above);
}

/** A commit lock that is always refused, because a cluster serves the vault. */
function refusedLock(lock: CommitLock, above: ClusterAbove): CommitLock {
  return { ...lock, tryTake: () => Promise.reject(servedByCluster(above)) };
}

/** A lock that does some work whenever it is taken. If the work fails, the lock is not taken. */
function lockAfter(lock: CommitLock, work: () => Promise<void>): CommitLock {
  return {
    ...lock,
    async tryTake() {
      if (!(await lock.tryTake())) return false;
      try {
        await work();
        return true;
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
  };
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

/** Whether a folder around this one is a vault too: its notes may link into this vault. */
function hasOuterVault(root: string): boolean {
  const folder = dirname(root);
  return folder !== root && (existsSync(join(folder, '.obsidian')) || hasOuterVault(folder));
}

/** Tells how long each walk takes. */
function timeWalks(scanner: Pick<Scanner, 'walk'>, onWalk: (seconds: number) => void): void {
  const walk = scanner.walk.bind(scanner);
  scanner.walk = async (...args) => {
    const startMs = performance.now();
    try {
      return await walk(...args);
    } finally {
      onWalk((performance.now() - startMs) / 1000);
    }
  };
}
