import { inParallel } from '../../base/in-parallel.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, StoredChange, TailStep } from '../ports/state-store.ts';
import { applyStep, dropDuplicate, finishTakenMove, unlessChanged } from './apply-step.ts';
import { decidingStep, stagedAs } from './deciding-step.ts';
import { removeThroughGate } from './gated-step.ts';
import { lookAgain, lookAtMove, versionOf } from './look-again.ts';
import { isTailStep, settleTail } from './tail-step.ts';
import type { ChangePorts } from './take-back-step.ts';
import { takeBackStep } from './take-back-step.ts';

// Finishing a change that was marked, taking one back, and finding out whether a `single` one
// happened (see `ChangeState`). A visible step is one that changes a file or moves a folder.

/** How many files of one change are written, synced or looked at in parallel. */
export const stepsAtOnce = 8;

/**
 * Carries out those steps of a marked change that are not done yet. May be called again after any
 * failure or crash. Answers the files that someone else has changed since the plan: they are left
 * as they are. A file in `seen` (see `ChangePlan`) is read again only when its stamp (`FileStat`)
 * has changed.
 */
export async function rollForward(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
  seen: ReadonlyMap<VaultPath, FoundFile> = new Map(),
): Promise<VaultPath[]> {
  const kept: VaultPath[] = [];
  const left = await stepsLeft(disk, steps);
  for (const [index, run] of runsOf(left).entries()) {
    // Before a folder moves, what was done inside it is synced: afterwards these steps could not be
    // repeated, because their paths no longer exist.
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
 * The steps that may still have to be carried out: all, or those from the last folder move that has
 * already happened or begun. The steps before it are done, and their paths no longer exist.
 */
async function stepsLeft(
  disk: WritableDisk,
  steps: readonly ChangeStep[],
): Promise<readonly ChangeStep[]> {
  for (const [index, step] of Array.from(steps.entries()).toReversed()) {
    if (step.do !== 'moveFolder') continue;
    const there = await lookAtMove(disk, step);
    if (there.to && !there.from) return steps.slice(index);
    if (step.token !== undefined && (await disk.hasStaged(step.path, step.token))) {
      return steps.slice(index); // The folder is on its way.
    }
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
 * Finds out whether a `single` change happened, when its visible step may have been begun, and
 * cleans up: if it did not happen, nothing of the change is left behind. In doubt the answer is
 * yes: history then keeps the content that the step replaced. `kept` is the file that someone else
 * has written to since, where that makes it impossible to tell.
 */
export async function settleSingle(
  ports: ChangePorts,
  change: StoredChange,
): Promise<{ readonly happened: boolean; readonly kept: readonly VaultPath[] }> {
  const { disk } = ports;
  const step = decidingStep(change.steps);
  if (step !== undefined && isTailStep(step)) {
    const settled = await settleTail(ports, step);
    return { happened: settled !== 'not done', kept: settled === 'kept' ? [step.path] : [] };
  }
  const happened = await settleStep(disk, step);
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
  return { happened, kept: [] };
}

/** Syncs every folder in which steps have made, moved or removed a name. */
export async function syncFolders(disk: WritableDisk, steps: readonly ChangeStep[]): Promise<void> {
  const folders = new Set<VaultFolder>();
  for (const step of steps) {
    if (isTailStep(step)) continue; // The name of the file stays.
    folders.add(folderOf(step.path));
    if ('to' in step) folders.add(folderOf(step.to));
  }
  await inParallel(Array.from(folders), stepsAtOnce, (folder) => disk.syncFolder(folder));
}

/**
 * Answers whether the disk shows that a step was carried out. Removes what an interrupted step has
 * left: its temporary file, or the second name of a half moved file.
 */
async function settleStep(
  disk: WritableDisk,
  step: Exclude<ChangeStep, TailStep> | undefined,
): Promise<boolean> {
  switch (step?.do) {
    case 'write': {
      const staged = await disk.hasStaged(step.path, step.token, stagedAs(step));
      if (staged) await disk.unstage(step.path, step.token, stagedAs(step));
      const found = versionOf(await lookAgain(disk, step.path));
      // Without a temporary file, any content but the old one came after the step.
      return found === step.after || (!staged && found !== step.before);
    }
    case 'delete':
      if (step.token !== undefined && (await disk.hasStaged(step.path, step.token))) {
        return unlessChanged(removeThroughGate(disk, step));
      }
      if (step.before === undefined) return (await disk.entry(step.path)) === undefined;
      // Another file there may have come after the deletion: then only history has the old one.
      return versionOf(await lookAgain(disk, step.path)) !== step.before;
    case 'move':
    case 'moveFolder': {
      if (step.token !== undefined && (await disk.hasStaged(step.path, step.token))) {
        return finishTakenMove(disk, step);
      }
      const there = await lookAtMove(disk, step);
      if (step.over !== undefined) return !there.from; // There was something at `to` before, too.
      if (!there.from || !there.to) return there.to;
      if (step.token !== undefined) return false; // It was never under both names.
      // A crash in the middle of a move leaves a file under both names.
      return step.do === 'move' && dropDuplicate(disk, { drop: step.path, keep: step.to });
    }
    case 'makeFolder':
      return (await disk.kind(step.path)) === 'folder';
    case 'dropFolder':
      return (await disk.kind(step.path)) === undefined;
    default:
      return true; // The change only makes or removes folders that nobody asked for.
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
