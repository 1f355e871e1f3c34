import type { ProcessLock } from '../../engine/ports/state-store.ts';
import { LockFile } from './lock-file.ts';

/**
 * The commit lock of a vault. It holds the vault's own lock file exclusively, and the lock files of
 * the vaults that contain it as one of several holders. So a process on a vault and one on a folder
 * of it exclude each other, and two processes on different folders do not. `outer` lists the lock
 * files of the containing vaults; it is called at every attempt.
 */
export async function openCommitLock(options: {
  readonly file: string;
  readonly outer: () => readonly string[];
}): Promise<ProcessLock> {
  const own = new LockFile(options.file);
  const around = new Map<string, LockFile>();
  let state: 'free' | 'taking' | 'taken' = 'free';

  const releaseAll = () => {
    for (const lock of [own, ...around.values()]) lock.release();
    state = 'free';
  };

  const takeAll = async (): Promise<boolean> => {
    const outer = options.outer();
    for (const [file, lock] of around) {
      if (outer.includes(file)) continue;
      lock.close();
      around.delete(file);
    }
    for (const file of outer) {
      const lock = around.get(file) ?? new LockFile(file);
      around.set(file, lock);
      if (!(await lock.tryTogether())) return false;
    }
    return own.tryAlone();
  };

  return {
    async tryTake() {
      // Held, or just being taken, by another call in this process.
      if (state !== 'free') return false;
      state = 'taking';
      let taken = false;
      try {
        taken = await takeAll();
      } finally {
        if (taken) state = 'taken';
        else releaseAll();
      }
      return taken;
    },
    async release() {
      if (state === 'taken') releaseAll();
    },
    async close() {
      for (const lock of [own, ...around.values()]) lock.close();
      around.clear();
      state = 'free';
    },
  };
}
