import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { LockFile } from './lock-file.ts';

const pauseMs = 20;

/**
 * Does something while nobody else, whichever process, does it under the same lock file; it is free
 * again the moment its holder dies. Waits for its turn, and fails with `unavailable` when that
 * takes as long as no work should.
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new LockFile(file);
  try {
    const endMs = Date.now() + limits.commitWaitMs;
    while (!(await lock.tryAlone())) {
      if (Date.now() >= endMs) {
        throw new VaultError(
          'unavailable',
          `Another process holds "${file}"; end it and try again.`,
        );
      }
      await setTimeout(pauseMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}
