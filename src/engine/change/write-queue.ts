import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Clock, Timers } from '../ports/ports.ts';
import type { CommitLock } from '../ports/state-store.ts';

/** How long to wait before the lock is tried again; doubled after every try, up to the maximum. */
const lockPauseMs = 4;
const lockPauseMaxMs = 25;

interface WriteQueuePorts {
  readonly lock: CommitLock;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * Keeps writers apart. Those of this process run one after the other, in order of arrival; the
 * commit lock keeps them apart from the writers of other processes.
 */
export class WriteQueue {
  readonly #ports: WriteQueuePorts;
  /** The work that was queued last. */
  #last: Promise<unknown> = Promise.resolve();
  #released: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(ports: WriteQueuePorts) {
    this.#ports = ports;
  }

  /** Resolves when the lock that was held last is free again. Never rejects. */
  get released(): Promise<void> {
    return this.#released;
  }

  /** Runs the work when everything that was queued before it has ended; `cancelled` once closed. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new VaultError('cancelled', 'The vault is being closed.'));
    }
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }

  /**
   * Runs the work while this process holds the commit lock. Resolves before the lock is free again;
   * wait for `released` if that matters. Fails with `timeout` when another process holds the lock
   * for longer than `limits.commitWaitMs`.
   */
  async withLock<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { lock, clock } = this.#ports;
    const endMs = clock.nowMs() + limits.commitWaitMs;
    let isHeld = await lock.tryTake();
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
      // The work is done, so a failing release is tried once more and is no failure of the work.
      this.#released = lock.release().catch(() => lock.release().catch(() => undefined));
    }
  }

  /** Takes no more work, and waits for what is queued. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last.catch(() => undefined);
    await this.#released;
    await this.#ports.lock.close();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ports.timers.after(ms, resolve);
    });
  }
}
