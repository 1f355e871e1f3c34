import { limits } from '../../base/limits.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell, StartCache } from '../shell/shell.ts';

/** The program that is run. */
export interface Entry {
  readonly version: string;
  /** The bundled program, which workers run too. */
  readonly entryFile: string;
  readonly startCache: StartCache;
  /**
   * Loads the command line. It is not imported above because threads run the same file, and do not need
   * the commands and their schemas.
   */
  readonly load: () => Promise<(shell: Shell) => Promise<number>>;
}

/**
 * Runs a program in this process and sets the exit code. The first SIGINT or SIGTERM aborts the
 * program's signal, the second ends the process at once.
 */
export async function runProcess(entry: Entry): Promise<void> {
  const { version, entryFile, startCache, load } = entry;
  const interrupted = new AbortController();
  const interrupt = (): void => {
    interrupted.abort();
    // Without a listener, the second signal ends the process.
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  const run = await load();
  // A reader that stops reading (`vaultdoor list | head`) is not a failure.
  const outputFailed = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`vaultdoor: The output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.io_failed);
  };
  process.stdout.on('error', outputFailed);
  const errorsFailed = (): void => process.exit(exitCodes.io_failed);
  process.stderr.on('error', errorsFailed);
  let isServer = false;
  // Our timers and workers do not keep the process alive, so this does while the command runs.
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
      startCache,
      signal: interrupted.signal,
      ownStreams: () => {
        process.stdout.off('error', outputFailed);
        process.stderr.off('error', errorsFailed);
        isServer = true;
      },
    });
    // The server has waited long enough for its answers to be read, so the process ends soon.
    if (isServer) setTimeout(() => process.exit(), limits.lastLogMs).unref();
  } finally {
    clearInterval(alive);
  }
}
