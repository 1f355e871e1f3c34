import { outOf, type Progress } from '../../base/caller.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type {
  ChangeId,
  ChangeStep,
  NewChange,
  StoredChange,
  TailStep,
} from '../ports/state-store.ts';
import { isForHistory, isSingle, stagedAs } from './deciding-step.ts';
import { rollBack, rollForward, settleSingle, stepsAtOnce, syncFolders } from './finish-change.ts';
import { isRacy, lookAgain, versionOf } from './look-again.ts';
import { carryOutTail, isTailStep } from './tail-step.ts';
import type { ChangePorts } from './take-back-step.ts';

/** From so many files on, callers hear how many of them are written. */
const manyFiles = 50;

interface CommitOptions {
  /** Aborting it gives the change up, as long as `onCommit` has not been called. */
  readonly signal: AbortSignal;
  /** Called just before the step that commits the change: from then on it cannot be cancelled. */
  readonly onCommit: (id: ChangeId) => void;
  /**
   * Called when a committed change did not happen after all: a file had changed, or the disk
   * refused.
   */
  readonly onTakenBack: () => void;
  /**
   * Called when a change of one visible step was carried out, and is not yet durable: what only reads
   * the files can begin.
   */
  readonly onCarriedOut?: () => void;
  /** Called while many files are written, before the change is committed. */
  readonly onProgress?: (progress: Progress) => void;
}

interface Committed {
  readonly id: ChangeId;
  /** Files that an outside editor changed at the last moment: they were left as they are. */
  readonly kept: readonly VaultPath[];
  /** Whether history keeps the change; not where it wrote the bytes that were there already. */
  readonly isRecorded: boolean;
  /**
   * Resolves when history shows the change, and never rejects. The state answers in order, so the
   * lock may be released without waiting for it.
   */
  readonly finished: Promise<void>;
}

/** Thrown when files have changed since the plan was made: it has to be made again. */
export class StalePlan extends Error {}

/**
 * Carries out a plan as one change, all of it or nothing. The caller must hold the commit lock and
 * have called `recoverChanges`. Throws `StalePlan` when a file is not as the plan saw it. Any other
 * failure leaves every file as it was, or has `details.open`: then the change is neither finished
 * nor taken back, and the next recovery does one of the two.
 */
export async function commitChange(
  ports: ChangePorts,
  plan: ChangePlan,
  change: NewChange,
  options: CommitOptions,
): Promise<Committed> {
  const commit = isSingle(plan.steps) ? commitSingle : commitSeveral;
  let isDecided = false;
  const onCommit = (id: ChangeId): void => {
    isDecided = true;
    options.onCommit(id);
  };
  try {
    return await commit(ports, plan, change, { ...options, onCommit });
  } catch (error) {
    // A change that failed and is not left open has been taken back.
    if (isDecided && !isLeftOpen(error)) options.onTakenBack();
    throw error;
  }
}

/**
 * Commits a change in the state `single`. It needs no mark: its one visible step is the commit, and
 * after a crash the disk shows whether that step happened.
 */
async function commitSingle(
  ports: ChangePorts,
  plan: ChangePlan,
  change: NewChange,
  options: CommitOptions,
): Promise<Committed> {
  const { disk, state } = ports;
  await checkSeen(ports, plan);
  const id = await state.begin(change, 'single', plan.contents);
  const stored: StoredChange = { ...change, id, state: 'single', kept: [] };
  try {
    await stage(ports, plan, options);
    await checkSeen(ports, { ...plan, seen: seenBefore(plan) });
    checkSignal(options.signal);
  } catch (error) {
    await giveUp(ports, stored);
    throw error;
  }
  let happened = false;
  let kept: readonly VaultPath[] = [];
  options.onCommit(id);
  try {
    await carryOut(ports, plan);
    happened = true;
    options.onCarriedOut?.();
    await syncFolders(disk, plan.steps);
  } catch (error) {
    if (error instanceof StalePlan) {
      await giveUp(ports, stored);
      throw error;
    }
    if (!happened) {
      const settled = await settleSingle(ports, stored).catch(() => {
        throw leftOpen(error);
      });
      ({ happened, kept } = settled);
    }
    if (!happened) {
      await state.drop(id).catch(() => undefined); // If this fails, the next recovery does it.
      throw error;
    }
  }
  const isRecorded = isForHistory(plan.steps);
  const finished = isRecorded ? state.finish(id, kept) : state.drop(id);
  // If this fails, the next recovery does it.
  return { id, kept, isRecorded, finished: finished.catch(() => undefined) };
}

