import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { limits } from '../../../base/limits.ts';
import { abortReason, VaultError } from '../../../base/vault-error.ts';
import type { SyncDirection, SyncResult, VaultSync } from '../../../engine/ports/vault-sync.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram } from '../find-program.ts';
import { streamProgram } from '../run-program.ts';
import { clearPulled, mendTorn, type PulledFolders, placePulled } from './place-pulled.ts';
import { type RcloneCounts, RcloneLog, remoteSecrets } from './rclone-log.ts';

/** What keeps two synchronisations of one vault apart, in whichever processes. */
export interface SyncLock {
  /** Takes it if it is free. Never waits. */
  tryTake(): Promise<boolean>;
  release(): void;
}

export interface RcloneOptions {
  /** The vault's real path. */
  readonly root: string;
  readonly direction: SyncDirection;
  /** The copy elsewhere, as rclone names it: `remote:path`. */
  readonly remote: string;
  /** The vault's state folder. */
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly lock: SyncLock;
}

type RunOptions = Parameters<VaultSync['run']>[0];
interface RcloneAnswer {
  readonly counts: RcloneCounts;
  readonly failure?: VaultError;
}
type Counts = Pick<RcloneCounts, 'transferred' | 'deleted' | 'bytes'>;

const common = [
  ...['--use-json-log', '--stats', '1s', '-v'],
  ...['--exclude', '.~vd-*.tmp'],
  '--ask-password=false',
];

/**
 * rclone for one vault. `push` only adds to the remote and replaces older files there. `pull` has
 * rclone bring what differs to a folder of ours first, and then places what is newer: rclone itself
 * would take notes away before it has their successors, and write over what was edited meanwhile.
 * `bisync` writes into the vault itself, so changes wait while it runs; its first run, and one after
 * a run that was cut off, pulls first, so that on each side the newer file wins. rclone may leave
 * a file that it was writing in part, with a time that makes it the newest: after a run that was cut
 * off, such files are mended before anything is copied.
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
    this.#folder = join(options.stateFolder, 'sync');
  }

  async run(options: RunOptions): Promise<SyncResult> {
    const { lock, env, platform } = this.#options;
    const name = platform === 'win32' ? 'rclone.exe' : 'rclone';
    const program = findProgram([name], { env, platform });
    if (program === undefined) throw notInstalled();
    if (this.#isRunning) throw runsAlready();
    this.#isRunning = true;
    try {
      if (!(await lock.tryTake())) throw runsAlready();
      try {
        const work = new RcloneRun({ program, folder: this.#folder, ...this.#options }, options);
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

/** One synchronisation, under the lock. */
class RcloneRun {
  readonly #setup: RcloneOptions & { readonly program: string; readonly folder: string };
  readonly #options: RunOptions;
  readonly #tornFile: string;
  #toldBytes = 0;

  constructor(
    setup: RcloneOptions & { readonly program: string; readonly folder: string },
    options: RunOptions,
  ) {
    this.#setup = setup;
    this.#options = options;
    this.#tornFile = join(setup.folder, 'torn');
  }

  async push(): Promise<Counts> {
    const { root, remote } = this.#setup;
    if (this.#isTorn()) await this.#bring(async () => undefined);
    // A note that is being edited is tried again, since it is another file each time.
    const patience = ['--retries', '5', '--retries-sleep', '200ms'];
    const { failure, counts } = await this.#whole(
      ['copy', '--update', ...patience, '--', root, remote],
      'Some files may have been copied to the remote by then; the vault is as it was.',
    );
    if (failure !== undefined) throw failure;
    return counts;
  }

  pull(): Promise<Counts> {
    return this.#bring((folders) => this.#place(folders));
  }

