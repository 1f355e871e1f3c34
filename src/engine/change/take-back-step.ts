import { assert } from '../../base/assert.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, StateStore } from '../ports/state-store.ts';
import { dropDuplicate, unlessChanged } from './apply-step.ts';
import { stagedAs } from './deciding-step.ts';
import { backToken, moveThroughGate, putBackTaken, removeThroughGate } from './gated-step.ts';
import { lookAgain, lookAtMove } from './look-again.ts';
import { neverMarked } from './tail-step.ts';

/** The ports that are needed to carry out or take back a change. */
export interface ChangePorts {
  readonly disk: WritableDisk;
  readonly state: StateStore;
}

/**
 * Takes back one step of a change that could not be finished, if that step was carried out and
 * nobody has changed the file since. May be called again after any failure or crash.
 */
export async function takeBackStep({ disk, state }: ChangePorts, step: ChangeStep): Promise<void> {
  switch (step.do) {
    case 'makeFolder':
      await disk.removeFolder(step.path);
      return;
    case 'dropFolder':
      if ((await disk.kind(step.path)) === undefined) await disk.makeFolder(step.path);
      return;
    case 'write': {
      await disk.unstage(step.path, step.token, stagedAs(step));
      if (disk.gate !== undefined && (await disk.hasStaged(step.path, backToken(step.token)))) {
        return takeBackNew(disk, step);
      }
      const { path, before, token } = step;
      const found = await lookAgain(disk, path);
      if (found.kind !== 'file' || found.version !== step.after) return;
      const { stamp } = found;
      if (before === undefined && disk.gate !== undefined) await takeBackNew(disk, step);
      else if (before === undefined) await disk.remove(path, { stamp });
      else await restore({ disk, state }, { path, before, token, stamp });
      return;
    }
    case 'delete': {
      const { path, before } = step;
      await putBackTaken(disk, step);
      if (before !== undefined) await restoreDeleted({ disk, state }, path, before);
      return;
    }
    case 'move':
      await takeBackMove(disk, step);
      if (step.over === undefined || step.over === 'unkept') return;
      // Once the file is back at its old path, the one that it had replaced comes back too.
      if ((await disk.entry(step.path)) !== undefined) {
        await restoreDeleted({ disk, state }, step.to, step.over);
      }
      return;
    case 'moveFolder':
      await takeBackMove(disk, step);
      if (step.over && (await disk.entry(step.to)) === undefined) await disk.makeFolder(step.to);
      return;
    default:
      neverMarked(step);
  }
}

async function takeBackMove(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
): Promise<void> {
  const { path: from, to } = step;
  if (step.token !== undefined) return takeBackThroughGate(disk, step, step.token);
  const there = await lookAtMove(disk, step);
  if (!there.to) return;
  if (!there.from) await disk.move(to, from);
  else if (step.do === 'move' && step.over === undefined)
    await dropDuplicate(disk, { drop: to, keep: from });
}

/** The same for a step that has passed the gate, or is in it. */
async function takeBackThroughGate(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
  token: string,
): Promise<void> {
  const { path, to } = step;
  await putBackTaken(disk, step);
  const back: ChangeStep = { do: 'move', path: to, to: path, token: backToken(token) };
  const there = await lookAtMove(disk, step);
  const isOnItsWay = await disk.hasStaged(to, backToken(token));
  if (isOnItsWay || (there.to && !there.from)) await moveThroughGate(disk, back);
}

/** Removes a new file again, through the gate, unless someone has changed it. */
async function takeBackNew(
  disk: WritableDisk,
  { path, after, token }: ChangeStep & { do: 'write' },
): Promise<void> {
  const removal = { do: 'delete', path, before: after, token: backToken(token) } as const;
  await unlessChanged(removeThroughGate(disk, removal));
}

/** Puts back a file that was deleted or replaced, unless something is at its path. */
async function restoreDeleted(ports: ChangePorts, path: VaultPath, before: Version): Promise<void> {
  const token = before.slice(0, 12); // Not random: after a crash the same name is found again.
  if ((await ports.disk.kind(path)) === undefined) await restore(ports, { path, before, token });
  else await ports.disk.unstage(path, token); // A crash in the middle of `restore` leaves this.
}

/**
 * Gives a path the content it had before; with `stamp` it replaces the file that has this stamp.
 */
async function restore(
  { disk, state }: ChangePorts,
  {
    path,
    before,
    token,
    stamp,
  }: { path: VaultPath; before: Version; token: string; stamp?: string },
): Promise<void> {
  const bytes = await state.content(before);
  assert(bytes !== undefined, 'a marked change has the contents it replaces');
  await disk.stage(path, token, bytes);
  await disk.syncStaged(path, token);
  const options = stamp === undefined ? { replace: false } : { replace: true, stamp };
  await disk.place(path, token, options);
}
