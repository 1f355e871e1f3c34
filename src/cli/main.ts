import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, workerData } from 'node:worker_threads';
import { limits } from '../base/limits.ts';
import { runWorker } from '../node/run-worker.ts';
import { isWorkerData } from '../node/worker-data.ts';
import { openCommitLock } from '../sqlite/commit-lock.ts';
import { openSqliteIndex } from '../sqlite/sqlite-index-store.ts';
import { openSqliteState } from '../sqlite/sqlite-state-store.ts';
import { exitCodes } from './exit-codes.ts';

declare const VAULTDOOR_VERSION: string;

if (!isMainThread && isWorkerData(workerData)) {
  runWorker(workerData, {
    openStore: openSqliteIndex,
    openState: openSqliteState,
    openLock: openCommitLock,
  });
} else {
  await main();
}

async function main(): Promise<void> {
  // Regular expressions in a vault's settings may be such that they take for ever: V8 then
  // switches to an engine whose time is linear, where the expression allows it.
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  const interrupted = new AbortController();
  const interrupt = (): void => {
    interrupted.abort();
    // The second signal, of either kind, ends us at once.
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  // Not above: threads run this file too, and have no use for the commands and their schemas.
  const { run } = await import('./run.ts');
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
      version: VAULTDOOR_VERSION,
      entryFile: fileURLToPath(import.meta.url),
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
