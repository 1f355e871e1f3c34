import type { WritableDisk } from '../../engine/ports/ports.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { isCutOff } from '../system/disk-error.ts';
import type { RawPresence } from './vault-presence.ts';

/**
 * The disk of a vault that may go away. Nothing is done while `check` fails, so that nothing is
 * written into the folder beneath a mount; and what is missing or failed is only believed when
 * the vault is there after it. `presence` says so in its place, if it can do so for less.
 */
export function guardDisk(
  disk: Omit<WritableDisk, 'check'>,
  check: WritableDisk['check'],
  presence: RawPresence = { before: check, after: check },
): WritableDisk {
  const guard =
    <Rest extends unknown[], T>(call: (...rest: Rest) => Promise<T>) =>
    async (...rest: Rest): Promise<T> => {
      await presence.before();
      let answer: T;
      try {
        answer = await call(...rest);
      } catch (error) {
        await presence.after();
        // The system may still know of the vault's folder what the drive said a moment ago.
        throw isCutOff(error) ? vaultGone('silent', error) : error;
      }
      if (saysLittle(answer)) await presence.after();
      return answer;
    };
  return {
    check,
    read: guard(disk.read),
    stat: guard(disk.stat),
    list: guard(disk.list),
    kind: guard(disk.kind),
    entry: guard(disk.entry),
    entries: guard(disk.entries),
    stage: guard(disk.stage),
    syncStaged: guard(disk.syncStaged),
    hasStaged: guard(disk.hasStaged),
    place: guard(disk.place),
    unstage: guard(disk.unstage),
    move: guard(disk.move),
    remove: guard(disk.remove),
    removeEntry: guard(disk.removeEntry),
    makeFolder: guard(disk.makeFolder),
    removeFolder: guard(disk.removeFolder),
    syncFolder: guard(disk.syncFolder),
    cannotKeep: guard(disk.cannotKeep),
  };
}

/** Whether an empty folder in the vault's place would have answered the same. */
function saysLittle(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  return answer === undefined || typeof answer === 'boolean';
}
