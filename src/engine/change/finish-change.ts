import { inParallel } from '../../base/in-parallel.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, StoredChange } from '../ports/state-store.ts';
import { applyStep, dropDuplicate } from './apply-step.ts';
import { decidingStep, stagedAs } from './deciding-step.ts';
import { lookAgain, lookAtMove, versionOf } from './look-again.ts';
import type { ChangePorts } from './take-back-step.ts';
import { takeBackStep } from './take-back-step.ts';

/** How many files of one change are written, synced or looked at in parallel. */
export const stepsAtOnce = 8;

/**
 * Carries out those steps of a marked change that are not done yet. May be called again after any
 * failure or crash. Answers the files that someone else changed meanwhile: they are left as they
 * are. A file in `seen` is read again only when its stamp has changed.
 */
export async function rollForward(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
  seen: ReadonlyMap<VaultPath, FoundFile> = new Map(),
): Promise<VaultPath[]> {
  const kept: VaultPath[] = [];
  const left = await stepsLeft(disk, steps);
  for (const [index, run] of runsOf(left).entries()) {
    // Before a folder moves, what was done inside it is synced: afterwards its steps name paths
    // where nothing is any more, and could not be repeated.
    if (run[0]?.do === 'moveFolder' && index > 0) {
      await syncFolders(
        disk,
        left.filter(({ do: what }) => what !== 'moveFolder'),
      );
    }
    await inParallel(run, run[0]?.do === 'write' ? stepsAtOnce : 1, async (step) => {
      if (!(await applyStep(disk, step, seen))) kept.push(step.path);
    });
  }
  await syncFolders(disk, steps);
  return kept.sort();
}

/**
 * The steps that may still have to be carried out: all, or those from the last folder on that has
 * already moved. The steps before it are done, and their paths do not exist any more.
 */
async function stepsLeft(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
): Promise<readonly ChangeStep[]> {
  for (const [index, step] of Array.from(steps.entries()).toReversed()) {
    if (step.do !== 'moveFolder') continue;
    const there = await lookAtMove(disk, step);
    if (there.to && !there.from) return steps.slice(index);
  }
  return steps;
}

/**
 * Takes a change back. In the state `undoing`, steps may have been carried out: those that were are
 * undone. In any other state only the temporary files and the folders that were made are removed.
 * May be called again after any failure or crash.
 */
export async function rollBack(ports: ChangePorts, change: StoredChange): Promise<void> {
  const { disk } = ports;
  const steps = change.steps.toReversed();
  for (const run of runsOf(steps)) {
    await inParallel(run, run[0]?.do === 'write' ? stepsAtOnce : 1, async (step) => {
      if (change.state === 'undoing') await takeBackStep(ports, step);
      else if (step.do === 'write') await disk.unstage(step.path, step.token, stagedAs(step));
      else if (step.do === 'makeFolder') await disk.removeFolder(step.path);
    });
  }
  await syncFolders(disk, steps);
}

/**
 * Decides whether a change of one visible step happened, when that step may have been begun. If it
 * did not, nothing of the change is left behind. In doubt the answer is yes: history then keeps the
 * content that the step replaced.
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

/** Syncs every folder in which steps have made, moved or removed a name. */
export async function syncFolders(disk: WritableDisk, steps: readonly ChangeStep[]): Promise<void> {
  const folders = new Set<VaultFolder>();
  for (const step of steps) {
    folders.add(folderOf(step.path));
    if ('to' in step) folders.add(folderOf(step.to));
  }
  await inParallel(Array.from(folders), stepsAtOnce, (folder) => disk.syncFolder(folder));
}

/**
 * Whether the disk shows that a step was carried out. Removes its temporary file, if it has one.
 */
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
      // Another file there may have come after the deletion: then only history has the old one.
      return versionOf(await lookAgain(disk, step.path)) !== step.before;
    case 'move':
    case 'moveFolder': {
      const there = await lookAtMove(disk, step);
      if (step.over !== undefined) return !there.from;
      if (!there.from || !there.to) return there.to;
      return step.do === 'move' && dropDuplicate(disk, { drop: step.path, keep: step.to });
    }
    case 'makeFolder':
      return (await disk.kind(step.path)) === 'folder';
    case 'dropFolder':
      return (await disk.kind(step.path)) === undefined;
    default:
      return true;
  }
}

/**
 * Groups steps for carrying them out: neighbouring writes form one group, whose files may be
 * written in parallel; every other step is alone, because the order matters.
 */
function runsOf(steps: readonly ChangeStep[]): ChangeStep[][] {
  const runs: ChangeStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (step.do === 'write' && last?.[0]?.do === 'write') last.push(step);
    else runs.push([step]);
  }
  return runs;
}
