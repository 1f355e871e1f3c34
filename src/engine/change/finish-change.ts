import { assert } from '../../base/assert.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, folderOf, pathKey } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, StateStore, StoredChange } from '../ports/state-store.ts';
import { decidingStep, stagedAs } from './deciding-step.ts';
import { lookAgain, versionOf } from './look-again.ts';

export const stepsAtOnce = 8;

export interface ChangePorts {
  readonly disk: WritableDisk;
  readonly state: StateStore;
}

/**
 * Carries out the steps of a marked change, as far as they are not done yet: it may be called
 * again after any failure or crash. Answers the files that someone else changed meanwhile, which
 * are left as they are. `seen` spares those the hashing that are as they were seen last.
 */
export async function rollForward(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
  seen: ReadonlyMap<VaultPath, FoundFile> = new Map(),
): Promise<VaultPath[]> {
  const kept: VaultPath[] = [];
  const left = await stepsLeft(disk, steps);
  for (const [index, run] of runsOf(left).entries()) {
    // What happened in a folder must not be lost once it is only found under another name.
    if (run[0]?.do === 'moveFolder' && index > 0) {
      await syncFolders(
        disk,
        left.filter(({ do: what }) => what !== 'moveFolder'),
      );
    }
    // Writes are of different files each; everything else happens in its order.
    await inParallel(run, run[0]?.do === 'write' ? stepsAtOnce : 1, async (step) => {
      if (!(await apply(disk, step, seen))) kept.push(step.path);
    });
  }
  await syncFolders(disk, steps);
  return kept.sort();
}

/**
 * The steps from the last folder on that has moved: those before it were carried out, at paths
 * where nothing is any more.
 */
async function stepsLeft(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
): Promise<readonly ChangeStep[]> {
  for (const [index, step] of Array.from(steps.entries()).toReversed()) {
    if (step.do !== 'moveFolder') continue;
    const there = await isThere(disk, step.path, step.to);
    if (there.to && !there.from) return steps.slice(index);
  }
  return steps;
}

/**
 * Takes a change back: removes what was staged, and, when steps may have been carried out, undoes
 * those that were. May be called again after any failure or crash.
 */
export async function rollBack(ports: ChangePorts, change: StoredChange): Promise<void> {
  const { disk } = ports;
  const steps = change.steps.toReversed();
  for (const run of runsOf(steps)) {
    await inParallel(run, run[0]?.do === 'write' ? stepsAtOnce : 1, async (step) => {
      if (change.state === 'undoing') await takeBack(ports, step);
      else if (step.do === 'write') await disk.unstage(step.path, step.token, stagedAs(step));
      else if (step.do === 'makeFolder') await disk.removeFolder(step.path);
    });
  }
  await syncFolders(disk, steps);
}

/**
 * Decides about a change of one visible step, which is its own commit, when that step was begun:
 * answers whether it happened, and leaves nothing of it behind when it did not. In doubt it did:
 * then history keeps what it replaced.
 */
export async function settleSingle(disk: WritableDisk, change: StoredChange): Promise<boolean> {
  const happened = await hasHappened(disk, decidingStep(change.steps));
  if (happened) {
    for (const drop of change.steps) {
      if (drop.do === 'dropFolder') await disk.removeFolder(drop.path);
    }
  } else {
    for (const made of change.steps.toReversed()) {
      if (made.do === 'makeFolder') await disk.removeFolder(made.path);
    }
  }
  await syncFolders(disk, change.steps);
  return happened;
}

/** Makes the names durable that steps have changed. */
export async function syncFolders(disk: WritableDisk, steps: readonly ChangeStep[]): Promise<void> {
  const folders = new Set<VaultFolder>();
  for (const step of steps) {
    folders.add(folderOf(step.path));
    if ('to' in step) folders.add(folderOf(step.to));
  }
  await inParallel(Array.from(folders), stepsAtOnce, (folder) => disk.syncFolder(folder));
}

