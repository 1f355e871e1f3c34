import { setTimeout } from 'node:timers/promises';
import { isBusy } from './database-error.ts';

/** The pause before a file is opened again. */
const pauseMs = 20;

/**
 * Opens a database, and tries again for up to `waitMs` while another process creates it: SQLite does
 * not wait for a process that turns on the write-ahead log of a new file.
 */
export async function retryWhileCreated<T>(waitMs: number, open: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + waitMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= endMs) throw error;
    }
    await setTimeout(pauseMs);
  }
}
