import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { stagedAs } from './deciding-step.ts';
import { moveThroughGate, putBackTaken, removeThroughGate } from './gated-step.ts';
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
  step: ChangeStep & { do: 'delete' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  const { path, before } = step;
  if (step.token !== undefined && (await disk.hasStaged(path, step.token))) {
    return unlessChanged(removeThroughGate(disk, step));
  }
  if (before === undefined) return applyUnkeptDelete(disk, step);
  const found = await lookAgain(disk, path, seen);
  if (found.kind === 'nothing') return true;
  if (found.kind === 'other' || found.version !== before) return false;
  const { stamp } = found;
  return unlessChanged(
    step.token === undefined
      ? disk.remove(path, { stamp })
      : removeThroughGate(disk, step, { stat: { stamp } }),
  );
}

/** Deletes a symlink, or a file of which history keeps nothing. */
async function applyUnkeptDelete(
  disk: WritableDisk,
  step: ChangeStep & { do: 'delete' },
): Promise<boolean> {
  const { path } = step;
  const kind = await disk.entry(path);
  if (kind === 'folder') return false;
  if (kind === undefined) return true;
  if (step.token !== undefined) return unlessChanged(removeThroughGate(disk, step));
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
  if (step.token !== undefined && (await disk.hasStaged(from, step.token))) {
    return finishTakenMove(disk, step);
  }
  const there = await lookAtMove(disk, step);
  if (!there.from) return there.to; // Already moved; or, when both are gone, taken by someone else.
  if (!there.to) {
    if (step.token === undefined) await disk.move(from, to);
    else await moveThroughGate(disk, step);
    return true;
  }
  if (step.over !== undefined) return applyMoveOver(disk, step, seen);
  if (step.token !== undefined) return false;
  // A crash in the middle of a move leaves a file under both names.
  return step.do === 'move' && (await dropDuplicate(disk, { drop: from, keep: to }));
}

/** Moves over what is at the target, if that is still what the change was planned to replace. */
async function applyMoveOver(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  const { path: from, to, over, token } = step;
  if (over === true || over === 'unkept') {
    return unlessChanged(
      token === undefined ? disk.move(from, to, { over: true }) : moveThroughGate(disk, step),
    );
  }
  const found = await lookAgain(disk, to, seen);
  if (found.kind !== 'file' || found.version !== over) return false;
  const { stamp } = found;
  return unlessChanged(
    token === undefined
      ? disk.move(from, to, { over: true, stamp })
      : moveThroughGate(disk, step, { stat: { stamp } }),
  );
}

/** Finishes a move whose file lies in the gate; answers false when it had to be put back. */
export async function finishTakenMove(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
): Promise<boolean> {
  const { to, over } = step;
  if (over === undefined || over === true || over === 'unkept') {
    return unlessChanged(moveThroughGate(disk, step));
  }
  const found = await lookAgain(disk, to);
  if (found.kind === 'file' && found.version === over) {
    return unlessChanged(moveThroughGate(disk, step, { stat: { stamp: found.stamp } }));
  }
  await putBackTaken(disk, step);
  return false;
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
export async function unlessChanged(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'already_exists' || code === 'conflict' || code === 'not_found') return false;
    throw error;
  }
}
