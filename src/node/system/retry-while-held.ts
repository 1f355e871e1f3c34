import { limits } from '../../base/limits.ts';
import { errnoOf } from './disk-error.ts';

/** What Windows answers when another program (an editor, a virus scanner) has the file open. */
const held = new Set(['EPERM', 'EACCES', 'EBUSY']);
const firstPauseMs = 10;

/**
 * Makes a call to the system; on Windows again, with growing pauses, as long as another program
 * holds the file and up to `limits.heldFileMs`. The same errors may mean that it is forbidden,
 * so the last one is thrown as it came.
 */
export async function retryWhileHeld<T>(
  call: () => Promise<T>,
  {
    platform,
    nowMs,
    pause,
  }: { platform: NodeJS.Platform; nowMs: () => number; pause: (ms: number) => Promise<void> },
): Promise<T> {
  const endMs = nowMs() + limits.heldFileMs;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await call();
    } catch (error) {
      const leftMs = endMs - nowMs();
      if (platform !== 'win32' || leftMs <= 0 || !held.has(errnoOf(error) ?? '')) throw error;
      await pause(Math.min(pauseMs, leftMs));
    }
  }
}
