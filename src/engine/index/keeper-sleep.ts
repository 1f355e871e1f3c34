import { limits } from '../../base/limits.ts';
import type { WatchReport } from '../ports/ports.ts';
import type { IndexReadiness } from './index-readiness.ts';
import type { IndexKeeperPorts } from './keeper-ports.ts';
import type { KeptStore } from './kept-store.ts';
import type { PendingLooks } from './pending-looks.ts';

/**
 * For `IndexKeeper`: the sleep of a vault that nobody asks. Its index is closed, and what the watcher
 * reports is remembered. No part of the index counts as complete until it is open again, is still the
 * one that was closed, and what was reported has been looked at.
 */
export class KeeperSleep {
  readonly #ports: Pick<IndexKeeperPorts, 'movesWhenBuilt' | 'timers'>;
  readonly #pending: PendingLooks;
  readonly #readiness: IndexReadiness;
  readonly #store: KeptStore;
  #isAsleep = false;
  /** Whether a regular walk was due meanwhile. */
  #walkLater = false;
  /** Whether questions wait until what was reported has been looked at. */
  #looksFirst = false;

  constructor(
    ports: Pick<IndexKeeperPorts, 'movesWhenBuilt' | 'timers'>,
    pending: PendingLooks,
    readiness: IndexReadiness,
    store: KeptStore,
  ) {
    this.#ports = ports;
    this.#pending = pending;
    this.#readiness = readiness;
    this.#store = store;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  /** Closes the index, unless it is incomplete, or in memory and would be lost. */
  async begin(): Promise<void> {
    const isWhole = this.#readiness.isReady('text') && this.#readiness.failure === undefined;
    if (this.#isAsleep || !isWhole || this.#store.isInMemory) return;
    this.#isAsleep = true;
    this.interrupt();
    await this.#store.close().catch(() => undefined); // Whoever asks next opens it again.
  }

  /** Moves a complete index to where other vaults are not built; see `KeptStore.move`. */
  async move(): Promise<void> {
    const { movesWhenBuilt = false, timers } = this.#ports;
    if (!movesWhenBuilt || !this.#readiness.isReady('text')) return;
    const isMoved = await this.#store.move().catch(() => false); // Then it stays where it is.
    if (isMoved) timers.after(limits.newVaultMs, () => void this.#store.closeFirst());
  }

  /** The index is opened, and what was reported is looked at, before it is asked again. */
  interrupt(): void {
    this.#looksFirst = true;
    this.#readiness.fallBehind();
  }

  /** Returns whether the vault was asleep. Without `looksFirst`, questions see it as it was left. */
  end(looksFirst: boolean): boolean {
    if (!this.#isAsleep) return false;
    this.#isAsleep = false;
    this.#looksFirst = looksFirst;
    return true;
  }

  /**
   * Decides about a report, whose paths are among the pending ones already. Returns whether the vault
   * has to wake: there is too much to remember, or it has to be walked.
   */
  heard({ reconcile, isRoutine = false }: WatchReport): boolean {
    if (reconcile && isRoutine) this.#walkLater = true;
    return (reconcile && !isRoutine) || this.#pending.size > limits.asleepPathsMax;
  }

  /**
   * The next step after the end: opens the index, and says whether to look at what was reported. When
   * that is done, says whether the regular walk is due.
   */
  async catchUp(): Promise<'look' | 'walk' | undefined> {
    await this.#store.get();
    if (!this.#readiness.isBehind) return undefined; // It is another index: the vault is new.
    if (this.#looksFirst && this.#pending.size > 0) return 'look';
    this.#readiness.caughtUp();
    const next = this.#walkLater ? 'walk' : undefined;
    this.#walkLater = false;
    return next;
  }
}
