import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { VaultDraft } from '../draft/vault-draft.ts';
import type { ChangeId } from '../ports/state-store.ts';
import { WrittenFile } from '../text/written-file.ts';
import type { ChangeReport } from '../vault/draft.ts';
import type { VaultParts } from '../vault/vault-parts.ts';
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
import { commitChange } from './commit-change.ts';
import { type Committed, commitSingles, type PlannedChange } from './commit-singles.ts';
import { isSingle } from './deciding-step.ts';
import { FencedChange, isFenced, settledByNext, takenOver } from './fenced-change.ts';
import type { AskedChange, PlannedAsk } from './group-changes.ts';
import { StalePlan } from './stage-change.ts';

/** Old history is pruned after the first change, and then after every 200. */
const pruneEvery = 200;

/** What a commit has done. */
export interface Done {
  readonly answer: object & ChangeReport;
  /** Resolves when history shows the change; see `Committed`. */
  readonly finished: Committed['finished'];
  /** The change that was made, and whether the index had all changes before it when it was planned. */
  readonly made?: { readonly id: ChangeId; readonly wasCaughtUp: boolean };
  /** Resolves when the index has looked at the changed files. */
  readonly looked: Promise<void>;
  /** Whether a raw file tool made the change, which then does not wait for the index. */
  readonly isRaw: boolean;
}

/**
 * Commits planned changes, and has the index look at the changed files. The caller must hold the commit
 * lock and have recovered what was unfinished.
 */
export class ChangeCommitter {
  /** Called with every path of a change, folders included, right after the change was committed. */
  readonly changed = new Listeners<readonly VaultPath[]>();
  readonly #parts: VaultParts;
  readonly #plan: (asked: AskedChange) => Promise<Planned<object>>;
  #commits = 0;

  /** `plan` plans a change again, whose files have changed since it was planned. */
  constructor(parts: VaultParts, plan: (asked: AskedChange) => Promise<Planned<object>>) {
    this.#parts = parts;
    this.#plan = plan;
  }

  /**
   * Commits a plan. When files have changed since it was made, plans again: this time under the
   * lock, where only outside editors can interfere. Gives up after `limits.replansMax` plans.
   */
  async commit(asked: AskedChange, first: Planned<object>): Promise<Done> {
    let planned = first;
    for (let replans = 0; ; replans++) {
      const { draft, change } = planned;
      try {
        if (change.steps.length === 0) {
          const none = { finished: Promise.resolve(), looked: Promise.resolve(), isRaw: false };
          return { answer: unchangedReport(planned), ...none };
        }
        if (await this.isStale(draft)) throw new StalePlan();
        const paths = touchedPaths(draft, change);
        let looked: Promise<void> | undefined;
        const record = await this.#record({ asked, planned });
        const committed = await commitChange(this.#parts, record, () => {
          if (draft.rawPlan === undefined) looked = this.indexed(paths, record.written);
        }).catch((error: unknown) => this.#settledByNext(asked, record, error));
        return await this.#done({ asked, planned }, record, committed, looked);
      } catch (error) {
        await this.#failed(planned, error);
        if (!(error instanceof StalePlan)) throw error;
        if (replans === limits.replansMax) throw keepsChanging(change);
        planned = await this.#plan(asked);
      }
    }
  }

