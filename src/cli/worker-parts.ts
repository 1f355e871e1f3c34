import type { WorkerParts } from '../node/run-worker.ts';
import { openCommitLock } from '../sqlite/commit-lock.ts';
import { openSqliteIndex } from '../sqlite/sqlite-index-store.ts';
import { openSqliteState } from '../sqlite/sqlite-state-store.ts';

/** What the threads of every program are made of. */
export const workerParts: WorkerParts = {
  openStore: openSqliteIndex,
  openState: openSqliteState,
  openLock: openCommitLock,
};
