import { limits } from '../../base/limits.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';

/** Which file is run, and as what. */
export interface Entry {
  readonly version: string;
  /** The bundled program, which workers run too. */
  readonly entryFile: string;
  /**
   * Loads what is run. Not before: threads run the same file, and have no use for the commands and
   * their schemas.
   */
  readonly load: () => Promise<(shell: Shell) => Promise<number>>;
}

/**
 * Runs a program in this process: its signals, its streams, its exit code. The first SIGINT or
 * SIGTERM calls it off, the second ends it.
 */
export async function runProcess({ version, entryFile, load }: Entry): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    interrupted.abort();
    // The second signal, of either kind, ends us at once.
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  const run = await load();
  // Whoever reads us may stop reading (`vaultdoor list | head`): that is no failure.
  const outputFailed = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`vaultdoor: The output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.io_failed);
  };
  process.stdout.on('error', outputFailed);
  const errorsFailed = (): void => process.exit(exitCodes.io_failed);
  process.stderr.on('error', errorsFailed);
  let isServer = false;
  // Timers and workers never keep the process alive; the running command does.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    process.exitCode = await run({
      argv: process.argv.slice(2),
      env: process.env,
      currentFolder: process.cwd(),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      version,
      entryFile,
      signal: interrupted.signal,
      ownStreams: () => {
        process.stdout.off('error', outputFailed);
        process.stderr.off('error', errorsFailed);
        isServer = true;
      },
    });
    // It has waited for its answers to be read; a client that does not read does not keep us here.
    if (isServer) setTimeout(() => process.exit(), limits.lastLogMs).unref();
  } finally {
    clearInterval(alive);
  }
}
