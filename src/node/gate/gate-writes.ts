import { type BigIntStats, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { folderOf, type VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { GatedSteps } from '../../engine/ports/ports.ts';
import {
  checkStamp,
  goalErrors,
  intoItself,
  openDiskWrites,
  stagedWrites,
  sync,
  writeContext,
} from '../disk/disk-writes.ts';
import { holdEntry, holdFolder, holdPath, holdTarget } from '../disk/hold-path.ts';
import { isSameFile } from '../disk/opened-paths.ts';
import { using } from '../disk/path-handle.ts';
import { refuseUnlessFile } from '../disk/regular-file.ts';
import { type DiskRoots, liesIn } from '../disk/vault-roots.ts';
import {
  changedByOthers,
  diskError,
  errnoOf,
  systemError,
  whileWriting,
} from '../system/disk-error.ts';
import { nodeHash } from '../system/node-ports.ts';
import { type Gate, gateGone } from './gate.ts';
import { intoFreePlace, isBack, putBack } from './put-back.ts';

/**
 * How the owner of a vault writes, deletes and moves through its gate, as the option `writes` of
 * `openNodeDisk`. Once the gate is gone, every call that would destroy something fails with `unavailable`
 * and `details.fenced`. Making a folder, and removing an empty one, does not pass the gate.
 */
export function gateWrites(gate: Gate): typeof openDiskWrites {
  return (roots, platform) => {
    const inner = openDiskWrites(roots, platform);
    const names = new GateNames(gate, roots);
    const staged = stagedWrites(writeContext(roots, platform), {
      inPlace: (path, { token, entry = false }, call) =>
        using((entry ? holdEntry : holdTarget)(roots, path), (target) =>
          call(target, join(gate.folder, token)),
        ),
      placeNew: (temporary, target) => intoFreePlace(roots, temporary, target),
    });
    return {
      ...inner,
      stage: (...args) => names.changing(() => staged.stage(...args)),
      syncStaged: (...args) => names.passing(() => staged.syncStaged(...args)),
      hasStaged: (_, token) => names.has(token),
      place: (...args) => names.passing(() => staged.place(...args)),
      unstage: async (...args) => {
        await names.passing(() => staged.unstage(...args));
        await gate.check(); // It does not fail when there is nothing.
      },
      move: withoutToken,
      remove: withoutToken,
      removeEntry: withoutToken,
      syncFolder: async (folder) => {
        await inner.syncFolder(folder);
        await names.sync();
      },
      gate: gatedSteps(gate, roots, names),
    };
  };
}

/** Only a step with a token can be found again by the next owner. */
const withoutToken = (): never => {
  throw new Error('assertion failed: a step that passes the gate has a token');
};

/** The names in a gate. */
class GateNames {
  readonly #gate: Gate;
  readonly #roots: DiskRoots;
  /** Whether there are names that may not be durable. */
  #isNew = false;

  constructor(gate: Gate, roots: DiskRoots) {
    this.#gate = gate;
    this.#roots = roots;
  }

  /** Makes a call that needs the gate. When it fails because the gate is gone, the error says that. */
  async passing<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      await this.#gate.check();
      throw error;
    }
  }

  /** The same for a call that makes a name in it. */
  changing<T>(call: () => Promise<T>): Promise<T> {
    this.#isNew = true;
    return this.passing(call);
  }

  async has(token: string): Promise<boolean> {
    return this.passing(async () => {
      const found = await this.#roots.calls.lstatIfThere(join(this.#gate.folder, token));
      if (found === undefined) await this.#gate.check();
      return found !== undefined;
    });
  }

  /** Makes the names durable that were made since the last time. */
  async sync(): Promise<void> {
    if (!this.#isNew) return;
    await this.passing(() => sync(this.#roots.calls, this.#gate.folder, 'r'));
    this.#isNew = false;
  }
}

function gatedSteps(gate: Gate, roots: DiskRoots, names: GateNames): GatedSteps {
  const placeOf = (token: string): string => join(gate.folder, token);
  /** Looks at what was taken. It cannot be missing, unless the next owner has moved it on. */
  const lookAt = async (taken: string) => {
    const found = await roots.calls.lstatIfThere(taken);
    if (found === undefined) throw gateGone(undefined);
    return found;
  };
  /**
   * Whether something was taken from a path and is still in the gate. If it is back at its path as well,
   * putting it back was interrupted, and that is finished first.
   */
  const isTaken = async (path: VaultPath, token: string): Promise<boolean> => {
    if (!(await names.has(token))) return false;
    if (!(await isBack(roots, path, placeOf(token)))) return true;
    await roots.calls.unlink(placeOf(token));
    return false;
  };
  const back = (path: VaultPath, token: string): Promise<void> =>
    putBack(roots, { path, taken: placeOf(token), token });

  /** Takes what is to be deleted out of the vault. */
  const takeForRemoval = (path: VaultPath, { token, before, stamp }: Removal): Promise<void> =>
    using(holdEntry(roots, path), async (entry) => {
      const found = await roots.calls.lstat(entry.path);
      if (before === undefined) {
        if (found.isDirectory()) throw systemError('EISDIR');
      } else if (found.isSymbolicLink()) {
        const behind = await using(holdPath(roots, path), (target) => target.stat(roots.calls));
        refuseUnlessFile(path, behind);
      } else refuseUnlessFile(path, found);
      checkStamp(path, entry.path, stamp);
      renameSync(entry.path, placeOf(token));
    });

  const remove = async (path: VaultPath, removal: Removal): Promise<void> => {
    const { token, before } = removal;
    const taken = placeOf(token);
    if (!(await isTaken(path, token))) await takeForRemoval(path, removal);
    const found = await lookAt(taken);
    const isRight =
      before === undefined
        ? !found.isDirectory()
        : found.isSymbolicLink() || (await isVersion(taken, found, before));
    if (!isRight) {
      await back(path, token);
      throw changedByOthers(path);
    }
    await syncParent(roots, path);
    await names.sync();
    await roots.calls.unlink(taken);
  };

  /** Takes what is to be moved out of the vault. */
  const takeForMove = (from: VaultPath, to: VaultPath, { token, over }: Move): Promise<boolean> =>
    using(holdEntry(roots, from), (source) =>
      using(holdEntry(roots, to), async (goal) => {
        if (goal.real === source.real) return false;
        if (liesIn(goal.real, source.real)) throw intoItself(from);
        const [found, there] = [
          await roots.calls.lstat(source.path),
          await roots.calls.lstatIfThere(goal.path),
        ];
        // Looked at here so that nothing has to be put back; it is decided when it is put in place.
        const isInWay = there !== undefined && !isSameFile(there, found);
        if (over === undefined && isInWay) throw systemError('EEXIST');
        if (over !== undefined) checkStamp(to, goal.path, over.stamp);
        renameSync(source.path, placeOf(token));
        return true;
      }),
    );

  const move = async (from: VaultPath, to: VaultPath, options: Move): Promise<void> => {
    const { token, over } = options;
    const taken = placeOf(token);
    if (!(await isTaken(from, token)) && !(await takeForMove(from, to, options))) return;
    await lookAt(taken);
    try {
      await using(holdEntry(roots, to), async (goal) => {
        if (over === undefined) return intoFreePlace(roots, taken, goal.path);
        const [found, there] = [await lookAt(taken), await roots.calls.lstatIfThere(goal.path)];
        // `rename` does nothing when both are names of the same file.
        const isOneFile = there !== undefined && isSameFile(found, there);
        if (isOneFile && found.nlink > 1n) return roots.calls.unlink(taken);
        // Both synchronous, so that no editor can save between the check and the rename.
        checkStamp(to, goal.path, over.stamp);
        renameSync(taken, goal.path);
      });
    } catch (error) {
      await lookAt(taken);
      await back(from, token);
      throw diskError(goalErrors.has(errnoOf(error) ?? '') ? to : from, error, 'write');
    }
  };

  return {
    remove: (path, options) =>
      whileWriting(path, () => names.changing(() => remove(path, options))),
    move: (from, to, options) =>
      whileWriting(from, () => names.changing(() => move(from, to, options))),
    putBack: (path, token) =>
      whileWriting(path, async () => {
        if (await isTaken(path, token)) await names.passing(() => back(path, token));
      }),
  };
}

type Removal = {
  readonly token: string;
  readonly before?: Version;
  readonly stamp?: string;
};

type Move = {
  readonly token: string;
  readonly over?: { readonly stamp?: string };
};

/** Whether a file is exactly this version. */
async function isVersion(file: string, { size }: BigIntStats, version: Version): Promise<boolean> {
  if (size > limits.historyContentBytesMax) return false; // History would not have kept it.
  return nodeHash.version(await readFile(file)) === version;
}

/** Makes durable that a name is gone from its folder. */
async function syncParent(roots: DiskRoots, path: VaultPath): Promise<void> {
  await using(holdFolder(roots, folderOf(path)), (held) => sync(roots.calls, held.path, 'r'));
}
