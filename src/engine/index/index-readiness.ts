import { VaultError } from '../../base/vault-error.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Clock, Timers } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';

/** How often a waiting call hears of the progress. */
const progressEveryMs = 250;

/** How a call waits for the index. */
export interface IndexWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Gives up as soon as more files than this have to be read first. */
  readonly filesMax?: number | undefined;
}

/**
 * For `IndexKeeper`: how far the index is, whether indexing failed, and which calls wait for it.
 */
export class IndexReadiness {
  readonly #clock: Clock;
  readonly #timers: Timers;
  /** The complete parts; full text is complete when the stage of `#progress` is `ready`. */
  readonly #complete = new Set<Exclude<IndexPart, 'text'>>();
  /** Wakes each of those that sleep. */
  readonly #sleeping = new Set<() => void>();
  #progress: IndexProgress = { stage: 'walking', done: 0, total: 0 };
  #failure: VaultError | undefined;
  /** How many files are to be read before all facts are known, as far as the first walk has come. */
  #toRead = 0;
  #isBehind = false;

  constructor(ports: { readonly clock: Clock; readonly timers: Timers }) {
    this.#clock = ports.clock;
    this.#timers = ports.timers;
  }

  get progress(): IndexProgress {
    return this.#progress;
  }

  /** Why indexing failed; undefined when it did not. */
  get failure(): VaultError | undefined {
    return this.#failure;
  }

  /** Whether a part of the index is complete. */
  isReady(part: IndexPart): boolean {
    return !this.#isBehind && this.isBuilt(part);
  }

  /** Whether a part was complete, perhaps before the vault slept. */
  isBuilt(part: IndexPart): boolean {
    if (part !== 'text') return this.#complete.has(part);
    return this.#progress.stage === 'ready' && this.#complete.has('facts');
  }

  complete(part: Exclude<IndexPart, 'text'>): void {
    this.#complete.add(part);
    this.wakeAll();
  }

  /** Whether the vault sleeps, or what changed while it slept is not in the index yet. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Until `caughtUp`, no part counts as complete: what changed meanwhile has to be looked at first. */
  fallBehind(): void {
    this.#isBehind = true;
  }

  caughtUp(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.wakeAll();
  }

  /** No part is complete any more: the index has to be built again. */
  clear(): void {
    this.#complete.clear();
    this.#isBehind = false;
  }

  report(progress: IndexProgress): void {
    this.#progress = progress;
    this.wakeAll();
  }

  /** Reports how many files the first walk has seen, and how many of them have to be read. */
  reportWalk({ seen, stale }: { readonly seen: number; readonly stale: number }): void {
    this.#toRead = stale;
    this.report({ stage: 'walking', done: seen, total: 0 });
  }

  /** Notes how many files have to be read before all facts are known. */
  expect(files: number): void {
    this.#toRead = files;
    this.wakeAll();
  }

  /** Reports how far the index is that another process builds. */
  async reportOf(store: Pick<IndexStore, 'status'>): Promise<void> {
    const { indexed, notes } = await store.status(wholeVault);
    this.#toRead = notes - indexed;
    this.report({ stage: 'facts', done: indexed, total: notes });
  }

  fail(error: unknown): void {
    const advice = 'Indexing failed; see the log, and run "vaultdoor check".';
    this.#failure =
      error instanceof VaultError ? error : new VaultError('internal', advice, { cause: error });
    this.wakeAll();
  }

  /** Forgets the failure and what was complete before it: indexing begins again. */
  restart(): void {
    this.#failure = undefined;
    this.clear();
  }

  /**
   * Waits until a part is complete, at most until `endMs`, and answers whether it is. Fails when
   * indexing failed, and with `cancelled` when the signal is aborted.
   */
  async wait(
    part: IndexPart,
    options: Omit<IndexWait, 'waitMs'> & { readonly endMs: number },
  ): Promise<boolean> {
    for (;;) {
      if (options.signal?.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
      if (this.#failure !== undefined) throw this.#failure;
      if (this.isReady(part)) return true;
      const leftMs = options.endMs - this.#clock.nowMs();
      const { filesMax = Number.POSITIVE_INFINITY } = options;
      if (leftMs <= 0 || this.#toRead > filesMax) return false;
      options.onProgress?.(this.#progress);
      await this.sleep(Math.min(leftMs, progressEveryMs));
    }
  }

  /** Resolves when the work ends, however it ends, or after `ms`. */
  within(ms: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#timers.after(ms, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      work.then(end, end);
    });
  }

  /** Resolves at the next `wakeAll`, or after `ms`; answers whether that time is over. */
  sleep(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isOver: boolean): void => {
        this.#sleeping.delete(wake);
        cancel();
        resolve(isOver);
      };
      const wake = (): void => end(false);
      const cancel = this.#timers.after(ms, () => end(true));
      this.#sleeping.add(wake);
    });
  }

  /** Wakes everyone who waits or sleeps, so that they check again. */
  wakeAll(): void {
    for (const wake of Array.from(this.#sleeping)) wake();
  }
}
