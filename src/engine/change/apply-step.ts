import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { stagedAs } from './deciding-step.ts';
import { isRacy, lookAgain, lookAtMove, versionOf } from './look-again.ts';
import { neverMarked } from './tail-step.ts';

/**
 * Carries out one step of a marked change (`ChangeState`), unless the disk shows that it is done
 * already, so it may be called again after any failure or crash. Answers false when someone else
 * has changed the file since it was planned; that file is then left as it is. A file in `seen` (see
 * `ChangePlan`) is read again only when its stamp has changed.
 */
export async function applyStep(
  disk: WritableDisk,
  step: ChangeStep,
  seen: ReadonlyMap<VaultPath, FoundFile>,
): Promise<boolean> {
  switch (step.do) {
    case 'makeFolder':
      return true; // The folders were made, and synced, before the change was marked.
    case 'dropFolder':
      await disk.removeFolder(step.path);
      return true;
    case 'write':
      return applyWrite(disk, step, seen.get(step.path));
    case 'delete':
      return applyDelete(disk, step, seen.get(step.path));
    case 'move':
    case 'moveFolder':
      return applyMove(disk, step, seen.get(step.to));
    default:
      return neverMarked(step);
  }
}

async function applyDelete(
  disk: WritableDisk,
  { path, before }: ChangeStep & { do: 'delete' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  if (before === undefined) return applyUnkeptDelete(disk, path);
  const found = await lookAgain(disk, path, seen);
  if (found.kind === 'nothing') return true;
  if (found.kind === 'other' || found.version !== before) return false;
  return unlessChanged(disk.remove(path, { stamp: found.stamp }));
}

/** Deletes a symlink, or a file of which history keeps nothing. */
async function applyUnkeptDelete(disk: WritableDisk, path: VaultPath): Promise<boolean> {
  const kind = await disk.entry(path);
  if (kind === 'folder') return false;
  if (kind === undefined) return true;
  await disk.removeEntry(path);
  return true;
}

async function applyWrite(
  disk: WritableDisk,
  step: ChangeStep & { do: 'write' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  const { path, before, after, token } = step;
  const as = stagedAs(step);
  // A step that was just planned is not done yet, and `place` looks whether the stamp is the same. If
  // it refuses, everything is looked at.
  if (before !== undefined && seen?.version === before && !isRacy(seen)) {
    const options = { replace: true, stamp: seen.stat.stamp, ...as };
    if (await unlessChanged(disk.place(path, token, options))) return true;
  }
  const found = await lookAgain(disk, path, seen);
  // The temporary file was made before the mark. If it is gone, the step is done. If the file has
  // its old content all the same, someone else has put that back.
  if (!(await disk.hasStaged(path, token, as))) {
    return versionOf(found) !== before || before === after;
  }
  if (found.kind !== 'other' && versionOf(found) === before) {
    const options =
      found.kind === 'file'
        ? { replace: true, stamp: found.stamp }
        : { replace: step.entry === true }; // A symlink that leads nowhere reads as nothing.
    if (await unlessChanged(disk.place(path, token, { ...options, ...as }))) return true;
  }
  await disk.unstage(path, token, as);
  // The new content may be there already: after a crash, or under another name of the same file.
  return versionOf(await lookAgain(disk, path)) === after;
}

async function applyMove(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  const { path: from, to } = step;
  const there = await lookAtMove(disk, step);
  if (!there.from) return there.to; // Already moved; or, when both are gone, taken by someone else.
  if (!there.to) {
    await disk.move(from, to);
    return true;
  }
  if (step.over !== undefined) return applyMoveOver(disk, step, seen);
  // A crash in the middle of a move leaves a file under both names.
  return step.do === 'move' && (await dropDuplicate(disk, { drop: from, keep: to }));
}

/** Moves over what is at the target, if that is still what the change was planned to replace. */
async function applyMoveOver(
  disk: WritableDisk,
  { path: from, to, over }: ChangeStep & { do: 'move' | 'moveFolder' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  if (over === true || over === 'unkept') {
    return unlessChanged(disk.move(from, to, { over: true }));
  }
  const found = await lookAgain(disk, to, seen);
  if (found.kind !== 'file' || found.version !== over) return false;
  return unlessChanged(disk.move(from, to, { over: true, stamp: found.stamp }));
}

/** Removes one of two paths that hold the same file; answers false when the two files differ. */
export async function dropDuplicate(
  disk: WritableDisk,
  { drop, keep }: { readonly drop: VaultPath; readonly keep: VaultPath },
): Promise<boolean> {
  const stamp = (await disk.stat(drop))?.stamp;
  if (stamp === undefined) return false;
  // Equal stamps mean two names of one file, however large. Otherwise the contents are compared.
  if (stamp !== (await disk.stat(keep))?.stamp) {
    const version = versionOf(await lookAgain(disk, drop));
    if (version === undefined || version !== versionOf(await lookAgain(disk, keep))) return false;
  }
  await disk.remove(drop, { stamp });
  return true;
}

/** Answers false when the disk refused because someone else changed, made or removed the file. */
async function unlessChanged(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'already_exists' || code === 'conflict' || code === 'not_found') return false;
    throw error;
  }
}
