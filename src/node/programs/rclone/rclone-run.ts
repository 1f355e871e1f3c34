import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { limits } from '../../../base/limits.ts';
import { abortReason, VaultError } from '../../../base/vault-error.ts';
import type { VaultSync } from '../../../engine/ports/vault-sync.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { makePrivateFolder } from '../../system/private-files.ts';
import { streamProgram } from '../run-program.ts';
import { forgetRclone, recordRclone } from './left-rclone.ts';
import { clearPulled, mendPartialFiles, type PulledFolders, placePulled } from './place-pulled.ts';
import { type RcloneCounts, RcloneLog, remoteSecrets } from './rclone-log.ts';

type RunOptions = Parameters<VaultSync['run']>[0];

/** What a run needs to know about the vault and about rclone. */
interface RcloneSetup {
  /** The path of rclone. */
  readonly program: string;
  /** The vault's real path. */
  readonly root: string;
  /** The other copy of the vault, as rclone writes it: `remote:path`. */
  readonly remote: string;
  /** The folder in the vault's state folder in which rclone's files are kept. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How rclone ended: what it has copied, and its failure if it failed. */
interface RcloneAnswer {
  readonly counts: RcloneCounts;
  readonly failure?: VaultError;
}
type Counts = Pick<RcloneCounts, 'transferred' | 'deleted' | 'bytes'>;

/** The options of every rclone command. */
const common = [
  ...['--use-json-log', '--stats', '1s', '-v'],
  ...['--exclude', '.~vd-*.tmp'],
  '--ask-password=false',
];

/** One synchronisation; see `openRclone`. The caller holds the lock. */
export class RcloneRun {
  readonly #setup: RcloneSetup;
  readonly #options: RunOptions;
  /** Exists while rclone writes to the final places, and after it was interrupted there. */
  readonly #interruptedFile: string;
  #reportedBytes = 0;

  constructor(setup: RcloneSetup, options: RunOptions) {
    this.#setup = setup;
    this.#options = options;
    this.#interruptedFile = join(setup.folder, 'torn');
  }

  async push(): Promise<Counts> {
    const { root, remote } = this.#setup;
    if (this.#wasInterrupted()) await this.#fetch(async () => undefined);
    // rclone fails for a note that is saved while it is copied, so it may try again.
    const retries = ['--retries', '5', '--retries-sleep', '200ms'];
    const { failure, counts } = await this.#writeInPlace(
      ['copy', '--update', ...retries, '--', root, remote],
      'Some files may have been copied to the remote by then; the vault was not changed.',
    );
    if (failure !== undefined) throw failure;
    return counts;
  }

  pull(): Promise<Counts> {
    return this.#fetch((folders) => this.#place(folders));
  }

  async bisync(): Promise<Counts> {
    const { root, remote, folder } = this.#setup;
    const id = createHash('sha256').update(`${root}\0${remote}`).digest('hex').slice(0, 16);
    const workdir = join(folder, `bisync-${id}`);
    // After an interrupted run, rclone cannot use what it remembers of the two sides.
    if (this.#wasInterrupted()) await rm(workdir, { recursive: true, force: true });
    await makePrivateFolder(workdir);
    const names = await readdir(workdir);
    // Whether rclone has its lists of both sides from an earlier run.
    const isKnown = ['.path1.lst', '.path2.lst'].every((end) =>
      names.some((name) => name.endsWith(end)),
    );
    const pulled = isKnown ? undefined : await this.pull();
    const start = isKnown ? [] : ['--resync', '--update'];
    const { failure, counts } = await this.#options.alone(() =>
      this.#writeInPlace(
        ['bisync', ...start, '--workdir', workdir, '--', root, remote],
        'Some files may have been copied or removed by then, on either side.',
        (group) => recordRclone(folder, group),
      ).finally(() => forgetRclone(folder)),
    );
    if (failure !== undefined) throw failure;
    return {
      transferred: counts.transferred + (pulled?.transferred ?? 0),
      deleted: counts.deleted,
      bytes: counts.bytes + (pulled?.bytes ?? 0),
    };
  }

