import type { Progress } from '../../base/caller.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { FileStat } from '../ports/records.ts';
import type {
  ChangeId,
  ChangeStep,
  NewChange,
  StoredChange,
  TailStep,
} from '../ports/state-store.ts';
import type { WrittenFile } from '../text/written-file.ts';
import { isForHistory, stagedAs } from './deciding-step.ts';
import { FencedChange, fencedOrNothing, isFenced } from './fenced-change.ts';
import { settleSingle, stepsAtOnce, syncFolders } from './finish-change.ts';
import { moveThroughGate, removeThroughGate } from './gated-step.ts';
import { isRacy } from './look-again.ts';
import {
  checkSeen,
  checkSignal,
  giveUp,
  isLeftOpen,
  leftOpen,
  orStale,
  StalePlan,
  stageChange,
  syncStaged,
  writeStaged,
} from './stage-change.ts';
import { carryOutTail, isTailStep } from './tail-step.ts';
import type { ChangePorts } from './take-back-step.ts';

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
  /** Called while many files are written, before the change is committed. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Committed {
  readonly id: ChangeId;
  /** Files that an outside editor changed at the last moment: they were left as they are. */
  readonly kept: readonly VaultPath[];
  /** Whether history keeps the change; not where it wrote the bytes that were there already. */
  readonly isRecorded: boolean;
  /**
   * Resolves when history shows the change, and never rejects. The state answers in order, so the
   * lock may be released without waiting for it. Answers
   * `fenced` when another machine has taken the vault over.
   */
  readonly finished: Promise<unknown>;
}

/** A plan, and what is recorded of it. */
export interface PlannedChange {
  readonly plan: ChangePlan;
  readonly change: NewChange;
  readonly options: CommitOptions;
  /** The small notes that it writes. Those that are in place have a stat. */
  readonly written?: readonly WrittenFile[];
}

/**
 * Commits changes in the state `single`, each of them whole or not at all; answers what has become of
 * each, in their order. They need no mark: the one visible step of each is its commit, and after a
 * crash the disk shows whether that step happened. The records of all are made durable together, then
 * the temporary files, then the names: what the disk has to flush for one, it flushes for all. The
 * steps are carried out in the order of the changes. No change may touch or depend on a file that
 * another one touches. A failure of one leaves the others as they are, but for one of the record.
 *
 * `onCarriedOut` is called when all have been carried out and are not yet durable: what only reads the
 * files can begin. Its argument says which have been.
 */
export async function commitSingles(
  ports: ChangePorts,
  changes: readonly PlannedChange[],
  onCarriedOut?: (which: readonly boolean[]) => void,
): Promise<readonly PromiseSettledResult<Committed>[]> {
  const commits = changes.map((each) => new SingleCommit(ports, each));
  const going = (): SingleCommit[] => commits.filter(({ isGoing }) => isGoing);
  await inParallel(commits, stepsAtOnce, (each) => each.look());
  await begin(ports, going());
  await stage(going());
  for (const each of going()) await each.carryOut();
  const done = going();
  if (done.length > 0) {
    onCarriedOut?.(commits.map(({ isGoing }) => isGoing));
    // The steps have happened, so a failure here changes nothing about that.
    const steps = done.flatMap(({ steps: own }) => own);
    await syncFolders(ports.disk, steps).catch(() => undefined);
  }
  return commits.map((each) => each.end());
}

/** Records changes, all of them or none. */
async function begin({ state }: ChangePorts, commits: readonly SingleCommit[]): Promise<void> {
  const [first] = commits;
  if (first === undefined) return;
  try {
    const ids =
      commits.length === 1
        ? [await state.begin(first.change, 'single', first.contents)]
        : await state.beginSingles(commits.map(({ change, contents }) => ({ change, contents })));
    for (const [at, each] of commits.entries()) each.begun(ids[at] ?? 0);
  } catch (error) {
    for (const each of commits) each.fail(error);
  }
}

/** Writes the temporary files of all changes before the first is synced: one flush then serves many. */
async function stage(commits: readonly SingleCommit[]): Promise<void> {
  if (commits.length <= 1) {
    for (const each of commits) await each.stage();
    return;
  }
  await inParallel(commits, stepsAtOnce, (each) => each.write());
  const written = commits.filter(({ isGoing }) => isGoing);
  await inParallel(written, stepsAtOnce, (each) => each.sync());
}

/** One change while it is committed. Its methods do not fail: they note the failure. */
class SingleCommit {
  readonly change: NewChange;
  readonly #ports: ChangePorts;
  readonly #plan: ChangePlan;
  readonly #options: CommitOptions;
  readonly #written: readonly WrittenFile[];
  #stored: StoredChange | undefined;
  #kept: readonly VaultPath[] = [];
  #isDecided = false;
  #failure: { readonly reason: unknown } | undefined;

  constructor(ports: ChangePorts, { plan, change, options, written = [] }: PlannedChange) {
    this.#ports = ports;
    this.#plan = plan;
    this.change = change;
    this.#options = options;
    this.#written = written;
  }

  get steps(): ChangePlan['steps'] {
    return this.#plan.steps;
  }

  get contents(): ChangePlan['contents'] {
    return this.#plan.contents;
  }

  /** Whether it has not failed. */
  get isGoing(): boolean {
    return this.#failure === undefined;
  }

