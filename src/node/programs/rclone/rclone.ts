import { VaultError } from '../../../base/vault-error.ts';
import type { SyncDirection, SyncResult, VaultSync } from '../../../engine/ports/vault-sync.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram } from '../find-program.ts';
import { syncFolderIn } from './left-rclone.ts';
import { RcloneRun } from './rclone-run.ts';

/** Keeps two processes from synchronising the same vault at the same time. */
interface SyncLock {
  /** Takes the lock if it is free; returns whether it did. Never waits. */
  tryTake(): Promise<boolean>;
  release(): void;
}

interface RcloneOptions {
  /** The vault's real path. */
  readonly root: string;
  readonly direction: SyncDirection;
  /** The other copy of the vault, as rclone writes it: `remote:path`. */
  readonly remote: string;
  /** The vault's state folder. */
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly lock: SyncLock;
}

type RunOptions = Parameters<VaultSync['run']>[0];

/**
 * Synchronises one vault with rclone, in one of three directions:
 * - `push` adds files to the remote and replaces older ones there.
 * - `pull` lets rclone copy what differs into a folder of ours, and then moves the newer files into
 *   the vault. rclone itself would delete notes before it has the new ones, and overwrite notes that
 *   were edited in the meantime.
 * - `bisync` lets rclone write into the vault directly, so changes by Vaultdoor wait while it runs.
 *   The first run, and the first after an interrupted one, pulls before, so that on both sides the
 *   newer file wins.
 *
 * When rclone is interrupted, it may leave a partial file that looks like the newest one. The next run
 * mends such files first (`mendPartialFiles`).
 */
export function openRclone(options: RcloneOptions): VaultSync {
  return new Rclone(options);
}

class Rclone implements VaultSync {
  readonly direction: SyncDirection;
  readonly #options: RcloneOptions;
  readonly #folder: string;
  #isRunning = false;

  constructor(options: RcloneOptions) {
    if (options.remote === '') throw new VaultError('invalid_input', 'The remote has no name.');
    this.#options = options;
    this.direction = options.direction;
    this.#folder = syncFolderIn(options.stateFolder);
  }

  async run(options: RunOptions): Promise<SyncResult> {
    const { root, remote, lock, env, platform } = this.#options;
    const name = platform === 'win32' ? 'rclone.exe' : 'rclone';
    const program = findProgram([name], { env, platform });
    if (program === undefined) throw notInstalled();
    if (this.#isRunning) throw runsAlready();
    this.#isRunning = true;
    try {
      if (!(await lock.tryTake())) throw runsAlready();
      try {
        const work = new RcloneRun({ program, root, remote, folder: this.#folder, env }, options);
        const { transferred, deleted, bytes } = await work[this.direction]();
        return { direction: this.direction, transferred, deleted, bytes };
      } catch (error) {
        throw stateFailure(error);
      } finally {
        lock.release();
      }
    } finally {
      this.#isRunning = false;
    }
  }
}

function runsAlready(): VaultError {
  return new VaultError(
    'conflict',
    'The vault is being synchronised already; try again when that has ended.',
  );
}

function notInstalled(): VaultError {
  return new VaultError(
    'unavailable',
    'rclone is not installed. The person who runs the server must install it (rclone.org/install, or "apt install rclone") so that it is on PATH.',
  );
}

/** Turns an error of the disk about our state folder into a `VaultError`. */
function stateFailure(error: unknown): unknown {
  const errno = errnoOf(error);
  if (error instanceof VaultError || errno === undefined) return error;
  return new VaultError(
    'io_failed',
    `The state folder of the vault could not be used (${errno}); look whether its disk is full or read-only.`,
    { cause: error, details: { errno } },
  );
}
