import { VaultError } from '../../base/vault-error.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import { type ScanContext, scanFiles, walkFiles } from './scan-files.ts';

/**
 * A scan of up to this many files does not wait for a long one, since a caller waits for its answer.
 */
const shortScanPaths = 64;

/**
 * A scanner on the calling thread. The scan worker runs it; tests call it directly. Walks and long
 * scans run one after another; a short scan runs immediately, between two batches of a long one.
 */
export function openLocalScanner(context: ScanContext): Scanner {
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

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

  return {
    walk: (folder, onBatch) => inOrder(() => walkFiles(context, folder, oneByOne(onBatch))),
    scan: (paths, want, onBatch) => {
      const run = () => scanFiles(context, { paths, want }, oneByOne(onBatch));
      return paths.length <= shortScanPaths ? run() : inOrder(run);
    },
    close: async () => {
      closed = true;
    },
  };
}