  fail(cause: unknown): void {
    const stored = this.#stored;
    const isLost = stored !== undefined && isFenced(cause);
    const reason = isLost ? new FencedChange(stored.id, { cause }) : cause;
    this.#failure ??= { reason };
    // A change that failed and is not left open has been taken back.
    if (this.#isDecided && !isLeftOpen(reason)) this.#options.onTakenBack();
  }

  /** Fails with `StalePlan` unless everything is as the plan saw it. */
  async look(): Promise<void> {
    await this.#try(() => checkSeen(this.#ports, this.#plan));
  }

  begun(id: ChangeId): void {
    this.#stored = { ...this.change, id, state: 'single', kept: [] };
  }

  async stage(): Promise<void> {
    await this.#orGiveUp(() => stageChange(this.#ports, this.#plan, this.#options));
  }

  /** Does the first half of `stage`, for a change of one step. */
  async write(): Promise<void> {
    await this.#orGiveUp(() => writeStaged(this.#ports, this.#plan, { sync: false }));
  }

  /** Does the second half. */
  async sync(): Promise<void> {
    await this.#orGiveUp(() => syncStaged(this.#ports, this.#plan));
  }

  /** Looks once more, and then carries out the visible step. */
  async carryOut(): Promise<void> {
    await this.#orGiveUp(async () => {
      await checkSeen(this.#ports, { ...this.#plan, seen: seenBefore(this.#plan) });
      checkSignal(this.#options.signal);
    });
    const stored = this.#stored;
    if (!this.isGoing || stored === undefined) return;
    this.#isDecided = true;
    this.#options.onCommit(stored.id);
    await this.#try(async () => {
      try {
        await carryOut(this.#ports, this.#plan, this.#written);
      } catch (error) {
        await this.#settle(stored, error);
      }
    });
  }

  /** What has become of it. */
  end(): PromiseSettledResult<Committed> {
    const { state } = this.#ports;
    const stored = this.#stored;
    if (this.#failure !== undefined || stored === undefined) {
      return { status: 'rejected', reason: this.#failure?.reason };
    }
    const kept = this.#kept;
    const isRecorded = isForHistory(this.#plan.steps);
    const finished = isRecorded ? state.finish(stored.id, kept) : state.drop(stored.id);
    // If this fails, the next recovery does it.
    const value = { id: stored.id, kept, isRecorded, finished: finished.catch(fencedOrNothing) };
    return { status: 'fulfilled', value };
  }

  /** Finds out whether the step happened although it failed. Throws unless it did. */
  async #settle(stored: StoredChange, error: unknown): Promise<void> {
    if (error instanceof StalePlan) {
      await giveUp(this.#ports, stored);
      throw error;
    }
    const { happened, kept } = await settleSingle(this.#ports, stored).catch((cause: unknown) => {
      throw isFenced(cause) ? cause : leftOpen(error);
    });
    this.#kept = kept;
    if (happened) return;
    const dropped = await this.#ports.state.drop(stored.id).catch(fencedOrNothing);
    throw dropped === 'fenced' ? new FencedChange(stored.id) : error; // Otherwise recovery does it.
  }

  /** Takes the change back if the work fails. */
  async #orGiveUp(work: () => Promise<void>): Promise<void> {
    await this.#try(async () => {
      try {
        await work();
      } catch (error) {
        if (this.#stored !== undefined) await giveUp(this.#ports, this.#stored);
        throw error;
      }
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  }
}

/** Carries out the steps of a `single` change. What is in their way makes the plan stale. */
async function carryOut(
  { disk }: ChangePorts,
  plan: ChangePlan,
  written: readonly WrittenFile[],
): Promise<void> {
  for (const step of plan.steps) {
    if (isTailStep(step)) {
      await orStale(carryOutTail(disk, step, plan.contents));
      continue;
    }
    if (step.do === 'write') {
      const stat = await carryOutWrite(disk, step, plan.seen);
      const file = written.find(({ path }) => path === step.path);
      if (stat !== undefined) file?.placed(stat);
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
  step: Exclude<ChangeStep, TailStep | WriteStep>,
  seen: ChangePlan['seen'],
): Promise<boolean | undefined> {
  switch (step.do) {
    case 'makeFolder':
      return undefined;
    case 'dropFolder':
      return disk.removeFolder(step.path);
    case 'delete':
      if (step.token !== undefined)
        await orStale(removeThroughGate(disk, step, seen.get(step.path)));
      else if (step.before === undefined) await orStale(disk.removeEntry(step.path));
      else await orStale(disk.remove(step.path, expected(seen, step.path)));
      return undefined;
    case 'move':
    case 'moveFolder':
      if (step.token !== undefined) await orStale(moveThroughGate(disk, step, seen.get(step.to)));
      else if (step.over === undefined) await orStale(disk.move(step.path, step.to));
      else await orStale(disk.move(step.path, step.to, { over: true, ...expected(seen, step.to) }));
      return undefined;
  }
}

/** Answers what `WritableDisk.place` does. */
function carryOutWrite(
  disk: ChangePorts['disk'],
  step: WriteStep,
  seen: ChangePlan['seen'],
): Promise<FileStat | undefined> {
  const replace = step.before !== undefined || step.entry === true;
  const options = { replace, ...expected(seen, step.path), ...stagedAs(step) };
  return orStale(disk.place(step.path, step.token, options));
}

/** The stamp that a file must have. */
function expected(seen: ChangePlan['seen'], path: VaultPath): { readonly stamp?: string } {
  const found = seen.get(path);
  return found === undefined ? {} : { stamp: found.stat.stamp };
}

type WriteStep = ChangeStep & { readonly do: 'write' };

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
