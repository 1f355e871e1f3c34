import { inParallel } from '../../base/in-parallel.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { ChangeId, ChangeStep, NewChange, StoredChange } from '../ports/state-store.ts';
import { decidesAtOnce, isForHistory, stagedAs } from './deciding-step.ts';
import { rollBack, rollForward, settleSingle, stepsAtOnce, syncFolders } from './finish-change.ts';
import { lookAgain, versionOf } from './look-again.ts';
import type { ChangePorts } from './take-back-step.ts';

/** What a commit listens to, and tells. */
export interface CommitOptions {
  readonly signal: AbortSignal;
  /** Called just before the step that decides, from which on the change cannot be called off. */
  readonly onCommit: (id: ChangeId) => void;
  /** Called when it did not happen after all: a file had changed, or the disk refused. */
  readonly onTakenBack: () => void;
}

export interface Committed {
  readonly id: ChangeId;
  readonly kept: readonly VaultPath[];
  /** Whether history has it. */
  readonly isRecorded: boolean;
  /**
   * Never rejects. Until then history does not show the change; whoever is told of the lock's
   * release is so after it.
   */
  readonly finished: Promise<void>;
}

/** Files changed after the plan was made: it has to be made anew. */
export class StalePlan extends Error {}

/**
 * Carries out a plan as one change, all of it or nothing. Only whoever holds the commit lock may
 * call it, after recovery. Throws `StalePlan` when a file is no longer what the plan was made on;
 * any other failure leaves every file as it was, or says that the change is still open.
 */
export async function commitChange(
  ports: ChangePorts,
  plan: ChangePlan,
  change: NewChange,
  options: CommitOptions,
): Promise<Committed> {
  await checkSeen(ports, plan);
  const commit = decidesAtOnce(plan.steps) ? commitSingle : commitSeveral;
  let isDecided = false;
  const onCommit = (id: ChangeId): void => {
    isDecided = true;
    options.onCommit(id);
  };
  try {
    return await commit(ports, plan, change, { ...options, onCommit });
  } catch (error) {
    // What failed and is not open has been taken back, whatever was said before.
    if (isDecided && !isLeftOpen(error)) options.onTakenBack();
    throw error;
  }
}

/** A change of one visible step needs no mark: that step is the commit. */
async function commitSingle(
  ports: ChangePorts,
  plan: ChangePlan,
  change: NewChange,
  options: CommitOptions,
): Promise<Committed> {
  const { disk, state } = ports;
  const id = await state.begin(change, 'single', plan.contents);
  const stored: StoredChange = { ...change, id, state: 'single', kept: [] };
  try {
    await stage(ports, plan);
    await checkSeen(ports, plan);
    checkSignal(options.signal);
  } catch (error) {
    await giveUp(ports, stored);
    throw error;
  }
  let happened = false;
  options.onCommit(id);
  try {
    await carryOut(ports, plan);
    happened = true;
    await syncFolders(disk, plan.steps);
  } catch (error) {
    if (error instanceof StalePlan) {
      await giveUp(ports, stored);
      throw error;
    }
    happened ||= await settleSingle(disk, stored).catch(() => {
      throw leftOpen(error);
    });
    if (!happened) {
      await state.drop(id).catch(() => undefined); // Recovery does it else.
      throw error;
    }
  }
  const isRecorded = isForHistory(plan.steps);
  const finished = isRecorded ? state.finish(id, []) : state.drop(id);
  // Recovery does it else.
  return { id, kept: [], isRecorded, finished: finished.catch(() => undefined) };
}

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
    await stage(ports, plan);
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
  return { id, kept, isRecorded: true, finished: finish(ports, id, kept) };
}

/** Writes down that a change is finished; where that fails, recovery finds it so. */
function finish({ state }: ChangePorts, id: ChangeId, kept: readonly VaultPath[]): Promise<void> {
  return state.finish(id, kept).catch(() => undefined);
}

/** Finishes a marked change; where the disk refuses twice, takes it back instead. */
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

