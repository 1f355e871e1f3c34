import { VaultError } from '../../base/vault-error.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import type { FileMatcher } from '../scan/match-files.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { ScanWorkerData } from '../threads/worker-data.ts';

/** So many paths are handed over at a time: what a thread is given it keeps until it is done. */
const handedOver = 8_000;

/** What the worker that scans does: it also shows why files were found, since it reads best. */
export type ThreadScanner = Scanner & Pick<FileMatcher, 'reasons'>;

/**
 * A scanner in a worker: walks, reads and parses without holding up the main thread. The worker
 * starts at once, or `when` it is first called: whoever may never need it does without.
 */
export function openThreadScanner(options: {
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly when?: 'now' | 'called';
}): ThreadScanner {
  const workerData: ScanWorkerData = {
    role: 'scan',
    root: options.root,
    allowRoots: options.allowRoots ?? [],
  };
  let thread: Thread<ThreadScanner> | undefined;
  let closed = false;
  const open = (): Thread<ThreadScanner> => {
    if (closed) throw new VaultError('cancelled', 'The vault was closed meanwhile.');
    thread ??= openThread<ThreadScanner>({ entryFile: options.entryFile, workerData });
    return thread;
  };
  if (options.when !== 'called') open();
  return {
    walk: async (folder, onBatch) => open().remote.walk(folder, onBatch),
    scan: async (paths, want, onBatch) => {
      for (let at = 0; at < paths.length; at += handedOver) {
        await open().remote.scan(paths.slice(at, at + handedOver), want, onBatch);
      }
    },
    reasons: async (request, onLooked) => open().remote.reasons(request, onLooked),
    close: async () => {
      closed = true;
      await thread?.close();
    },
  };
}
