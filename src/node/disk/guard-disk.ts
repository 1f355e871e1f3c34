import type { WritableDisk } from '../../engine/ports/ports.ts';
import { guardCall, type PresenceCheck } from './vault-presence.ts';

/**
 * Wraps the disk of a vault whose drive may go away; see `guardCall`. `presence` may be a cheaper way
 * to find out what `check` finds out: whether the vault is there.
 */
export function guardDisk(
  disk: Omit<WritableDisk, 'check'>,
  check: WritableDisk['check'],
  presence: PresenceCheck = { before: check, after: check },
): WritableDisk {
  const guard =
    <Rest extends unknown[], T>(call: (...rest: Rest) => Promise<T>) =>
    (...rest: Rest): Promise<T> =>
      guardCall(presence, { call: () => call(...rest), isDoubtful });
  return {
    check,
    read: guard(disk.read),
    stat: guard(disk.stat),
    list: guard(disk.list),
    kind: guard(disk.kind),
    entry: guard(disk.entry),
    entries: guard(disk.entries),
    readEnd: guard(disk.readEnd),
    append: guard(disk.append),
    cut: guard(disk.cut),
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
    ...(disk.gate === undefined
      ? {}
      : {
          gate: {
            remove: guard(disk.gate.remove),
            move: guard(disk.gate.move),
            putBack: guard(disk.gate.putBack),
          },
        }),
  };
}

/**
 * Whether the empty folder under a missing mount could have given the same answer: an empty list,
 * undefined, or a boolean (`removeFolder` answers true there). Undefined is also the answer of every
 * write, so writes are checked afterwards too.
 */
function isDoubtful(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  return answer === undefined || typeof answer === 'boolean';
}
