import type { WritableDisk } from '../../src/engine/ports/ports.ts';
import { diskError, systemError } from '../../src/node/system/disk-error.ts';
import { type DiskCall, isRead, wrapDisk } from './wrap-disk.ts';

export interface FailingDisk extends WritableDisk {
  /** How many calls were made so far, reads too. */
  readonly calls: number;
  /** The first call that failed; undefined when the disk was never asked that often. */
  readonly failed: DiskCall | undefined;
}

/**
 * A disk whose n-th call fails with an error of the system, `before` it does what was asked or
 * `after` it did. `times` calls in a row fail: one, or all that follow with `Infinity`.
 */
export function failingDisk(
  disk: WritableDisk,
  {
    failAt,
    errno,
    when,
    times = 1,
  }: { failAt: number; errno: string; when: 'before' | 'after'; times?: number },
): FailingDisk {
  let calls = 0;
  let failed: DiskCall | undefined;
  const wrapped = wrapDisk(disk, async (call, run) => {
    calls += 1;
    if (calls < failAt || calls >= failAt + times) return run();
    failed ??= call;
    if (when === 'after') await run();
    throw diskError(call.path, systemError(errno), isRead(call) ? 'read' : 'write');
  });
  return Object.defineProperties(wrapped, {
    calls: { get: () => calls },
    failed: { get: () => failed },
  }) as FailingDisk;
}
