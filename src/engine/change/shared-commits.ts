import type { VaultPath } from '../../base/vault-path.ts';
import { pathKey } from '../../base/vault-path.ts';
import type { Clock } from '../ports/ports.ts';
import type { Planned } from './change-report.ts';
import { isSingle } from './deciding-step.ts';

/** No more changes join after so many, or after so long: other processes want the lock as well. */
const joinedMax = 64;
const joinMs = 50;

/** Thrown when a change cannot be committed beside others: it has to be made alone. */
export class NotShared extends Error {}

/**
 * The changes of this process that are being committed at the same time, under one commit lock: each
 * writes another file, so their syncs of the disk are made together. `onIdle` is called when the last
 * of them has ended.
 */
export class SharedCommits {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  readonly #running = new Map<Promise<unknown>, ReadonlySet<string>>();
  /** How many have joined since the lock was taken, and when the first of them did. */
  #joined = 0;
  #sinceMs = 0;
  /** Whether one has failed: what it left must be recovered before anything else is written. */
  #hasFailed = false;

  constructor(clock: Clock, onIdle: () => void) {
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** The files that are being written now; see `touchedKeys`. */
  keys(): ReadonlySet<string> {
    return new Set(Array.from(this.#running.values()).flatMap((keys) => Array.from(keys)));
  }

  /** Whether one more change may be committed now. */
  get isOpen(): boolean {
    if (this.isEmpty) return true;
    const isYoung = Math.abs(this.#clock.nowMs() - this.#sinceMs) < joinMs;
    return !this.#hasFailed && isYoung && this.#joined < joinedMax;
  }

  /** Runs a commit. Also answers whether no other ran beside it. */
  async run<T>(
    keys: ReadonlySet<string>,
    commit: () => Promise<T>,
  ): Promise<{ readonly done: T; readonly wasAlone: boolean }> {
    if (this.isEmpty) {
      this.#joined = 0;
      this.#sinceMs = this.#clock.nowMs();
      this.#hasFailed = false;
    }
    this.#joined++;
    const running = commit();
    this.#running.set(running, keys);
    try {
      return { done: await running, wasAlone: this.#joined === 1 };
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#running.delete(running);
      if (this.isEmpty) this.#onIdle();
    }
  }

  /** Resolves when none is running. Never rejects. */
  async drained(): Promise<void> {
    while (!this.isEmpty) await Promise.allSettled(this.#running.keys());
  }
}

/**
 * Whether a change may be committed beside others: it writes into one file that is there, destroys
 * nothing that the owner may want to be asked about, and depends only on files that it has read.
 */
export function isShareable({ draft, change }: Planned<unknown>): boolean {
  const [step, more] = change.steps;
  if (step?.do !== 'write' || more !== undefined || change.free.length > 0) return false;
  if (step.before === undefined || step.whole === true || step.entry === true) return false;
  if (draft.plannedAfter !== undefined || draft.rawPlan !== undefined) return false;
  return draft.undone.length === 0 && draft.vault.call.accepts === undefined;
}

/** The files that a plan has looked at or writes, also those that symlinks lead to, as keys. */
export function touchedKeys({ change }: Planned<unknown>): ReadonlySet<string> {
  const paths = new Set<VaultPath>();
  for (const [path, { stat }] of change.seen) {
    paths.add(path);
    if (stat.leadsTo !== undefined) paths.add(stat.leadsTo);
  }
  for (const { path } of change.steps) paths.add(path);
  return new Set(Array.from(paths, pathKey));
}

/** Whether a plan has nothing to do with files that others were writing while it was made. */
export function isApart(planned: Planned<unknown>, keys: ReadonlySet<string>): boolean {
  if (keys.size === 0) return true;
  if (planned.draft.plannedAfter !== undefined || planned.draft.rawPlan !== undefined) return false;
  return Array.from(touchedKeys(planned)).every((key) => !keys.has(key));
}

/** Whether a plan can be begun with `CommitLock.tryBegin`. */
export function mayBegin({ draft, change }: Planned<unknown>): boolean {
  return isSingle(change.steps) && draft.vault.call.accepts === undefined;
}