/** Makes folders and temporary files, and makes them durable. Nothing visible but empty folders. */
async function stage(ports: ChangePorts, plan: ChangePlan): Promise<void> {
  const { disk } = ports;
  const made = plan.steps.filter(({ do: what }) => what === 'makeFolder');
  for (const { path } of made) await orStale(disk.makeFolder(path));
  const writes = plan.steps.filter((step) => step.do === 'write');
  // All are written before the first is synced: one flush of the disk then serves many.
  await inParallel(writes, stepsAtOnce, (step) => {
    const bytes = plan.bytes.get(step.token) ?? new Uint8Array();
    return orStale(disk.stage(step.path, step.token, bytes, stagedAs(step)));
  });
  await inParallel(writes, stepsAtOnce, (step) =>
    disk.syncStaged(step.path, step.token, stagedAs(step)),
  );
  // The names of temporary files must outlive a crash only where they are what finishes it.
  const folders = plan.steps.length === 1 ? [] : [...made, ...writes];
  const names = new Set(folders.map(({ path }) => folderOf(path)));
  await inParallel(Array.from(names), stepsAtOnce, (folder) => disk.syncFolder(folder));
}

/** The one visible step of a single change. What is in its way makes the plan stale. */
async function carryOut({ disk }: ChangePorts, plan: ChangePlan): Promise<void> {
  for (const step of plan.steps) {
    const gone = await carryOutStep(disk, step, plan.seen);
    // Someone was faster; as long as nothing has happened, whoever asked is told.
    if (gone === false && step === plan.steps[0] && plan.held?.has(step.path)) {
      throw new StalePlan();
    }
  }
}

/** Answers whether a folder is gone that was to be removed; nothing for other steps. */
async function carryOutStep(
  disk: ChangePorts['disk'],
  step: ChangeStep,
  seen: ChangePlan['seen'],
): Promise<boolean | undefined> {
  const last = (path: VaultPath): { readonly stamp?: string } => {
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
      return orStale(disk.remove(step.path, last(step.path)));
    case 'write': {
      const replace = step.before !== undefined || step.entry === true;
      const options = { replace, ...last(step.path), ...stagedAs(step) };
      return orStale(disk.place(step.path, step.token, options));
    }
    case 'move':
    case 'moveFolder':
      if (step.over === undefined) return orStale(disk.move(step.path, step.to));
      return orStale(disk.move(step.path, step.to, { over: true, ...last(step.to) }));
  }
}

/** Something that appeared or vanished meanwhile is a reason to plan anew, not to fail. */
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

/** Nobody can say whether the mark is on disk. */
class MarkUnknown extends Error {}

async function mark({ state }: ChangePorts, plan: ChangePlan, id: ChangeId): Promise<void> {
  try {
    await state.mark(id, plan.contents);
  } catch (error) {
    const open = await state.unfinished().catch((cause: unknown) => {
      throw new MarkUnknown('', { cause });
    });
    // The failure may have come after the effect: what is on disk decides.
    if (open.find((change) => change.id === id)?.state !== 'marked') throw error;
  }
}

async function giveUp(ports: ChangePorts, change: StoredChange): Promise<void> {
  try {
    await rollBack(ports, change);
    await ports.state.drop(change.id);
  } catch {
    // The record stays, and whoever takes the lock next sweeps up.
  }
}

/** Fails with `StalePlan` unless every file is as the plan saw it. */
async function checkSeen(ports: ChangePorts, plan: ChangePlan): Promise<void> {
  await inParallel(Array.from(plan.seen), stepsAtOnce, async ([path, found]) => {
    // Whoever only moves a file does not mind what is in it.
    if (found.version === undefined) {
      if ((await ports.disk.kind(path)) !== 'file') throw new StalePlan();
    } else if (versionOf(await lookAgain(ports.disk, path, found)) !== found.version) {
      throw new StalePlan();
    }
  });
  for (const path of plan.free) {
    if ((await ports.disk.kind(path)) !== undefined) throw new StalePlan();
  }
  for (const [path, kind] of plan.names ?? []) {
    if ((await ports.disk.entry(path)) !== kind) throw new StalePlan();
  }
  for (const [folder, count] of plan.held ?? []) {
    if ((await ports.disk.entries(folder))?.length !== count) throw new StalePlan();
  }
}

/** Fails when the call was given up: what is not decided yet is not done. */
export function checkSignal(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled; nothing was changed.');
}

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
