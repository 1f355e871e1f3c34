import type { WorkerData } from '../../node/threads/worker-data.ts';
import { runWorker } from '../../node/workers/run-worker.ts';

/**
 * Does the work that a worker thread was started for. The build puts what this file imports, at once
 * or later, into the text that threads are started with, and nothing else.
 */
export async function runThread(data: WorkerData): Promise<void> {
  await runWorker(data, {
    openStore: async (files) =>
      (await import('../../sqlite/index/sqlite-index-store.ts')).openSqliteIndex(files),
    openState: async (options) =>
      (await import('../../sqlite/state/sqlite-state-store.ts')).openSqliteState(options),
    openLock: async (options) =>
      (await import('../../sqlite/lock/commit-lock.ts')).openCommitLock(options),
    openReader: async (format) =>
      format === 'json'
        ? (await import('../../base/read-json.ts')).readJson
        : (await import('../../doors/remote/read-request.ts')).readRequest,
  });
}
