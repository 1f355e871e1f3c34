import { limits } from '../../base/limits.ts';
import { errnoOf } from './disk-error.ts';

/** The errors of Windows while another program (an editor, a virus scanner) has the file open. */
const held = new Set(['EPERM', 'EACCES', 'EBUSY']);
const firstPauseMs = 10;

/**
 * Makes a call to the system. On Windows, it is repeated with growing pauses while another program
 * has the file open, for at most `limits.heldFileMs`. The same errors may also mean that the call is
 * forbidden, so the last error is thrown unchanged.
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