  /**
   * Commits changes together that `GroupRoom` admits. Answers what has become of each, in their order;
   * the reason is `StalePlan` for one whose files have changed since it was planned.
   */
  async commitTogether(
    group: readonly PlannedAsk[],
  ): Promise<readonly PromiseSettledResult<Done>[]> {
    const records = await Promise.all(group.map((each) => this.#record(each)));
    let looked: Promise<void> = Promise.resolve();
    const outcomes = await commitSingles(this.#parts, records, (which) => {
      const carriedOut = group.filter((_, at) => which[at]);
      looked = this.indexed(
        carriedOut.flatMap(({ planned }) => touchedPaths(planned.draft, planned.change)),
        records.flatMap(({ written }, at) => (which[at] ? written : [])),
      );
    });
    return Promise.allSettled(
      group.map(async (each, at) => {
        const [outcome, record] = [outcomes[at], records[at]];
        assert(outcome !== undefined && record !== undefined, 'each change has an outcome');
        try {
          const isMade = outcome.status === 'fulfilled';
          const committed = isMade
            ? outcome.value
            : await this.#settledByNext(each.asked, record, outcome.reason);
          return await this.#done(each, record, committed, looked);
        } catch (error) {
          await this.#failed(each.planned, error);
          throw error;
        }
      }),
    );
  }

  /**
   * If a commit failed because another machine has taken the vault over, waits for what that machine
   * makes of the change. Fails with the same error otherwise.
   */
  async #settledByNext(
    { vault: { caller } }: AskedChange,
    { nameOf }: RecordedChange,
    error: unknown,
  ): Promise<Committed> {
    if (!isFenced(error)) throw error;
    this.#parts.onFenced?.();
    if (!(error instanceof FencedChange)) throw takenOver(); // There is no record of it.
    const { id } = error;
    const { kept } = await settledByNext(this.#parts, id, { caller, name: nameOf(id) });
    return { id, kept, isRecorded: true, finished: Promise.resolve() };
  }

  /** Fails unless the next owner of the vault has made this change part of the history. */
  async checkSettled({ vault }: AskedChange, id: ChangeId): Promise<void> {
    this.#parts.onFenced?.();
    const name = (await changeNamer(vault))(id);
    await settledByNext(this.#parts, id, { caller: vault.caller, name });
  }

  /** Whether a change was committed since a plan, of which the plan must know. */
  async isStale({ plannedAfter }: VaultDraft): Promise<boolean> {
    return plannedAfter !== undefined && plannedAfter !== (await this.#parts.state.latest());
  }

  /**
   * Has the index look at changed files. Waits for that only when the index has all names; otherwise
   * it has yet to walk the whole vault, and looks at these files before it answers anything. A failure of the index does not make the change fail.
   */
  async indexed(paths: readonly VaultPath[], written: readonly WrittenFile[] = []): Promise<void> {
    if (paths.length === 0) return;
    const { keeper } = this.#parts;
    const looked = keeper.refresh(
      paths,
      written.filter(({ stat }) => stat !== undefined),
    );
    if (keeper.isReady('names')) await looked.catch(() => undefined);
    else looked.catch(() => undefined);
  }

  /** What is recorded of a planned change, and what its caller hears of its commit. */
  async #record({ asked: { vault, say }, planned }: Ask): Promise<RecordedChange> {
    const { draft, change: plan } = planned;
    const { caller, call } = vault;
    const nameOf = await changeNamer(vault);
    return {
      plan,
      nameOf,
      written: draft.rawPlan === undefined ? this.#writtenBy(plan) : [],
      change: {
        door: caller.door,
        ...(caller.client === undefined ? {} : { client: caller.client }),
        ...(caller.connection === undefined ? {} : { connection: caller.connection }),
        tool: call.tool,
        args: call.args,
        ...(caller.token === undefined ? {} : { token: caller.token }),
        ...(caller.callKey === undefined ? {} : { callKey: caller.callKey }),
        // The plan of a proposal is made for the time at which it was proposed.
        timeMs: call.accepts === undefined ? draft.nowMs : this.#parts.clock.nowMs(),
        ...(call.accepts === undefined ? {} : { proposal: call.accepts.id }),
        steps: plan.steps,
        ...say.destroys(plan),
        ...(draft.undone.length === 0 ? {} : { undoes: draft.undone }),
        ...(draft.partlyUndone.length === 0 ? {} : { partly: draft.partlyUndone }),
        ...(caller.door === 'remote' ? { fold: true } : {}),
      },
      options: {
        signal: caller.signal,
        onCommit: (id) => caller.onCommit?.(nameOf(id)),
        onTakenBack: () => caller.onTakenBack?.(),
        ...(caller.progress === undefined ? {} : { onProgress: caller.progress }),
      },
    };
  }

  /** The small notes that a change of one step writes. They are scanned when it waits for the disk. */
  #writtenBy({ steps, bytes: contents }: ChangePlan): readonly WrittenFile[] {
    if (!isSingle(steps)) return [];
    const written = steps.flatMap((step) => {
      const bytes = step.do === 'write' ? contents.get(step.token) : undefined;
      if (step.do !== 'write' || bytes === undefined) return [];
      return WrittenFile.isSmallNote(step.path, bytes)
        ? [new WrittenFile(step.path, step.after, bytes)]
        : [];
    });
    if (written.length > 0) void this.#parts.turn().then(() => written.forEach(scan));
    return written;
  }

  /** Ends the draft of a change that was committed, and tells those who have to know. */
  async #done(
    { asked: { vault }, planned }: Ask,
    { nameOf }: RecordedChange,
    { id, kept, isRecorded, finished }: Committed,
    looked: Promise<void> | undefined,
  ): Promise<Done> {
    const { draft, change, result } = planned;
    this.changed.tell(pathsOf(change));
    await draft.end(true);
    const note = changedNote(draft, result);
    // The caller of an undo or redo has not seen the text that it brings back.
    if (draft.undone.length === 0) {
      for (const each of changedNotes(draft, result)) vault.served?.changed(each);
    }
    await this.#prune();
    return {
      answer: {
        ...result,
        ...(isRecorded ? { change: nameOf(id) } : {}),
        dryRun: false,
        ...reportedVersion(note, kept),
        ...changeReport(draft, { steps: change.steps, kept }),
      },
      finished,
      made: { id, wasCaughtUp: draft.index.latest !== undefined },
      looked: looked ?? this.indexed(touchedPaths(draft, change)),
      isRaw: draft.rawPlan !== undefined,
    };
  }

  async #failed({ draft, change }: Planned<object>, error: unknown): Promise<void> {
    await draft.end(false);
    if (error instanceof StalePlan) return;
    // A change that was taken back has restored the contents, but the files have new stamps.
    const looked = this.indexed(touchedPaths(draft, change));
    if (draft.rawPlan === undefined) await looked;
  }

  async #prune(): Promise<void> {
    if (this.#commits++ % pruneEvery !== 0) return;
    await this.#parts.state
      .prune({
        nowMs: this.#parts.clock.nowMs(),
        ageMaxMs: limits.historyAgeMaxMs,
        bytesMax: limits.historyBytesMax,
        keepMs: limits.historyKeepMs,
      })
      .catch(() => undefined); // The change is made; pruning can wait for a later one.
  }
}

/** A change that was asked for, and its plan. */
interface Ask {
  readonly asked: AskedChange;
  readonly planned: Planned<object>;
}

interface RecordedChange extends PlannedChange {
  /** The word for a change; see `changeNamer`. */
  readonly nameOf: Awaited<ReturnType<typeof changeNamer>>;
  readonly written: readonly WrittenFile[];
}

function scan(file: WrittenFile): void {
  file.scan();
}