  async bisync(): Promise<Counts> {
    const { root, remote, folder } = this.#setup;
    const id = createHash('sha256').update(`${root}\0${remote}`).digest('hex').slice(0, 16);
    const workdir = join(folder, `bisync-${id}`);
    // What rclone remembers of one that was cut off, or that it gave up, is of no use.
    if (this.#isTorn()) await rm(workdir, { recursive: true, force: true });
    await mkdir(workdir, { recursive: true, mode: 0o700 });
    const names = await readdir(workdir);
    const isKnown = ['.path1.lst', '.path2.lst'].every((end) =>
      names.some((name) => name.endsWith(end)),
    );
    const pulled = isKnown ? undefined : await this.pull();
    const start = isKnown ? [] : ['--resync', '--update'];
    const { failure, counts } = await this.#options.alone(() =>
      this.#whole(
        ['bisync', ...start, '--workdir', workdir, '--', root, remote],
        'Some files may have been copied or removed by then, on either side.',
      ),
    );
    if (failure !== undefined) throw failure;
    return {
      transferred: counts.transferred + (pulled?.transferred ?? 0),
      deleted: counts.deleted,
      bytes: counts.bytes + (pulled?.bytes ?? 0),
    };
  }

  /**
   * Has rclone bring what differs to a folder of ours, and then does something with it while nobody
   * changes the vault. What an earlier run has torn is mended before.
   */
  async #bring<T>(work: (folders: PulledFolders) => Promise<T>): Promise<T> {
    const { root, remote, folder } = this.#setup;
    const time = new Date().toISOString().replaceAll(':', '');
    const replaced = join(folder, 'replaced', time);
    const folders: PulledFolders = { root, incoming: join(folder, 'incoming'), replaced };
    await clearPulled(folders);
    await mkdir(folders.incoming, { recursive: true, mode: 0o700 });
    await dropOld(join(folder, 'replaced'));
    try {
      const args = ['copy', '--compare-dest', root, '--', remote, folders.incoming];
      const { failure } = await this.#rclone(args, 'The vault is as it was.');
      // Those that failed are missing; the others are whole, unless it did not get that far.
      if (failure !== undefined && !isPartial(failure)) throw failure;
      const result = await this.#options.alone(async () => {
        if (this.#isTorn()) await mendTorn(folders);
        return work(folders);
      });
      if (failure !== undefined) throw failure;
      await rm(this.#tornFile, { force: true });
      return result;
    } finally {
      await clearPulled(folders);
    }
  }

  /** Whether rclone was ended while it wrote files: some may be there in part. */
  #isTorn(): boolean {
    return existsSync(this.#tornFile);
  }

  /** Runs rclone where it writes files in their place, and remembers if it could not end by itself. */
  async #whole(args: readonly string[], stopped: string): Promise<RcloneAnswer> {
    await mkdir(dirname(this.#tornFile), { recursive: true, mode: 0o700 });
    await writeFile(this.#tornFile, '');
    const answer = await this.#rclone(args, stopped);
    if (answer.failure?.details['exitCode'] !== null) await rm(this.#tornFile, { force: true });
    return answer;
  }

  async #place(folders: PulledFolders): Promise<Counts> {
    const { signal } = this.#options;
    if (signal.aborted) throw abortReason(signal);
    const { files, bytes, refused } = await placePulled(folders, signal);
    if (signal.aborted) {
      const { code, message } = abortReason(signal);
      const said = `${message} ${files} files have been brought in by then.`;
      throw new VaultError(code, said, { details: { outcome: 'unknown' } });
    }
    if (refused.length > 0) throw inTheWay(refused, files);
    return { transferred: files, deleted: 0, bytes };
  }

  /** Runs rclone to its end. That it failed is answered; that it was called off is thrown. */
  async #rclone(args: readonly string[], stopped: string): Promise<RcloneAnswer> {
    const { program, env, root, remote, folder } = this.#setup;
    const log = new RcloneLog((counts) => this.#tell(counts));
    const [command = '', ...rest] = args;
    const { exitCode } = await streamProgram(program, [command, ...common, ...rest], {
      env: rcloneEnv(env),
      signal: this.#options.signal,
      deadlineMs: limits.syncMs,
      awaitsEnd: true,
      says: { late: `rclone took longer than ${limits.syncMs} ms. ${stopped}`, stopped },
      onOutput: () => undefined,
      onErrorOutput: (bytes) => log.read(bytes),
    }).catch((error: unknown) => {
      throw couldNotStart(error);
    });
    if (exitCode === 0) return { counts: log.counts };
    const unsaid = new Map<string, string>([
      [remote, 'the remote'],
      [folder, 'the state folder'],
      [root, 'the vault'],
      ...remoteSecrets(remote).map((secret) => [secret, '…'] as const),
    ]);
    return { counts: log.counts, failure: failed(exitCode, log.said(unsaid), stopped) };
  }

  #tell({ transferred, totalFiles, bytes, totalBytes }: RcloneCounts): void {
    if (bytes <= this.#toldBytes) return;
    this.#toldBytes = bytes;
    this.#options.onProgress({
      done: bytes,
      ...(totalBytes >= bytes ? { total: totalBytes } : {}),
      message: `${transferred} of ${totalFiles} files are copied.`,
    });
  }
}

