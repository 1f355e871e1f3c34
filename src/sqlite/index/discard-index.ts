import { rmSync } from 'node:fs';

/**
 * Removes an index with its side files; one that is not there is no failure. A process that
 * has it open goes on with its own unlinked copy.
 */
export function discardIndex(file: string): void {
  if (file === ':memory:') return;
  // The log goes first: left behind, it would be replayed into the next index.
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true });
}
