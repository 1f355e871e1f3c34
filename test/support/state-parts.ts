import { whileBusy } from '../../src/sqlite/connection/while-busy.ts';
import { openCommitLock } from '../../src/sqlite/lock/commit-lock.ts';
import { openSqliteState } from '../../src/sqlite/state/sqlite-state-store.ts';

/** What a worker with the history alone is given. */
export const stateParts = {
  openState: openSqliteState,
  openLock: openCommitLock,
  whileBusy,
  openStore: unused,
  openMeaning: unused,
  openReader: unused,
  loadStore: unused,
  releaseClosed: unused,
};

function unused(): never {
  throw new Error('the state needs no such part');
}
