import type { CommitLock } from '../../engine/ports/state-store.ts';
import { LockFile } from './lock-file.ts';

/**
 * The commit lock of a vault: its own lock file alone, and together with others those of the
 * vaults around it. So a program on a vault and one on a folder of it exclude each other, and two
 * on different folders do not. `outer` is asked at every try.
 */
export async function openCommitLock(options: {
  readonly file: string;
  readonly outer: () => readonly string[];
}): Promise<CommitLock> {
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
      // Whoever has it, in this process or another: it is not free.
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
