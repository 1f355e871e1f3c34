import { limits } from '../../base/limits.ts';
import { draftDiff } from '../draft/draft-diff.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { planChange } from '../draft/plan-change.ts';
import { VaultDraft } from '../draft/vault-draft.ts';
import type { ChangeId, StateStore } from '../ports/state-store.ts';
import type { BoundVault, VaultWriter } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../vault/draft.ts';
import type { Recovered, VaultParts } from '../vault/vault-parts.ts';
import { ChangeCommitter, type Done } from './change-committer.ts';
import type { Planned } from './change-report.ts';
import { changeReport, pathsOf, unchangedReport } from './change-report.ts';
import { checkMarks } from './check-marks.ts';
import { type AskedChange, GroupRoom, type PlannedAsk, WaitingChange } from './group-changes.ts';
import { HeldPlan, OwnersSay } from './owners-say.ts';
import { recoverChanges } from './recover-changes.ts';
import { checkSignal, StalePlan } from './stage-change.ts';
import { WriteQueue } from './write-queue.ts';

/**
 * Changes that are older than this when the vault is opened are certainly found by the first walk
 * of the index.
 */
const walkSlackMs = 60_000;
/**
 * With more changes of other processes than this, walking the vault costs less than looking at
 * the files of each.
 */
const catchUpMax = 1_000;

/**
 * Makes every change of the vault's files, one after the other: plans it by running an operation on a
 * draft, commits the plan under the commit lock, and has the index look at the changed files. Changes
 * that wait, and that touch a file each, are committed together; see `GroupRoom`.
 */
