import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import { filesFulfilling, mentioningTest, namingTest, titledFiles } from './naming-files.ts';
import { type ScanContext, scanFiles, walkFiles } from './scan-files.ts';

/**
 * A scan of up to this many files does not wait for a long one, since a caller waits for its answer.
 */
const shortScanPaths = 64;

/**
 * A scanner on the calling thread. The scan worker runs it; tests call it directly. Walks and long
 * scans run one after another; a short scan runs immediately, between two batches of a long one. A
 * long scan pauses while files are read for names, because a caller waits for that too.
 */
export function openLocalScanner(context: ScanContext): Scanner {
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** How many calls read for names, and what wakes the scans that wait for them. */
  let reading = 0;
  let resume: () => void = () => undefined;
  let pause: Promise<void> | undefined;
  let isHurried = false;

  /** Runs the work when all earlier work of this kind has ended. */
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
  /** Passes on one batch at a time, and none after `close`. */
  const oneByOne = <T>(onBatch: (batch: T) => Promise<void>) => {
    let tail: Promise<void> = Promise.resolve();
    return (batch: T): Promise<void> => {
      tail = tail.then(() => {
        if (closed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
        return onBatch(batch);
      });
      return tail;
    };
  };

  /**
   * The pauses of one long scan while files are read for names. All together are not longer than the
   * rest of the scan and `limits.buildPauseMs`, or callers who read one after the other would stop it.
   */
  const longPauses = (): (() => Promise<void> | undefined) => {
    const sinceMs = performance.now();
    let pausedMs = 0;
    return () => {
      if (isHurried) {
        isHurried = false;
        return Promise.resolve();
      }
      const beganMs = performance.now();
      const leftMs = limits.buildPauseMs + beganMs - sinceMs - 2 * pausedMs;
      if (pause === undefined || closed || leftMs <= 0) return undefined;
      const over = setTimeout(leftMs, undefined, { ref: false });
      return Promise.race([pause, over]).then(() => {
        pausedMs += performance.now() - beganMs;
      });
    };
  };

  /** Reads files for a caller who waits, while long scans pause. */
  const find = async (
    paths: readonly VaultPath[],
    test: ReturnType<typeof namingTest>,
  ): Promise<readonly VaultPath[]> => {
    pause ??= new Promise((resolve) => {
      resume = resolve;
    });
    reading += 1;
    try {
      return await filesFulfilling(context.source, { paths, test, isClosed: () => closed });
    } finally {
      reading -= 1;
      if (reading === 0) {
        pause = undefined;
        resume();
      }
    }
  };

  return {
    walk: (folder, onBatch) => inOrder(() => walkFiles(context, folder, oneByOne(onBatch))),
    scan: (paths, want, onBatch) => {
      if (paths.length <= shortScanPaths) {
        return scanFiles(context, { paths, want }, oneByOne(onBatch));
      }
      return inOrder(() =>
        scanFiles(context, { paths, want, pause: longPauses() }, oneByOne(onBatch)),
      );
    },
    naming: (paths, segments) => find(paths, namingTest(segments)),
    mentioning: (paths, beginnings) => find(paths, mentioningTest(beginnings)),
    titled: (beginnings) => titledFiles(context.source, beginnings),
    hurry: async () => {
      isHurried = true;
    },
    close: async () => {
      closed = true;
    },
  };
}