  /**
   * Lets rclone copy what differs into a folder of ours, then does some work with it while nobody
   * changes the vault. Mends the partial files of an interrupted run before that.
   */
  async #fetch<T>(work: (folders: PulledFolders) => Promise<T>): Promise<T> {
    const { root, remote, folder } = this.#setup;
    const time = new Date().toISOString().replaceAll(':', '');
    const replaced = join(folder, 'replaced', time);
    const folders: PulledFolders = { root, incoming: join(folder, 'incoming'), replaced };
    await clearPulled(folders);
    await makePrivateFolder(folders.incoming);
    await dropOld(join(folder, 'replaced'));
    try {
      const args = ['copy', '--compare-dest', root, '--', remote, folders.incoming];
      const { failure } = await this.#rclone(args, 'The vault was not changed.');
      // If only some files failed, the others are complete and can be used.
      if (failure !== undefined && !isPartial(failure)) throw failure;
      const result = await this.#options.alone(async () => {
        if (this.#wasInterrupted()) await mendPartialFiles(folders);
        return work(folders);
      });
      if (failure !== undefined) throw failure;
      await rm(this.#interruptedFile, { force: true });
      return result;
    } finally {
      await clearPulled(folders);
    }
  }

  /** Whether an earlier rclone was ended while it wrote files, so that there may be partial ones. */
  #wasInterrupted(): boolean {
    return existsSync(this.#interruptedFile);
  }

  /**
   * Runs a command of rclone that writes to the final places, and records on disk if it is
   * interrupted. `stopped` is the sentence that says what it may have done by then.
   */
  async #writeInPlace(
    args: readonly string[],
    stopped: string,
    beforeStart?: (group: number) => void,
  ): Promise<RcloneAnswer> {
    await makePrivateFolder(dirname(this.#interruptedFile));
    await writeFile(this.#interruptedFile, '');
    const answer = await this.#rclone(args, stopped, beforeStart);
    if (answer.failure?.details['exitCode'] !== null)
      await rm(this.#interruptedFile, { force: true });
    return answer;
  }

  /** Moves what rclone has fetched into the vault. */
  async #place(folders: PulledFolders): Promise<Counts> {
    const { signal } = this.#options;
    if (signal.aborted) throw abortReason(signal);
    const { files, bytes, refused } = await placePulled(folders, signal);
    if (signal.aborted) {
      const { code, message } = abortReason(signal);
      const whole = `${message} ${files} files had been copied into the vault by then.`;
      throw new VaultError(code, whole, { details: { outcome: 'unknown' } });
    }
    if (refused.length > 0) throw inTheWay(refused, files);
    return { transferred: files, deleted: 0, bytes };
  }

  /** Runs rclone to its end. Returns its failure, but throws when the call is cancelled. */
  async #rclone(
    args: readonly string[],
    stopped: string,
    beforeStart?: (group: number) => void,
  ): Promise<RcloneAnswer> {
    const { program, env, root, remote, folder } = this.#setup;
    const log = new RcloneLog((counts) => this.#report(counts));
    const [command = '', ...rest] = args;
    const { exitCode } = await streamProgram(program, [command, ...common, ...rest], {
      env: rcloneEnv(env),
      signal: this.#options.signal,
      deadlineMs: limits.syncMs,
      awaitsEnd: true,
      diesWithUs: beforeStart === undefined ? {} : { beforeStart },
      says: { late: `rclone did not finish in time. ${stopped}`, stopped },
      onOutput: () => undefined,
      onErrorOutput: (bytes) => log.read(bytes),
    }).catch((error: unknown) => {
      throw couldNotStart(error);
    });
    if (exitCode === 0) return { counts: log.counts };
    const hidden = new Map<string, string>([
      [remote, 'the remote'],
      [folder, 'the state folder'],
      [root, 'the vault'],
      ...remoteSecrets(remote).map((secret) => [secret, '…'] as const),
    ]);
    return { counts: log.counts, failure: failed(exitCode, log.said(hidden), stopped) };
  }

  #report({ transferred, totalFiles, bytes, totalBytes }: RcloneCounts): void {
    if (bytes <= this.#reportedBytes) return;
    this.#reportedBytes = bytes;
    this.#options.onProgress({
      done: bytes,
      ...(totalBytes >= bytes ? { total: totalBytes } : {}),
      message: `${transferred} of ${totalFiles} files are copied.`,
    });
  }
}

/** Whether only some files failed, by rclone's exit code. False for a bad option or a killed rclone. */
function isPartial({ details: { exitCode } }: VaultError): boolean {
  return exitCode === 1 || exitCode === 5 || exitCode === 6;
}

/**
 * The environment for rclone: with rclone's own settings, but without ours, and without those that
 * would change how and where it logs.
 */
function rcloneEnv(given: RcloneSetup['env']): RcloneSetup['env'] {
  const logSettings = /^RCLONE_(LOG_.*|VERBOSE|QUIET|PROGRESS|SYSLOG.*|USE_JSON_LOG|STATS.*)$/;
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !isOurs(name) && !logSettings.test(name)),
  );
}

function isOurs(name: string): boolean {
  return name.startsWith('VAULTDOOR_') || name === 'NODE_OPTIONS';
}

/** Removes copies of replaced files that are older than the history keeps changes. */
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
  const message = `rclone ${how}. ${stopped} Look at what it said, or ask the person who runs the server.`;
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
    `${files} files were copied into the vault; ${refused.length} were not, because the vault has a symlink or a folder in their place. The person who runs the server can rename one of the two, or exclude them with a filter of rclone.`,
    { excerpt: shown.join('\n') + more },
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
