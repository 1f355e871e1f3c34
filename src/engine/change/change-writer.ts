import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { draftDiff } from '../draft/draft-diff.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { planChange } from '../draft/plan-change.ts';
import { VaultDraft } from '../draft/vault-draft.ts';
import type { ChangeId, StateStore } from '../ports/state-store.ts';
import type { BoundVault, VaultWriter } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../vault/draft.ts';
import type { Recovered, VaultParts } from '../vault/vault-parts.ts';
import { changeNamer } from './change-names.ts';
import type { Planned } from './change-report.ts';
import {
  changedNote,
  changedNotes,
  changeReport,
  pathsOf,
  reportedVersion,
  touchedPaths,
  unchangedReport,
} from './change-report.ts';
import { checkMarks } from './check-marks.ts';
import { type CommitOptions, checkSignal, commitChange, StalePlan } from './commit-change.ts';
import { IndexedChanges } from './indexed-changes.ts';
import { type Done, type Making, nothingDone, type Sharing } from './making-change.ts';
import { newChange } from './new-change.ts';
import { HeldPlan, OwnersSay } from './owners-say.ts';
import { recoverChanges } from './recover-changes.ts';
import { isApart, isShareable, mayBegin, NotShared, touchedKeys } from './shared-commits.ts';
import { WriteQueue } from './write-queue.ts';

/** Old history is pruned after the first change, and then after every 200. */
const pruneEvery = 200;

/**
 * Makes every change of the vault's files: plans it by running an operation on a draft, commits the
 * plan under the commit lock, and has the index look at the changed files. Changes are planned one at
 * a time, in order of arrival; those that write different files may be committed at the same time.
 */
