import { outOf, type Progress } from '../../base/caller.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { StoredChange } from '../ports/state-store.ts';
import { stagedAs } from './deciding-step.ts';
import { FencedChange, isFenced } from './fenced-change.ts';
import { rollBack, stepsAtOnce } from './finish-change.ts';
import { lookAgain, versionOf } from './look-again.ts';
import type { ChangePorts } from './take-back-step.ts';

// What every commit does before its first visible step, and how it gives up until then.

/** From so many files on, callers hear how many of them are written. */
const manyFiles = 50;

/** Thrown when files have changed since the plan was made: it has to be made again. */
export class StalePlan extends Error {}

/**
 * Makes the new folders and the temporary files, and syncs them. Only empty folders are visible.
 */
export async function stageChange(
  ports: ChangePorts,
  plan: ChangePlan,
  { onProgress }: { readonly onProgress?: (progress: Progress) => void },
): Promise<void> {
  // All files are written before the first is synced: one flush of the disk then serves many.
  const sync = plan.steps.filter(({ do: what }) => what === 'write').length === 1;
  await writeStaged(ports, plan, { sync });
  if (!sync) await syncStaged(ports, plan, { onProgress });
  // A change of one step is not finished from its temporary file after a crash, so that file's name
  // need not be synced.
  const named = plan.steps.filter(({ do: what }) => what === 'makeFolder' || what === 'write');
  const folders = new Set((plan.steps.length === 1 ? [] : named).map(({ path }) => folderOf(path)));
  await inParallel(Array.from(folders), stepsAtOnce, (folder) => ports.disk.syncFolder(folder));
}

/** Makes the new folders and the temporary files. Without `sync`, the files have to be synced then. */
export async function writeStaged(
  { disk }: ChangePorts,
  plan: ChangePlan,
  { sync }: { readonly sync: boolean },
): Promise<void> {
  for (const { do: what, path } of plan.steps) {
    if (what === 'makeFolder') await orStale(disk.makeFolder(path));
  }
  const writes = plan.steps.filter((step) => step.do === 'write');
  await inParallel(writes, stepsAtOnce, (step) => {
    const bytes = plan.bytes.get(step.token) ?? new Uint8Array();
    return orStale(disk.stage(step.path, step.token, bytes, { ...stagedAs(step), sync }));
  });
}

/** Syncs the temporary files. */
export async function syncStaged(
  { disk }: ChangePorts,
  plan: ChangePlan,
  { onProgress }: { readonly onProgress?: ((progress: Progress) => void) | undefined } = {},
): Promise<void> {
  const writes = plan.steps.filter((step) => step.do === 'write');
  const total = writes.length;
  let done = 0;
  await inParallel(writes, stepsAtOnce, async (step) => {
    await disk.syncStaged(step.path, step.token, stagedAs(step));
    done++;
    if (total >= manyFiles) {
      onProgress?.({ done, total, message: `writing ${outOf(done, total)} files` });
    }
  });
}

/** Turns a failure because a file appeared, vanished or changed since the plan into `StalePlan`. */
export async function orStale<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'already_exists' || code === 'not_found' || code === 'conflict') {
      throw new StalePlan('', { cause: error });
    }
    throw error;
  }
}

/** Fails with `StalePlan` unless every file is as the plan saw it. */
export async function checkSeen(ports: ChangePorts, plan: ChangePlan): Promise<void> {
  await inParallel(Array.from(plan.seen), stepsAtOnce, async ([path, found]) => {
    // The content of a file that is only moved does not matter.
    if (found.version === undefined) {
      if ((await ports.disk.kind(path)) !== 'file') throw new StalePlan();
    } else if (versionOf(await lookAgain(ports.disk, path, found)) !== found.version) {
      throw new StalePlan();
    }
  });
  for (const path of plan.free) {
    if ((await ports.disk.kind(path)) !== undefined) throw new StalePlan();
  }
  for (const [path, kind] of plan.kinds ?? []) {
    if ((await ports.disk.entry(path)) !== kind) throw new StalePlan();
  }
  for (const [folder, count] of plan.nameCounts ?? []) {
    if ((await ports.disk.entries(folder))?.length !== count) throw new StalePlan();
  }
}

/** Takes a change back that is not committed. Fails with `FencedChange` alone. */
export async function giveUp(ports: ChangePorts, change: StoredChange): Promise<void> {
  try {
    await rollBack(ports, change);
    await ports.state.drop(change.id);
  } catch (error) {
    if (isFenced(error)) throw new FencedChange(change.id, { cause: error });
    // The record stays unfinished, and the next recovery takes the change back.
  }
}

/** Fails when the caller has given up, with the reason that the signal carries. */
export function checkSignal(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled; nothing was changed.');
}

/** Whether a failed change is neither finished nor taken back; see `commitChange`. */
export function isLeftOpen(error: unknown): boolean {
  if (error instanceof FencedChange) return true;
  return error instanceof VaultError && error.details['open'] === true;
}

/** The failure of a change that is neither finished nor taken back. */
export function leftOpen(cause: unknown): VaultError {
  const { code, message } = toVaultError(cause);
  if (code === 'unavailable') {
    return new VaultError(
      code,
      'The history does not answer, so it is not known yet whether the change was made; history will show it if it was. Look before you repeat it.',
      { cause, details: { open: true, outcome: 'unknown' } },
    );
  }
  return new VaultError(
    code === 'vault_not_found' ? code : 'io_failed',
    `The change could not be finished (${message}); the next command that writes will finish it or take it back.`,
    { cause, details: { open: true } },
  );
}