export class ChangeWriter implements VaultWriter {
  readonly #parts: VaultParts;
  readonly #queue: WriteQueue;
  readonly #committer: ChangeCommitter;
  readonly #openedMs: number;
  /** The changes that wait for their turn, in order of arrival. */
  readonly #waiting = new Set<WaitingChange>();
  /**
   * The newest change whose files the index has looked at; undefined before the first `catchUp`.
   */
  #caughtUp: ChangeId | undefined;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue(parts);
    this.#openedMs = parts.clock.nowMs();
    this.#committer = new ChangeCommitter(parts, (asked) => this.#plan(asked));
  }

  /** See `ChangeCommitter`. */
  get changed(): ChangeCommitter['changed'] {
    return this.#committer.changed;
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
    for (;;) {
      try {
        if (say.isProposing) return await this.#propose({ vault, plan, say });
        const made = await this.#inTurn(new WaitingChange({ vault, plan, say }));
        return made as Result & ChangeReport; // The result is what `plan` has returned.
      } catch (error) {
        await say.giveBack();
        if (!(error instanceof HeldPlan)) throw error;
        await say.settle(error);
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
  async catchUp(): Promise<ChangeId> {
    const state = this.#parts.state;
    const latest = await state.latest();
    if (this.#caughtUp === latest) return latest;
    const filter =
      this.#caughtUp === undefined
        ? { sinceMs: this.#openedMs - walkSlackMs }
        : { after: this.#caughtUp };
    const page = { limit: catchUpMax, offset: 0 };
    const { items, total } = await state.changes(filter, page);
    if (total > items.length) await this.#parts.keeper.reconcile();
    else await this.#parts.keeper.refresh(items.flatMap(pathsOf));
    this.#caughtUp = latest; // Only now: another draft that asks before this has to wait too.
    return latest;
  }

  /** Waits for the changes that are queued, and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** Plans a change that is to be a proposal, outside of the queue, since nothing is written. */
  async #propose<Result extends object>(
    asked: AskedChange<Result>,
  ): Promise<Result & ChangeReport> {
    const planned = await this.#plan(asked);
    await planned.draft.end(false);
    return unchangedReport(planned); // Otherwise it would have become a proposal.
  }

  /** Makes a change when its turn comes, or earlier, together with one before it. */
  #inTurn(waiting: WaitingChange): Promise<object & ChangeReport> {
    this.#waiting.add(waiting);
    const turn = this.#queue.inOrder(async () => {
      // It may have been made with an earlier one.
      if (this.#waiting.delete(waiting)) await waiting.settle(this.#change(waiting));
    });
    turn.catch((error: unknown) => {
      this.#waiting.delete(waiting);
      void waiting.settle(Promise.reject(error));
    });
    return waiting.made;
  }

  async #change(asked: WaitingChange): Promise<object & ChangeReport> {
    // The first plan is made without the lock: a plan that fails or has nothing to do needs none.
    const first = await this.#plan(asked, { isFirst: true }).catch((error: unknown) => {
      if (error instanceof StalePlan) return undefined; // It is made under the lock.
      throw error;
    });
    if (first?.change.steps.length === 0) return unchangedReport(first);
    const others = first === undefined ? [] : await this.#others(asked, first);
    const made: (() => void)[] = [];
    try {
      const done = await this.#queue.withLock(asked.vault.caller.signal, async () => {
        await this.#recover(this.#parts.state);
        await asked.say.checkOpen();
        const planned = first ?? (await this.#plan(asked));
        if (others.length > 0) return this.#commitTogether({ asked, planned }, others, made);
        return this.#committer.commit(asked, planned);
      });
      return await this.#answer(asked, done);
    } finally {
      for (const answer of made) answer();
      // Does nothing when a draft has ended already.
      for (const planned of [first, ...others.map((other) => other.planned)]) {
        await planned?.draft.end(false);
      }
    }
  }

  /**
   * Plans the changes that wait behind this one, as far as they can be committed together with it.
   * What does not fit, or fails, is planned again when its turn comes: the reason may be a change
   * before it. Nothing behind it is taken then, so that no change overtakes another.
   */
  async #others(asked: WaitingChange, planned: Planned<object>): Promise<readonly PlannedAsk[]> {
    const others: PlannedAsk[] = [];
    const { keeper, clock } = this.#parts;
    if (this.#waiting.size === 0) return others;
    const isIndexed = keeper.isReady('text');
    const room = new GroupRoom();
    if (!room.take(asked, planned)) return others;
    const endMs = clock.nowMs() + limits.groupPlanMs;
    for (const waiting of this.#waiting) {
      if (room.isFull || clock.nowMs() >= endMs) break;
      // Another plan than that of a raw file tool may wait for an index that is not complete.
      if (!isIndexed && !waiting.vault.raw) break;
      const other = await this.#plan(waiting).catch(() => undefined);
      if (other === undefined) break;
      if (!room.take(waiting, other)) {
        await other.draft.end(false);
        break;
      }
      others.push({ asked: waiting, planned: other });
    }
    return others;
  }

  /**
   * Commits a change together with others that wait behind it. Adds to `made` how the others are
   * answered once the lock is released. Those whose files have changed go on waiting for their turn.
   */
  async #commitTogether(
    first: PlannedAsk,
    others: readonly PlannedAsk[],
    made: (() => void)[],
  ): Promise<Done> {
    const [own, ...rest] = await this.#committer.commitTogether([first, ...others]);
    for (const [at, outcome] of rest.entries()) {
      const waiting = others[at]?.asked;
      const isStale = outcome.status === 'rejected' && outcome.reason instanceof StalePlan;
      if (waiting === undefined || isStale) continue;
      this.#waiting.delete(waiting);
      made.push(() => {
        const isMade = outcome.status === 'fulfilled';
        void waiting.settle(
          isMade ? this.#answer(waiting, outcome.value) : Promise.reject(outcome.reason),
        );
      });
    }
    if (own?.status === 'fulfilled') return own.value;
    if (!(own?.reason instanceof StalePlan)) throw own?.reason;
    await this.#recover(this.#parts.state); // One of the others may be left open.
    return this.#committer.commit(first.asked, await this.#plan(first.asked));
  }

  /** The answer of a change, when everything is done that it says. */
  async #answer(asked: WaitingChange, done: Done): Promise<object & ChangeReport> {
    const { answer, isRaw, finished, looked, made } = done;
    // Raw file tools do not use the index, so they do not wait for it, nor until history shows the
    // change: the state answers in order, so a later query will find it.
    if (isRaw) return answer;
    const [how] = await Promise.all([finished, this.#queue.released, looked]);
    if (how === 'fenced' && made !== undefined) await this.#committer.checkSettled(asked, made.id);
    // The index has this change, and it has all of them if it had those before. A number in between
    // may be that of another process's change.
    if (made?.wasCaughtUp || made?.id === (this.#caughtUp ?? Number.NaN) + 1) {
      this.#caughtUp = made?.id;
    }
    return answer;
  }

  /**
   * Plans a change, and fails unless it may be carried out now; see `OwnersSay.check`. The first plan
   * fails with `StalePlan` when another process has made or begun a change meanwhile: what it failed on
   * may be that change.
   */
  async #plan<Result extends object>(
    { vault, plan, say }: AskedChange<Result>,
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

  /** As `isStale`, but without the lock, when another process may be in the middle of a change. */
  async #isOvertaken(draft: VaultDraft): Promise<boolean> {
    if (draft.plannedAfter === undefined) return false;
    // In this order: a change that is finished between the two questions is then the latest.
    return (await this.#parts.state.unfinished()).length > 0 || this.#committer.isStale(draft);
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
    await this.#committer.indexed(paths);
    return recovered;
  }
}
