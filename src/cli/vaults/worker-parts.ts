import type { WorkerParts } from '../../node/workers/run-worker.ts';

/** What workers are given. Each part is loaded when it is opened, in the thread that opens it. */
export const workerParts: WorkerParts = {
  openStore: async (files) =>
    (await import('../../sqlite/index/sqlite-index-store.ts')).openSqliteIndex(files),
  loadStore: async () => {
    await import('../../sqlite/index/sqlite-index-store.ts');
    return (await import('../../sqlite/connection/open-database.ts')).hasFullText();
  },
  openMeaning: async (files) =>
    (await import('../../sqlite/meaning/sqlite-meaning-store.ts')).openSqliteMeaning(files),
  openState: async (options) =>
    (await import('../../sqlite/state/sqlite-state-store.ts')).openSqliteState(options),
  openLock: async (options) =>
    (await import('../../sqlite/lock/commit-lock.ts')).openCommitLock(options),
  whileBusy: async (waitMs, call) =>
    (await import('../../sqlite/connection/while-busy.ts')).whileBusy(waitMs, call),
  releaseClosed: async () =>
    (await import('../../sqlite/connection/release-closed-files.ts')).releaseClosedFiles(),
  openReader: async (format) =>
    format === 'json'
      ? (await import('../../base/read-json.ts')).readJson
      : (await import('../../doors/remote/read-request.ts')).readRequest,
};
