import { isMainThread, workerData } from 'node:worker_threads';
import { runWorker } from '../node/run-worker.ts';
import { isWorkerData } from '../node/worker-data.ts';
import { openCommitLock } from '../sqlite/commit-lock.ts';
import { openSqliteIndex } from '../sqlite/sqlite-index-store.ts';
import { openSqliteState } from '../sqlite/sqlite-state-store.ts';
import { type Entry, runProcess } from './run-process.ts';

declare const VAULTDOOR_VERSION: string;
declare const VAULTDOOR_FILE: string;

/**
 * Starts a bundled program: what `load` brings in its process, or, since threads run the same file,
 * what a thread was started for.
 */
export function startProgram(load: Entry['load']): void {
  if (!isMainThread && isWorkerData(workerData)) {
    runWorker(workerData, {
      openStore: openSqliteIndex,
      openState: openSqliteState,
      openLock: openCommitLock,
    });
  } else {
    void runProcess({ version: VAULTDOOR_VERSION, entryFile: VAULTDOOR_FILE, load });
  }
}
