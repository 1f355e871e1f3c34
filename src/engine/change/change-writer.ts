import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden } from '../../base/vault-path.ts';
import { changedNote } from '../draft/changed-note.ts';
import { draftDiff } from '../draft/draft-diff.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { planChange } from '../draft/plan-change.ts';
import { VaultDraft } from '../draft/vault-draft.ts';
import type { ChangeId, StateStore } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../vault/draft.ts';
import type { NoteChange } from '../vault/served-notes.ts';
import type { Recovered, VaultParts } from '../vault/vault-parts.ts';
import { changeFiles } from './change-files.ts';
import { historySees } from './change-row.ts';
import { checkSignal, commitChange, StalePlan } from './commit-change.ts';
import { EarlyLock } from './early-lock.ts';
import { pathsOf, recoverChanges } from './recover-changes.ts';

const lockPauseMs = 4;
const lockPauseMaxMs = 25;
/** History is looked over for what is too old once in so many changes. */
const pruneEvery = 200;
/** Changes this much older than the vault's opening are in the index by its first walk. */
const walkSlackMs = 60_000;
const caughtUpPage = 1_000;

/**
 * The one way in which files of the vault change. Changes of this process run in order of
 * arrival; the commit lock keeps them apart from those of other processes.
 */
export class ChangeWriter {
  /** Is told of every path of a change, folders included, the moment it is made. */
  readonly changed = new Listeners<readonly VaultPath[]>();
  readonly #parts: VaultParts;
  readonly #openedMs: number;
  #last: Promise<unknown> = Promise.resolve();
  /** Resolves when the lock that was held last is free again. */
  #released: Promise<void> = Promise.resolve();
  #caughtUp: ChangeId | undefined;
  #commits = 0;
  #closed = false;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#openedMs = parts.clock.nowMs();
  }

  /** What a change would do, as a unified diff. Touches nothing. */
  async preview<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Result & ChangeReport> {
    const draft = new VaultDraft(vault, { dryRun: true });
    try {
      const result = await plan(draft);
      const { steps } = await planChange(draft, this.#parts);
      const diff = draftDiff(draft);
      return { ...result, dryRun: true, diff, ...reportOf(draft, { steps, kept: [] }) };
    } finally {
      await draft.end(false);
    }
  }

  /** Plans and commits; see `BoundVault.change`. */
  change<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Result & ChangeReport> {
    return this.#inOrder(() => this.#change(vault, plan));
  }

  /**
   * Does something that changes files by other means, while nobody changes them through us: it has
   * its turn like a change, and holds the lock. The index is not told.
   */
  alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#inOrder(() =>
      this.#withLock(signal, async () => {
        await this.#recover(this.#parts.state);
        checkSignal(signal); // It may have waited for its turn until nobody wants it.
        return work();
      }),
    );
  }

  /** Finishes or takes back what processes that died have left open. */
  recover(signal: AbortSignal): Promise<readonly Recovered[]> {
    return this.#inOrder(async () => {
      const state = this.#parts.state;
      if ((await state.unfinished()).length === 0) return [];
      return this.#withLock(signal, () => this.#recover(state));
    });
  }

  /**
   * Brings the index up to what other processes have committed, so that a plan made on it holds.
   * Answers the newest change it then has. Costs one small query when there is nothing new.
   */
  async catchUp(): Promise<ChangeId> {
    const state = this.#parts.state;
    const latest = await state.latest();
    if (this.#caughtUp === latest) return latest;
    const filter =
      this.#caughtUp === undefined
        ? { sinceMs: this.#openedMs - walkSlackMs }
        : { after: this.#caughtUp };
    const page = { limit: caughtUpPage, offset: 0 };
    const { items, total } = await state.changes(filter, page);
    if (total > items.length) await this.#parts.keeper.reconcile();
    else await this.#parts.keeper.refresh(items.flatMap(pathsOf));
    this.#caughtUp = latest; // Not before: another draft may ask meanwhile.
    return latest;
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last.catch(() => undefined);
    await this.#released;
    await this.#parts.lock.close();
  }

  async #change<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Result & ChangeReport> {
    // Nothing is written for a plan that fails, or that has nothing to do.
    const early = this.#earlyLock(vault);
    const first = await this.#plan(vault, plan).catch(async (error: unknown) => {
      await early?.giveBack();
      throw error;
    });
    if (first.change.steps.length === 0) {
      await early?.giveBack();
      return unchanged(first);
    }
    try {
      const state = this.#parts.state;
      const commit = async (): Promise<Done<Result>> => {
        await this.#recover(state);
        return this.#commit(state, vault, plan, first);
      };
      const done = await this.#withLock(vault.caller.signal, commit, early);
      const looked = this.#indexed(done.paths);
      // Raw tools have nothing to do with the index, and need not wait until history shows a change
      // that is on disk: whoever asks it here, or takes the lock, does so after that.
      if (!done.isRaw) await Promise.all([done.finished, this.#released, looked]);
      return done.answer;
    } finally {
      await first.draft.end(false); // Unless it has been told already.
    }
  }

  /** Commits, planning anew under the lock when files have changed: then only editors interfere. */
  async #commit<Result extends object>(
    state: StateStore,
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
    first: Planned<Result>,
  ): Promise<Done<Result>> {
    let planned = first;
    for (let replans = 0; ; replans++) {
      const { draft, change, result } = planned;
      const { latest } = draft.index;
      try {
        if (change.steps.length === 0) {
          return {
            answer: unchanged(planned),
            finished: Promise.resolve(),
            paths: [],
            isRaw: false,
          };
        }
        if (latest !== undefined && latest !== (await state.latest())) throw new StalePlan();
        const { id, kept, isRecorded, finished } = await this.#commitPlan(state, vault, planned);
        this.changed.tell(pathsOf(change));
        if (latest !== undefined) this.#caughtUp = id;
        await draft.end(true);
        const note = changedNote(draft, result);
        // What undo and redo bring back, their caller has not seen.
        if (note !== undefined && draft.undone.length === 0) vault.served?.changed(note);
        await this.#prune(state);
        const report = reportOf(draft, { steps: change.steps, kept });
        return {
          answer: {
            ...result,
            ...(isRecorded ? { change: id } : {}),
            dryRun: false,
            ...versionOf(note, kept),
            ...report,
          },
          finished,
          paths: touchedPaths(draft, change),
          isRaw: draft.rawPlan !== undefined,
        };
      } catch (error) {
        await draft.end(false);
        if (!(error instanceof StalePlan)) {
          // What was carried out and taken back is the same again, but in other files.
          const looked = this.#indexed(touchedPaths(draft, change));
          if (draft.rawPlan === undefined) await looked;
          throw error;
        }
        if (replans === limits.replansMax) throw keepsChanging(change);
        planned = await this.#plan(vault, plan);
      }
    }
  }

  async #commitPlan<Result>(state: StateStore, vault: BoundVault, planned: Planned<Result>) {
    const { draft, change } = planned;
    const { caller, call } = vault;
    return commitChange(
      { disk: this.#parts.disk, state },
      change,
      {
        door: caller.door,
        ...(caller.client === undefined ? {} : { client: caller.client }),
        ...(caller.connection === undefined ? {} : { connection: caller.connection }),
        tool: call.tool,
        args: call.args,
        timeMs: draft.nowMs,
        steps: change.steps,
        ...(draft.undone.length === 0 ? {} : { undoes: draft.undone }),
        ...(caller.door === 'remote' ? { fold: true } : {}),
      },
      {
        signal: caller.signal,
        onCommit: (id) => caller.onCommit?.(id),
        onTakenBack: () => caller.onTakenBack?.(),
      },
    );
  }

  async #plan<Result extends object>(
    vault: BoundVault,
    plan: (draft: Draft) => Promise<Result>,
  ): Promise<Planned<Result>> {
    checkSignal(vault.caller.signal); // It may have waited for its turn until nobody wants it.
    const draft = new VaultDraft(vault, { dryRun: false });
    try {
      const result = await plan(draft);
      return { draft, result, change: await planChange(draft, this.#parts) };
    } catch (error) {
      await draft.end(false);
      throw error;
    }
  }

  async #recover(state: StateStore): Promise<readonly Recovered[]> {
    const recovered = await recoverChanges({ disk: this.#parts.disk, state });
    for (const change of recovered) this.#parts.onRecovered?.(change);
    const paths = recovered.flatMap((change) => change.paths);
    await this.#indexed(paths);
    return recovered;
  }

  /** Has the index look at what we changed, unless it has yet to look at everything anyway. */
  async #indexed(paths: readonly VaultPath[]): Promise<void> {
    if (paths.length === 0) return;
    const { keeper } = this.#parts;
    const looked = keeper.refresh(paths);
    if (keeper.isReady('facts'))
      await looked.catch(() => undefined); // Not the change's failure.
    else looked.catch(() => undefined);
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
      .catch(() => undefined); // The change is made; what is too old can wait.
  }

  /** For raw changes, which are planned fast; not for the first, for which a worker has to start. */
  #earlyLock({ raw }: BoundVault): EarlyLock | undefined {
    return raw && this.#commits > 0 ? new EarlyLock(this.#parts) : undefined;
  }

  async #withLock<T>(signal: AbortSignal, work: () => Promise<T>, early?: EarlyLock): Promise<T> {
    const { lock, clock } = this.#parts;
    const endMs = clock.nowMs() + limits.commitWaitMs;
    let isHeld = early === undefined ? await lock.tryTake() : await early.take();
    for (let pauseMs = lockPauseMs; !isHeld; isHeld = await lock.tryTake()) {
      if (signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
      if (clock.nowMs() > endMs) {
        throw new VaultError(
          'timeout',
          'Another program has been writing to the vault for too long; nothing was changed. Try again.',
        );
      }
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, lockPauseMaxMs);
    }
    try {
      return await work();
    } finally {
      // What was done is done: a lock that is not let go at once is no failure of the change.
      this.#released = lock.release().catch(() => lock.release().catch(() => undefined));
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.timers.after(ms, resolve);
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new VaultError('cancelled', 'The vault is being closed.'));
    }
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}

