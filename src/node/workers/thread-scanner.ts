import { VaultError } from '../../base/vault-error.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import type { FileMatcher } from '../scan/match-files.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { ScanWorkerData } from '../threads/worker-data.ts';

/** How many paths are sent at a time, since the worker keeps all of them in memory until it is done. */
const pathsPerCall = 16_000;

/** The calls to the scan worker. It also finds the lines to show for a hit, since it reads files. */
export type ThreadScanner = Scanner & Pick<FileMatcher, 'reasons'>;

/**
 * A scanner in a worker: walks, reads and parses without blocking the main thread. The worker starts
 * at once or, with `when: 'called'`, at the first call, for programs that may never need it.
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
    if (closed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    thread ??= openThread<ThreadScanner>({ entryFile: options.entryFile, workerData });
    return thread;
  };
  if (options.when !== 'called') open();
  return {
    walk: async (folder, onBatch) => open().remote.walk(folder, onBatch),
    scan: async (paths, want, onBatch) => {
      for (let at = 0; at < paths.length; at += pathsPerCall) {
        await open().remote.scan(paths.slice(at, at + pathsPerCall), want, onBatch);
      }
    },
    naming: async (paths, segments) => open().remote.naming(paths, segments),
    mentioning: async (paths, beginnings) => open().remote.mentioning(paths, beginnings),
    hurry: async () => thread?.remote.hurry(),
    reasons: async (request, onLooked) => open().remote.reasons(request, onLooked),
    close: async () => {
      closed = true;
      await thread?.close();
    },
  };
}