/** Carries out one step unless it is done; false when someone else's change is in the way. */
async function apply(
  disk: WritableDisk,
  step: ChangeStep,
  seen: ReadonlyMap<VaultPath, FoundFile>,
): Promise<boolean> {
  switch (step.do) {
    case 'makeFolder':
      return true; // Made, and made durable, before the mark.
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
  return unlessInTheWay(disk.remove(path, { stamp: found.stamp }));
}

async function applyUnkeptDelete(disk: WritableDisk, path: VaultPath): Promise<boolean> {
  const kind = await disk.entry(path);
  if (kind === undefined || kind === 'folder') return kind === undefined;
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
  const found = await lookAgain(disk, path, seen);
  // What was staged before the mark and is not there any more has been put in its place.
  if (!(await disk.hasStaged(path, token, as))) {
    return versionOf(found) !== before || before === after;
  }
  if (found.kind !== 'other' && found.version === before) {
    const options =
      found.kind === 'file'
        ? { replace: true, stamp: found.stamp }
        : { replace: step.entry === true }; // A symlink may lead nowhere.
    if (await unlessInTheWay(disk.place(path, token, { ...options, ...as }))) return true;
  }
  await disk.unstage(path, token, as);
  // Not in the way is what should be there: a crash left it, or another name of the same file.
  return versionOf(await lookAgain(disk, path)) === after;
}

async function applyMove(
  disk: WritableDisk,
  step: ChangeStep & { do: 'move' | 'moveFolder' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  const { path: from, to } = step;
  const there = await isThere(disk, from, to);
  if (!there.from) return there.to;
  if (!there.to) {
    await disk.move(from, to);
    return true;
  }
  if (step.over !== undefined) return applyMoveOver(disk, step, seen);
  // A crash in the middle of a move leaves a file under both names.
  return step.do === 'move' && (await dropDuplicate(disk, { drop: from, keep: to }));
}

/** Replaces what is at the goal, if that is still what the change was made for. */
async function applyMoveOver(
  disk: WritableDisk,
  { path: from, to, over }: ChangeStep & { do: 'move' | 'moveFolder' },
  seen: FoundFile | undefined,
): Promise<boolean> {
  if (over === true || over === 'unkept') {
    return unlessInTheWay(disk.move(from, to, { over: true }));
  }
  const found = await lookAgain(disk, to, seen);
  if (found.kind !== 'file' || found.version !== over) return false;
  return unlessInTheWay(disk.move(from, to, { over: true, stamp: found.stamp }));
}

/**
 * Whether there is something at either path. Two spellings of one name may be the same file, so
 * for those only the names count that their folder lists.
 */
async function isThere(
  disk: WritableDisk,
  from: VaultPath,
  to: VaultPath,
): Promise<{ readonly from: boolean; readonly to: boolean }> {
  if (pathKey(from) !== pathKey(to)) {
    return {
      from: (await disk.entry(from)) !== undefined,
      to: (await disk.entry(to)) !== undefined,
    };
  }
  const isListed = async (path: VaultPath): Promise<boolean> => {
    const entries = (await disk.list(folderOf(path))) ?? [];
    return entries.some(({ name }) => name === fileNameOf(path));
  };
  return { from: await isListed(from), to: await isListed(to) };
}

/** Undoes one step if it was carried out and nobody has changed the file since. */
async function takeBack({ disk, state }: ChangePorts, step: ChangeStep): Promise<void> {
  switch (step.do) {
    case 'makeFolder':
      await disk.removeFolder(step.path);
      return;
    case 'dropFolder':
      if ((await disk.kind(step.path)) === undefined) await disk.makeFolder(step.path);
      return;
    case 'write': {
      await disk.unstage(step.path, step.token, stagedAs(step));
      const { path, before, token } = step;
      const found = await lookAgain(disk, path);
      if (found.kind !== 'file' || found.version !== step.after) return;
      const { stamp } = found;
      if (before === undefined) await disk.remove(path, { stamp });
      else await restore({ disk, state }, { path, before, token, stamp });
      return;
    }
    case 'delete': {
      const { path, before } = step;
      if (before !== undefined) await bringBack({ disk, state }, path, before);
      return;
    }
    case 'move':
      await takeBackMove(disk, step);
      if (step.over === undefined || step.over === 'unkept') return;
      if ((await disk.entry(step.path)) !== undefined) {
        await bringBack({ disk, state }, step.to, step.over);
      }
      return;
    case 'moveFolder':
      await takeBackMove(disk, step);
      if (step.over && (await disk.entry(step.to)) === undefined) await disk.makeFolder(step.to);
  }
}

/** Puts a content back where nothing is any more. */
async function bringBack(ports: ChangePorts, path: VaultPath, before: Version): Promise<void> {
  const token = before.slice(0, 12);
  if ((await ports.disk.kind(path)) === undefined) await restore(ports, { path, before, token });
  else await ports.disk.unstage(path, token); // What a crash in the middle of this left.
}

async function takeBackMove(
  disk: WritableDisk,
  { do: what, path: from, to, over }: ChangeStep & { do: 'move' | 'moveFolder' },
): Promise<void> {
  const there = await isThere(disk, from, to);
  if (!there.to) return;
  if (!there.from) await disk.move(to, from);
  else if (what === 'move' && over === undefined)
    await dropDuplicate(disk, { drop: to, keep: from });
}

/** Puts the content back that a file had before a step: over the file of that stamp, if any. */
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

/** Removes a file that another path holds as well; false when the two differ. */
async function dropDuplicate(
  disk: WritableDisk,
  { drop, keep }: { readonly drop: VaultPath; readonly keep: VaultPath },
): Promise<boolean> {
  const stamp = (await disk.stat(drop))?.stamp;
  if (stamp === undefined) return false;
  // Two names of one file, however large; else only their contents tell.
  if (stamp !== (await disk.stat(keep))?.stamp) {
    const version = versionOf(await lookAgain(disk, drop));
    if (version === undefined || version !== versionOf(await lookAgain(disk, keep))) return false;
  }
  await disk.remove(drop, { stamp });
  return true;
}

async function hasHappened(disk: WritableDisk, step: ChangeStep | undefined): Promise<boolean> {
  switch (step?.do) {
    case 'write': {
      const staged = await disk.hasStaged(step.path, step.token, stagedAs(step));
      if (staged) await disk.unstage(step.path, step.token, stagedAs(step));
      const found = versionOf(await lookAgain(disk, step.path));
      return found === step.after || (!staged && found !== step.before);
    }
    case 'delete':
      if (step.before === undefined) return (await disk.entry(step.path)) === undefined;
      // Something else there came later: what was deleted may now be in history alone.
      return versionOf(await lookAgain(disk, step.path)) !== step.before;
    case 'move':
    case 'moveFolder': {
      const { path: from, to } = step;
      const there = await isThere(disk, from, to);
      if (step.over !== undefined) return !there.from;
      if (!there.from || !there.to) return there.to;
      return step.do === 'move' && dropDuplicate(disk, { drop: from, keep: to });
    }
    case 'makeFolder':
      return (await disk.kind(step.path)) === 'folder';
    case 'dropFolder':
      return (await disk.kind(step.path)) === undefined;
    default:
      return true;
  }
}

/** Neighbouring writes together, every other step alone. */
function runsOf(steps: readonly ChangeStep[]): ChangeStep[][] {
  const runs: ChangeStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (step.do === 'write' && last?.[0]?.do === 'write') last.push(step);
    else runs.push([step]);
  }
  return runs;
}

/** Whether a call was made; false when what someone else did meanwhile was in its way. */
async function unlessInTheWay(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'already_exists' || code === 'conflict' || code === 'not_found') return false;
    throw error;
  }
}