/**
 * Commits a change of several steps. Everything is prepared in temporary files first (the state
 * `staging`); the mark in the state store is the commit. From then on the steps are carried out, by
 * recovery if need be.
 */
async function commitSeveral(
  ports: ChangePorts,
  plan: ChangePlan,
  change: NewChange,
  options: CommitOptions,
): Promise<Committed> {
  const { state } = ports;
  const id = await state.begin(change, 'staging', []);
  const stored: StoredChange = { ...change, id, state: 'staging', kept: [] };
  try {
    await stage(ports, plan, options);
    await checkSeen(ports, plan);
    checkSignal(options.signal);
    options.onCommit(id);
    await mark(ports, plan, id);
  } catch (error) {
    if (error instanceof MarkUnknown) throw leftOpen(error.cause);
    await giveUp(ports, stored);
    throw error;
  }
  const kept = await finishMarked(ports, { ...stored, state: 'marked' }, plan);
  // If this fails, the next recovery finds the change carried out and finishes it.
  const finished = state.finish(id, kept).catch(() => undefined);
  return { id, kept, isRecorded: true, finished };
}

/**
 * Carries out a marked change and answers the files that someone else had changed, which are left
 * as they are. When the disk refuses twice, takes the change back and fails; when that fails as
 * well, the change is left open (see `commitChange`).
 */