export class ChangeWriter implements VaultWriter {
  /** Called with every path of a change, folders included, right after the change was committed. */
  readonly changed = new Listeners<readonly VaultPath[]>();
  readonly #parts: VaultParts;
  readonly #queue: WriteQueue;
  readonly #index: IndexedChanges;
  #commits = 0;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue(parts);
    this.#index = new IndexedChanges(parts);
  }

  /** Plans a change and answers it as a unified diff. Touches nothing. */
  async preview<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Result & ChangeReport> {
    const draft = new VaultDraft(vault, { dryRun: true });
    try {
      const result = await plan(draft);
      const { steps } = await this.#planOf(draft);
      const report = changeReport(draft, { steps, kept: [] });
      return { ...result, dryRun: true, diff: await draftDiff(draft), ...report };
    } finally {
      await draft.end(false);
    }
  }

  /**
   * Plans a change and commits it; see `BoundVault.change`. A change that the owner has a say in leaves
   * the queue until they have decided.
   */
  async change<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Result & ChangeReport> {
    const say = new OwnersSay(this.#parts, vault);
    let mayShare = true;
    for (;;) {
      try {
        if (say.isProposing) return await this.#propose(vault, plan, say);
        const making = { vault, plan, say };
        const { done } = await this.#queue.inOrder(() => this.#change(making, { mayShare }));
        return await this.#settled(await done);
      } catch (error) {
        await say.giveBack();
        if (error instanceof NotShared) mayShare = false;
        else if (!(error instanceof HeldPlan)) throw error;
        else await say.settle(error);
      }
    }
  }

  /** See `VaultWriter`. */
  alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#queue.inOrder(() =>
      this.#queue.withLock(signal, async () => {
        await this.#recover(this.#parts.state);
        checkSignal(signal); // The caller may have left while the work waited for its turn.
        return work();
      }),
    );
  }

  /** See `VaultWriter`. */
  recover(signal: AbortSignal): Promise<readonly Recovered[]> {
    return this.#queue.inOrder(async () => {
      const state = this.#parts.state;
      if ((await state.unfinished()).length === 0) return [];
      return this.#queue.withLock(signal, () => this.#recover(state));
    });
  }

  /** See `VaultWriter`. */
  catchUp(): Promise<ChangeId> {
    return this.#index.catchUp();
  }

  /** Waits for the changes that are queued, and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** Plans a change that is to be a proposal, outside of the queue, since nothing is written. */
  async #propose<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
    say: OwnersSay,
  ): Promise<Result & ChangeReport> {
    const planned = await this.#plan({ vault, plan, say });
    await planned.draft.end(false);
    return unchangedReport(planned); // Otherwise it would have become a proposal.
  }

  /**
   * Makes a change when its turn has come. Resolves when the next one may be planned; `done` resolves
   * when this one is committed.
   */
  async #change<Result extends object>(
    making: Making<Result>,
    { mayShare }: { readonly mayShare: boolean },
  ): Promise<{ readonly done: Promise<Done<Result>> }> {
    const { vault, say } = making;
    const { shared } = this.#queue;
    if (!shared.isOpen) await shared.drained();
    const beside = shared.keys();
    // The first plan is made without the lock: a plan that fails or has nothing to do needs none.
    let first = await this.#plan(making, { isFirst: true }).catch((error: unknown) => {
      // It is made again under the lock. What it failed on may be a change that is being committed.
      if (error instanceof StalePlan || beside.size > 0) return undefined;
      throw error;
    });
    if (first !== undefined && !isApart(first, beside)) {
      await first.draft.end(false);
      first = undefined;
    }
    if (first?.change.steps.length === 0) return { done: Promise.resolve(nothingDone(first)) };
    if (mayShare && first !== undefined && mayBegin(first) && this.#mayJoin(first)) {
      const begun = await this.#beginAtOnce(making, first);
      if (begun !== undefined) return begun;
      first = undefined;
    }
    const planned = first;
    try {
      const done = await this.#queue.withLock(vault.caller.signal, async () => {
        await this.#recover(this.#parts.state);
        await say.checkOpen();
        return this.#commit(making, planned ?? (await this.#plan(making)));
      });
      return { done: Promise.resolve(done) };
    } finally {
      await planned?.draft.end(false); // Does nothing when the draft has ended already.
    }
  }

  /** Whether a plan may be committed now, beside those that are being committed. */
  #mayJoin(planned: Planned<unknown>): boolean {
    const { shared } = this.#queue;
    return shared.isEmpty || (shared.isOpen && isShareable(planned));
  }

  /**
   * Commits a plan of one visible step with one call of the state that also takes the lock, beside
   * other such changes. Undefined when that is not possible now: then it is made alone.
   */
  async #beginAtOnce<Result extends object>(
    making: Making<Result>,
    first: Planned<Result>,
  ): Promise<{ readonly done: Promise<Done<Result>> } | undefined> {
    const { shared } = this.#queue;
    const isFirst = shared.isEmpty;
    const keys = touchedKeys(first);
    let latest: ChangeId | undefined;
    let tellBegun: (isBegun: boolean) => void = () => undefined;
    const begins = new Promise<boolean>((resolve) => {
      tellBegun = resolve;
    });
    const begin = async (
      { draft }: Planned<Result>,
      ...[change, contents]: Parameters<NonNullable<CommitOptions['begin']>>
    ): Promise<ChangeId> => {
      const begun = await this.#parts.lock.tryBegin(change, contents, draft.plannedAfter);
      if ('refusal' in begun) throw new NotShared();
      latest = begun.latest;
      tellBegun(true);
      return begun.id;
    };
    const fits = (planned: Planned<Result>): boolean =>
      isShareable(planned) && Array.from(touchedKeys(planned)).every((key) => keys.has(key));
    const running = shared.run(keys, () => this.#commit(making, first, { begin, fits }));
    const done = running.then(({ done, wasAlone }) =>
      wasAlone && latest !== undefined ? { ...done, latest } : done,
    );
    done.then(
      () => tellBegun(true), // It may have had nothing to do.
      () => tellBegun(false),
    );
    // Others may join as soon as the lock is held. A change that nothing may join ends first.
    const isBegun = !isFirst || (await begins);
    if (isBegun && isShareable(first)) return { done };
    try {
      return { done: Promise.resolve(await done) };
    } catch (error) {
      if (error instanceof NotShared) return undefined;
      throw error;
    }
  }

  /**
   * Commits a plan. When files have changed since it was made, plans again: this time under the
   * lock, where only outside editors can interfere. Gives up after `limits.replansMax` plans. With
   * `shared`, fails with `NotShared` when the plan cannot be committed beside others any more.
   */
  async #commit<Result extends object>(
    making: Making<Result>,
    first: Planned<Result>,
    shared?: Sharing<Result>,
  ): Promise<Done<Result>> {
    const { vault } = making;
    let planned = first;
    for (let replans = 0; ; replans++) {
      const { draft, change, result } = planned;
      try {
        if (change.steps.length === 0) return nothingDone(planned);
        if (replans > 0 && shared?.fits(planned) === false) throw new NotShared();
        if (shared === undefined && (await this.#isStale(draft))) throw new StalePlan();
        const { id, name, kept, isRecorded, finished } = await this.#commitPlan(
          making,
          planned,
          shared,
        );
        this.changed.tell(pathsOf(change));
        await draft.end(true);
        const note = changedNote(draft, result);
        // The caller of an undo or redo has not seen the text that it brings back.
        if (draft.undone.length === 0) {
          for (const each of changedNotes(draft, result)) vault.served?.changed(each);
        }
        await this.#prune(this.#parts.state);
        const report = changeReport(draft, { steps: change.steps, kept });
        return {
          answer: {
            ...result,
            ...(isRecorded ? { change: name } : {}),
            dryRun: false,
            ...reportedVersion(note, kept),
            ...report,
          },
          id,
          ...(draft.index.latest === undefined ? {} : { latest: draft.index.latest }),
          finished,
          paths: touchedPaths(draft, change),
          isRaw: draft.rawPlan !== undefined,
        };
      } catch (error) {
        await draft.end(false);
        if (error instanceof NotShared) throw error;
        if (!(error instanceof StalePlan)) {
          // A change that was taken back has restored the contents, but the files have new stamps.
          const looked = this.#index.look(touchedPaths(draft, change));
          if (draft.rawPlan === undefined) await looked;
          throw error;
        }
        if (replans === limits.replansMax) throw keepsChanging(change);
        planned = await this.#plan(making);
      }
    }
  }

  /** Waits until the index knows of a change and history shows it, and answers the change. */
  async #settled<Result>(done: Done<Result>): Promise<Result & ChangeReport> {
    const { id, latest, paths, finished, isRaw, answer } = done;
    const looked = this.#index.changed(paths, { id, latest });
    // Raw file tools do not use the index, so they do not wait for it. Nor do they wait until
    // history shows the change: the state answers in order, so a later query will find it.
    if (!isRaw) await Promise.all([finished, this.#queue.released, looked]);
    return answer;
  }

  async #commitPlan<Result>(
    { vault, say }: Making<Result>,
    planned: Planned<Result>,
    shared: Sharing<Result> | undefined,
  ) {
    const { disk, state, clock } = this.#parts;
    const { caller } = vault;
    const nameOf = await changeNamer(vault);
    const committed = await commitChange(
      { disk, state },
      planned.change,
      newChange(planned, say, clock.nowMs()),
      {
        signal: caller.signal,
        onCommit: (id) => caller.onCommit?.(nameOf(id)),
        onTakenBack: () => caller.onTakenBack?.(),
        ...(caller.progress === undefined ? {} : { onProgress: caller.progress }),
        ...(shared === undefined ? {} : { begin: (...of) => shared.begin(planned, ...of) }),
      },
    );
    return { ...committed, name: nameOf(committed.id) };
  }

  /**
   * Plans a change, and fails unless it may be carried out now; see `OwnersSay.check`. The first plan
   * fails with `StalePlan` when another process has made or begun a change meanwhile: what it failed on
   * may be that change.
   */
  async #plan<Result extends object>(
    { vault, plan, say }: Making<Result>,
    { isFirst } = { isFirst: false },
  ): Promise<Planned<Result>> {
    checkSignal(vault.caller.signal); // The caller may have left while this waited for its turn.
    // A proposal must not put a copy of a deleted file into the system's trash.
    const draft = new VaultDraft(vault, { dryRun: say.isProposing });
    try {
      const result = await plan(draft).catch(async (error: unknown) => {
        throw isFirst && (await this.#isOvertaken(draft)) ? new StalePlan() : error;
      });
      const change = await this.#planOf(draft);
      if (change.steps.length > 0) await say.check({ draft, change });
      return { draft, result, change };
    } catch (error) {
      await draft.end(false);
      throw error;
    }
  }

  /** Whether a change was committed since a plan, of which the plan must know. */
  async #isStale({ plannedAfter }: VaultDraft): Promise<boolean> {
    return plannedAfter !== undefined && plannedAfter !== (await this.#parts.state.latest());
  }

  /** The same without the lock, when another process may be in the middle of a change. */
  async #isOvertaken(draft: VaultDraft): Promise<boolean> {
    if (draft.plannedAfter === undefined) return false;
    // In this order: a change that is finished between the two questions is then the latest.
    return (await this.#parts.state.unfinished()).length > 0 || this.#isStale(draft);
  }

  /** The steps of a draft, if its caller may make such a change. */
  async #planOf(draft: VaultDraft): Promise<ChangePlan> {
    const change = await planChange(draft, this.#parts);
    await checkMarks(draft.vault, change);
    return change;
  }

  async #recover(state: StateStore): Promise<readonly Recovered[]> {
    const recovered = await recoverChanges({ disk: this.#parts.disk, state });
    for (const change of recovered) this.#parts.onRecovered?.(change);
    const paths = recovered.flatMap((change) => change.paths);
    await this.#index.look(paths);
    return recovered;
  }

  async #prune(state: StateStore): Promise<void> {
    if (this.#commits++ % pruneEvery !== 0) return;
    await state
      .prune({
        nowMs: this.#parts.clock.nowMs(),
        ageMaxMs: limits.historyAgeMaxMs,
        bytesMax: limits.historyBytesMax,
        keepMs: limits.historyKeepMs,
      })
      .catch(() => undefined); // The change is made; pruning can wait for a later one.
  }
}

function keepsChanging({ steps }: ChangePlan): VaultError {
  const [path] = steps.flatMap((step) => (step.do === 'makeFolder' ? [] : [step.path]));
  return new VaultError(
    'conflict',
    `"${path}" or another file of this change keeps changing; nothing was written. Try again.`,
    { details: { path } },
  );
}
