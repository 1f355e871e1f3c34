import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
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
  keepsChanging,
  pathsOf,
  reportedVersion,
  touchedPaths,
  unchangedReport,
} from './change-report.ts';
import { checkMarks } from './check-marks.ts';
import { checkSignal, commitChange, StalePlan } from './commit-change.ts';
import { HeldPlan, OwnersSay } from './owners-say.ts';
import { recoverChanges } from './recover-changes.ts';
import { WriteQueue } from './write-queue.ts';

/** Old history is pruned after the first change, and then after every 200. */
const pruneEvery = 200;
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
 * Makes every change of the vault's files, one at a time: plans it by running an operation on a
 * draft, commits the plan under the commit lock, and has the index look at the changed files.
 */
export class ChangeWriter implements VaultWriter {
  /** Called with every path of a change, folders included, right after the change was committed. */
  readonly changed = new Listeners<readonly VaultPath[]>();
  readonly #parts: VaultParts;
  readonly #queue: WriteQueue;
  readonly #openedMs: number;
  /**
   * The newest change whose files the index has looked at; undefined before the first `catchUp`.
   */
  #caughtUp: ChangeId | undefined;
  #commits = 0;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue(parts);
    this.#openedMs = parts.clock.nowMs();
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
        if (say.isProposing) return await this.#propose(vault, plan, say);
        return await this.#queue.inOrder(() => this.#change(vault, plan, say));
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
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
    say: OwnersSay,
  ): Promise<Result & ChangeReport> {
    const planned = await this.#plan(vault, plan, say);
    await planned.draft.end(false);
    return unchangedReport(planned); // Otherwise it would have become a proposal.
  }

  async #change<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
    say: OwnersSay,
  ): Promise<Result & ChangeReport> {
    // The first plan is made without the lock: a plan that fails or has nothing to do needs none.
    const first = await this.#plan(vault, plan, say, { isFirst: true }).catch((error: unknown) => {
      if (error instanceof StalePlan) return undefined; // It is made under the lock.
      throw error;
    });
    if (first?.change.steps.length === 0) return unchangedReport(first);
    try {
      const state = this.#parts.state;
      const commit = async (): Promise<Done<Result>> => {
        await this.#recover(state);
        await say.checkOpen();
        const planned = first ?? (await this.#plan(vault, plan, say));
        return this.#commit({ state, vault, plan, say }, planned);
      };
      const done = await this.#queue.withLock(vault.caller.signal, commit);
      const looked = done.looked ?? this.#indexed(done.paths);
      // Raw file tools do not use the index, so they do not wait for it, nor until history shows the
      // change: the state answers in order, so a later query will find it.
      if (done.isRaw) return done.answer;
      await Promise.all([done.finished, this.#queue.released, looked]);
      this.#hasLookedAt(done);
      return done.answer;
    } finally {
      await first?.draft.end(false); // Does nothing when the draft has ended already.
    }
  }

  /**
   * Commits a plan. When files have changed since it was made, plans again: this time under the
   * lock, where only outside editors can interfere. Gives up after `limits.replansMax` plans.
   */
  async #commit<Result extends object>(
    { state, vault, plan, say }: Committing<Result>,
    first: Planned<Result>,
  ): Promise<Done<Result>> {
    let planned = first;
    for (let replans = 0; ; replans++) {
      const { draft, change, result } = planned;
      try {
        if (change.steps.length === 0) {
          const answer = unchangedReport(planned);
          return { answer, finished: Promise.resolve(), paths: [], isRaw: false };
        }
        if (await this.#isStale(draft)) throw new StalePlan();
        const paths = touchedPaths(draft, change);
        const isRaw = draft.rawPlan !== undefined;
        let looked: Promise<void> | undefined;
        const onCarriedOut = (): void => {
          if (!isRaw) looked = this.#indexed(paths);
        };
        const { id, name, kept, isRecorded, finished } = await this.#commitPlan(
          { state, vault, say, onCarriedOut },
          planned,
        );
        this.changed.tell(pathsOf(change));
        await draft.end(true);
        const note = changedNote(draft, result);
        // The caller of an undo or redo has not seen the text that it brings back.
        if (draft.undone.length === 0) {
          for (const each of changedNotes(draft, result)) vault.served?.changed(each);
        }
        await this.#prune(state);
        const report = changeReport(draft, { steps: change.steps, kept });
        return {
          answer: {
            ...result,
            ...(isRecorded ? { change: name } : {}),
            dryRun: false,
            ...reportedVersion(note, kept),
            ...report,
          },
          finished,
          paths,
          made: { id, wasCaughtUp: draft.index.latest !== undefined },
          ...(looked === undefined ? {} : { looked }),
          isRaw,
        };
      } catch (error) {
        await draft.end(false);
        if (!(error instanceof StalePlan)) {
          // A change that was taken back has restored the contents, but the files have new stamps.
          const looked = this.#indexed(touchedPaths(draft, change));
          if (draft.rawPlan === undefined) await looked;
          throw error;
        }
        if (replans === limits.replansMax) throw keepsChanging(change);
        planned = await this.#plan(vault, plan, say);
      }
    }
  }

  async #commitPlan<Result>(
    { state, vault, say, onCarriedOut }: Omit<Committing<Result>, 'plan'>,
    planned: Planned<Result>,
  ) {
    const { draft, change } = planned;
    const { caller, call } = vault;
    const nameOf = await changeNamer(vault);
    const committed = await commitChange(
      { disk: this.#parts.disk, state },
      change,
      {
        door: caller.door,
        ...(caller.client === undefined ? {} : { client: caller.client }),
        ...(caller.connection === undefined ? {} : { connection: caller.connection }),
        tool: call.tool,
        args: call.args,
        ...(caller.token === undefined ? {} : { token: caller.token }),
        // The plan of a proposal is made for the time at which it was proposed.
        timeMs: call.accepts === undefined ? draft.nowMs : this.#parts.clock.nowMs(),
        ...(call.accepts === undefined ? {} : { proposal: call.accepts.id }),
        steps: change.steps,
        ...say.destroys(change),
        ...(draft.undone.length === 0 ? {} : { undoes: draft.undone }),
        ...(draft.partlyUndone.length === 0 ? {} : { partly: draft.partlyUndone }),
        ...(caller.door === 'remote' ? { fold: true } : {}),
      },
      {
        signal: caller.signal,
        onCommit: (id) => caller.onCommit?.(nameOf(id)),
        onTakenBack: () => caller.onTakenBack?.(),
        ...(onCarriedOut === undefined ? {} : { onCarriedOut }),
        ...(caller.progress === undefined ? {} : { onProgress: caller.progress }),
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
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
    say: OwnersSay,
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
    await this.#indexed(paths);
    return recovered;
  }

  /**
   * Has the index look at changed files. Waits for that only when the index has all names; otherwise
   * it has yet to walk the whole vault, and looks at these files before it answers anything. A failure of the index does not make the change fail.
   */
  async #indexed(paths: readonly VaultPath[]): Promise<void> {
    if (paths.length === 0) return;
    const { keeper } = this.#parts;
    const looked = keeper.refresh(paths);
    if (keeper.isReady('names')) await looked.catch(() => undefined);
    else looked.catch(() => undefined);
  }

  /**
   * Notes that the index has looked at the files of a change, if it had all changes before that one:
   * the next plan that asks the index then need not ask the history for them.
   */
  #hasLookedAt({ made }: Pick<Done<unknown>, 'made'>): void {
    if (made === undefined) return;
    // A number in between may be that of another process's change.
    if (made.wasCaughtUp || made.id - 1 === this.#caughtUp) this.#caughtUp = made.id;
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

/** What a commit needs besides the plan. */
interface Committing<Result> {
  readonly state: StateStore;
  readonly vault: BoundVault;
  readonly plan: (draft: Draft) => Promise<Result>;
  readonly say: OwnersSay;
  /** See `commitChange`. */
  readonly onCarriedOut?: () => void;
}

/** What a commit has done. */
interface Done<Result> {
  readonly answer: Result & ChangeReport;
  /** Resolves when history shows the change; see `Committed`. */
  readonly finished: Promise<void>;
  /** The paths that the index has to look at. */
  readonly paths: readonly VaultPath[];
  /** The change that was made, and whether the index had all changes before it when it was planned. */
  readonly made?: { readonly id: ChangeId; readonly wasCaughtUp: boolean };
  /** Resolves when the index has looked at them, if that has begun. */
  readonly looked?: Promise<void>;
  /** Whether a raw file tool made the change, which then does not wait for the index. */
  readonly isRaw: boolean;
}
