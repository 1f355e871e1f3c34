import { setTimeout } from 'node:timers/promises';
import { isBusy } from './database-error.ts';

/** The pause before a call is repeated. */
const pauseMs = 5;

/**
 * Makes a call of SQLite, and repeats it for up to `waitMs` while another connection has the lock that
 * it needs. SQLite itself could wait, but that blocks the thread, in which other vaults have work to
 * do; and it does not wait for a process that turns on the write-ahead log of a new file. The call
 * must have done nothing when it fails.
 */
export async function whileBusy<T>(waitMs: number, call: () => T | Promise<T>): Promise<T> {
  const endMs = Date.now() + waitMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= endMs) throw error;
    }
    await setTimeout(pauseMs);
  }
}