export async function finishMarked(
  ports: ChangePorts,
  change: StoredChange,
  plan?: ChangePlan,
): Promise<readonly VaultPath[]> {
  const { disk, state } = ports;
  try {
    return await rollForward(disk, change.steps, plan?.seen).catch(() =>
      rollForward(disk, change.steps),
    );
  } catch (error) {
    try {
      await state.unmark(change.id);
      await rollBack(ports, { ...change, state: 'undoing' });
    } catch {
      throw leftOpen(error);
    }
    await state.drop(change.id).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes the new folders and the temporary files, and syncs them. Only empty folders are visible.
 */
async function stage(
  ports: ChangePorts,
  plan: ChangePlan,
  { onProgress }: Pick<CommitOptions, 'onProgress'>,
): Promise<void> {
  const { disk } = ports;
  const made = plan.steps.filter(({ do: what }) => what === 'makeFolder');
  for (const { path } of made) await orStale(disk.makeFolder(path));
  const writes = plan.steps.filter((step) => step.do === 'write');
  // All files are written before the first is synced: one flush of the disk then serves many.
  const sync = writes.length === 1;
  await inParallel(writes, stepsAtOnce, (step) => {
    const bytes = plan.bytes.get(step.token) ?? new Uint8Array();
    return orStale(disk.stage(step.path, step.token, bytes, { ...stagedAs(step), sync }));
  });
  let done = 0;
  await inParallel(sync ? [] : writes, stepsAtOnce, async (step) => {
    await disk.syncStaged(step.path, step.token, stagedAs(step));
    done++;
    const total = writes.length;
    if (total >= manyFiles) {
      onProgress?.({ done, total, message: `writing ${outOf(done, total)} files` });
    }
  });
  // A change of one step is not finished from its temporary file after a crash, so that file's name
  // need not be synced.
  const folders = plan.steps.length === 1 ? [] : [...made, ...writes];
  const names = new Set(folders.map(({ path }) => folderOf(path)));
  await inParallel(Array.from(names), stepsAtOnce, (folder) => disk.syncFolder(folder));
}

/** Carries out the steps of a `single` change. What is in their way makes the plan stale. */
async function carryOut({ disk }: ChangePorts, plan: ChangePlan): Promise<void> {
  for (const step of plan.steps) {
    if (isTailStep(step)) {
      await orStale(carryOutTail(disk, step, plan.contents));
      continue;
    }
    const gone = await carryOutStep(disk, step, plan.seen);
    // Someone has put a file into the folder that is to be removed. Nothing has happened yet, so
    // the change is planned again.
    if (gone === false && step === plan.steps[0] && plan.nameCounts?.has(step.path)) {
      throw new StalePlan();
    }
  }
}

/** Answers whether the folder is gone for a `dropFolder`, and undefined for other steps. */
async function carryOutStep(
  disk: ChangePorts['disk'],
  step: Exclude<ChangeStep, TailStep>,
  seen: ChangePlan['seen'],
): Promise<boolean | undefined> {
  const expected = (path: VaultPath): { readonly stamp?: string } => {
    const found = seen.get(path);
    return found === undefined ? {} : { stamp: found.stat.stamp };
  };
  switch (step.do) {
    case 'makeFolder':
      return undefined;
    case 'dropFolder':
      return disk.removeFolder(step.path);
    case 'delete':
      if (step.before === undefined) return orStale(disk.removeEntry(step.path));
      return orStale(disk.remove(step.path, expected(step.path)));
    case 'write': {
      const replace = step.before !== undefined || step.entry === true;
      const options = { replace, ...expected(step.path), ...stagedAs(step) };
      return orStale(disk.place(step.path, step.token, options));
    }
    case 'move':
    case 'moveFolder':
      if (step.over === undefined) return orStale(disk.move(step.path, step.to));
      return orStale(disk.move(step.path, step.to, { over: true, ...expected(step.to) }));
  }
}

/** Turns a failure because a file appeared, vanished or changed since the plan into `StalePlan`. */
async function orStale(call: Promise<void>): Promise<undefined> {
  try {
    await call;
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'already_exists' || code === 'not_found' || code === 'conflict') {
      throw new StalePlan('', { cause: error });
    }
    throw error;
  }
}

/** Thrown when it could not be found out whether the mark is on disk. */
class MarkUnknown extends Error {}

/** Marks a change: the commit of a change of several steps. */
async function mark({ state }: ChangePorts, plan: ChangePlan, id: ChangeId): Promise<void> {
  try {
    await state.mark(id, plan.contents);
  } catch (error) {
    const open = await state.unfinished().catch((cause: unknown) => {
      throw new MarkUnknown('', { cause });
    });
    // The state may have failed after it wrote the mark, so it is asked.
    if (open.find((change) => change.id === id)?.state !== 'marked') throw error;
  }
}

/** Takes a change back that is not committed. */
async function giveUp(ports: ChangePorts, change: StoredChange): Promise<void> {
  try {
    await rollBack(ports, change);
    await ports.state.drop(change.id);
  } catch {
    // The record stays unfinished, and the next recovery takes the change back.
  }
}

/**
 * The files to look at before the visible step of a `single` change: all but the one that the step
 * replaces, if its stamp is enough. The step itself looks at that as late as possible.
 */
function seenBefore({ steps, seen }: ChangePlan): ChangePlan['seen'] {
  const replaced = steps.find((step) => step.do === 'write' && step.before !== undefined)?.path;
  const found = replaced === undefined ? undefined : seen.get(replaced);
  if (found === undefined || isRacy(found)) return seen;
  return new Map(Array.from(seen).filter(([path]) => path !== replaced));
}

/** Fails with `StalePlan` unless every file is as the plan saw it. */
async function checkSeen(ports: ChangePorts, plan: ChangePlan): Promise<void> {
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

/** Fails when the caller has given up, with the reason that the signal carries. */
export function checkSignal(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled; nothing was changed.');
}

/** Whether a failed change is neither finished nor taken back; see `commitChange`. */
function isLeftOpen(error: unknown): boolean {
  return error instanceof VaultError && error.details['open'] === true;
}

function leftOpen(cause: unknown): VaultError {
  const { code, message } = toVaultError(cause);
  return new VaultError(
    code === 'vault_not_found' ? code : 'io_failed',
    `The change could not be finished (${message}); the next command that writes will finish it or take it back.`,
    { cause, details: { open: true } },
  );
}
