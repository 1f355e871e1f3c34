import { seededRandom } from '../../bench/random.ts';
import type { WritableDisk } from '../../src/engine/ports/ports.ts';
import type { CommitLock, StateStore } from '../../src/engine/ports/state-store.ts';
import { type CrashChoice, DurableTree } from './durable-tree.ts';
import { type MemoryDisk, memoryDiskOf } from './memory-disk.ts';
import type { StateProcess } from './memory-state.ts';
import { isRead, wrapDisk } from './wrap-disk.ts';

/** The power went out. Not a `VaultError`: nobody can catch it and go on. */
export class Crash extends Error {}

export interface CrashingDisk extends WritableDisk {
  /** How many moments there were so far at which the power could have gone out. */
  readonly moments: number;
  readonly crashed: boolean;
  /** The disk after the next start. May be asked more than once: it changes nothing here. */
  afterCrash(choice: CrashChoice): MemoryDisk;
}

/** Everything reached the disk. */
export const keepAll: CrashChoice = { names: () => true, content: ({ current }) => current };

/** Nothing reached the disk that was not synced; a file that never was is empty. */
export const dropAll: CrashChoice = {
  names: () => false,
  content: ({ synced }) => synced,
};

/** Names reached the disk and contents did not: what a missing sync of a file shows as. */
export const keepNames: CrashChoice = { names: () => true, content: dropAll.content };

/** Some of it, the same for the same seed; contents may be torn or zeros. */
export function chooseBySeed(seed: number): CrashChoice {
  const random = seededRandom(seed);
  return {
    names: () => random.chance(0.5),
    content({ synced, current }) {
      // What was synced stays where bytes were only added; a file is cut in one step.
      const kept = sharedStart(synced, current);
      if (kept === current.length) return random.pick([current, synced]);
      const torn = current.subarray(0, random.between(kept, current.length));
      const zeros = current.slice().fill(0, kept);
      return random.pick([current, synced, torn, zeros]);
    },
  };
}

/** How many bytes of a synced content its file still has, where it was only added to or cut. */
function sharedStart(synced: Uint8Array, current: Uint8Array): number {
  const length = Math.min(synced.length, current.length);
  return Buffer.compare(synced.subarray(0, length), current.subarray(0, length)) === 0 ? length : 0;
}

/**
 * A disk in memory that loses what was not synced. What it holds now is durable; from now on the
 * bytes of a file are once they are synced, a name once its folder is. With `crashAt: n` the power
 * goes out at the n-th moment: moments are before, within and after every writing call. That
 * call and every later one throws a `Crash`. What a person does to `disk` by hand is unsynced
 * too, but no moment of ours.
 */
export function crashingDisk(
  disk: MemoryDisk,
  { crashAt = Number.POSITIVE_INFINITY }: { crashAt?: number } = {},
): CrashingDisk {
  const durable = new DurableTree(disk.tree);
  let moments = 0;
  let crashed = false;
  let calling = false;
  const moment = () => {
    moments += 1;
    crashed ||= moments >= crashAt;
    if (crashed) throw new Crash();
  };
  disk.tree.onStep = (step) => {
    if (calling) moment();
    durable.record(step);
  };
  const wrapped = wrapDisk(disk, async (call, run) => {
    if (crashed) throw new Crash();
    if (isRead(call)) return run();
    calling = true; // All steps of a call are done when it answers its promise.
    const answer = run();
    calling = false;
    const result = await answer;
    moment();
    return result;
  });
  return Object.defineProperties(wrapped, {
    moments: { get: () => moments },
    crashed: { get: () => crashed },
    afterCrash: { value: (choice: CrashChoice) => memoryDiskOf(durable.afterCrash(choice)) },
  }) as CrashingDisk;
}

/** A process that makes no call any more once its disk has crashed. */
export function dyingWith(disk: CrashingDisk, process: StateProcess): StateProcess {
  const mortal = <T extends StateStore | CommitLock>(target: T): T =>
    new Proxy(target, {
      get: (object, name, receiver) => {
        const member: unknown = Reflect.get(object, name, receiver);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]) => {
          if (disk.crashed) return Promise.reject(new Crash());
          return Reflect.apply(member, object, args);
        };
      },
    });
  return { ...process, state: mortal(process.state), lock: mortal(process.lock) };
}