interface Done<Result> {
  readonly answer: Result & ChangeReport;
  /** See `Committed`: the lock is let go without waiting for it. */
  readonly finished: Promise<void>;
  /** What the index has to look at, */
  readonly paths: readonly VaultPath[];
  /** and whether nobody waits for it. */
  readonly isRaw: boolean;
}

interface Planned<Result> {
  readonly draft: VaultDraft;
  readonly result: Result;
  readonly change: ChangePlan;
}

function reportOf(
  draft: VaultDraft,
  { steps, kept }: { steps: ChangePlan['steps']; kept: readonly VaultPath[] },
): Pick<ChangeReport, 'files' | 'kept' | 'warnings'> {
  const { vault, warnings } = draft;
  return { files: changeFiles(steps, historySees(vault)), kept, warnings };
}

function unchanged<Result extends object>(planned: Planned<Result>): Result & ChangeReport {
  const { result, draft } = planned;
  const report = { dryRun: false, files: [], kept: [], warnings: draft.warnings };
  return { ...result, ...versionOf(changedNote(draft, result)), ...report };
}

/** Its version now, unless an editor got in before: then nobody here knows it. */
function versionOf(
  note: NoteChange | undefined,
  kept: readonly VaultPath[] = [],
): Pick<ChangeReport, 'version'> {
  if (note === undefined) return {};
  const isKept = kept.some((path) => path === note.from || path === note.to);
  return isKept ? {} : { version: note.after };
}

/** What the index has to look at. */
function touchedPaths(draft: VaultDraft, { steps }: ChangePlan): readonly VaultPath[] {
  if (draft.rawPlan !== undefined) return pathsOf({ steps });
  const paths = new Set<VaultPath>(draft.inMovedFolders);
  for (const step of steps) {
    // The index has listed what is in a moved folder, unless that came out of a dot folder.
    if (step.do === 'moveFolder' && isHidden(step.path)) paths.add(step.to);
    if (step.do === 'makeFolder' || step.do === 'dropFolder' || step.do === 'moveFolder') continue;
    paths.add(step.path);
    // What was written or made in a folder that moved has come to lie elsewhere.
    for (const path of [step.path, ...(step.do === 'move' ? [step.to] : [])]) {
      paths.add(path);
      const now = draft.files.fromDisk(path);
      if (now !== undefined) paths.add(now);
    }
  }
  return Array.from(paths);
}

function keepsChanging({ steps }: ChangePlan): VaultError {
  const [path] = steps.flatMap((step) => (step.do === 'makeFolder' ? [] : [step.path]));
  return new VaultError(
    'conflict',
    `"${path}" or a file that belongs to the change keeps changing; nothing was changed. Try again.`,
    { details: { path } },
  );
}