/** Whether some files failed and the others are there: not so for a bad option, or a kill. */
function isPartial({ details: { exitCode } }: VaultError): boolean {
  return exitCode === 1 || exitCode === 5 || exitCode === 6;
}

/**
 * What rclone is started with: its own settings come along, ours do not, nor what would send its
 * words elsewhere.
 */
function rcloneEnv(given: RcloneOptions['env']): RcloneOptions['env'] {
  const speech = /^RCLONE_(LOG_.*|VERBOSE|QUIET|PROGRESS|SYSLOG.*|USE_JSON_LOG|STATS.*)$/;
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !isOurs(name) && !speech.test(name)),
  );
}

function isOurs(name: string): boolean {
  return name.startsWith('VAULTDOOR_') || name === 'NODE_OPTIONS';
}

/** Removes what was replaced so long ago that history would have forgotten it too. */
async function dropOld(replaced: string): Promise<void> {
  const names = await readdir(replaced).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  const oldestMs = Date.now() - limits.historyAgeMaxMs;
  for (const name of names) {
    const folder = join(replaced, name);
    const isOld = (await stat(folder)).mtimeMs < oldestMs;
    if (isOld) await rm(folder, { recursive: true, force: true });
  }
}

function failed(exitCode: number | undefined, said: string, stopped: string): VaultError {
  const how = exitCode === undefined ? 'was ended' : `failed (exit code ${exitCode})`;
  const message = `rclone ${how}. ${stopped} Look at what it said, or ask whoever runs the server.`;
  return new VaultError('unavailable', message, {
    details: { exitCode: exitCode ?? null },
    ...(said === '' ? {} : { excerpt: said }),
  });
}

function inTheWay(refused: readonly string[], files: number): VaultError {
  const shown = refused.slice(0, 5);
  const others = refused.length - shown.length;
  const more = others === 0 ? '' : `\nand ${others} more`;
  return new VaultError(
    'conflict',
    `${files} files were brought in; ${refused.length} were not, because the vault has a symlink or a folder at their place. Whoever runs the server can rename one of the two, or leave them out with a filter of rclone.`,
    { excerpt: shown.join('\n') + more },
  );
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
    'rclone is not installed. Whoever runs the server installs it (rclone.org/install, or "apt install rclone") and makes sure that it is on PATH.',
  );
}

/** What the disk says to folders of ours; that of the vault has its own words. */
function stateFailure(error: unknown): unknown {
  const errno = errnoOf(error);
  if (error instanceof VaultError || errno === undefined) return error;
  return new VaultError(
    'io_failed',
    `The state folder of the vault could not be used (${errno}); look whether its disk is full or read-only.`,
    { cause: error, details: { errno } },
  );
}

function couldNotStart(error: unknown): unknown {
  const errno = errnoOf(error);
  if (error instanceof VaultError || errno === undefined) return error;
  return new VaultError('unavailable', `rclone could not be started (${errno}).`, {
    cause: error,
    details: { errno },
  });
}
