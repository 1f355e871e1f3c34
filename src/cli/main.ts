import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, workerData } from 'node:worker_threads';
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
  // Not above: threads run this file too, and have no use for the commands and their schemas.
  const { run } = await import('./run.ts');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  process.once('SIGTERM', () => interrupted.abort());
  // Whoever reads us may stop reading (`vaultdoor list | head`): that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`vaultdoor: The output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.io_failed);
  });
  process.stderr.on('error', () => process.exit(exitCodes.io_failed));
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
    });
  } finally {
    clearInterval(alive);
  }
}
