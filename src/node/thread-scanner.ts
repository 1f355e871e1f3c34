import type { Scanner } from '../engine/ports.ts';
import { openThread } from './thread-call.ts';
import type { ScanWorkerData } from './worker-data.ts';

/** A scanner in a worker: walks, reads and parses without holding up the main thread. */
export function openThreadScanner(options: {
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
}): Scanner {
  const workerData: ScanWorkerData = {
    role: 'scan',
    root: options.root,
    allowRoots: options.allowRoots ?? [],
  };
  const { remote, close } = openThread<Scanner>({ entryFile: options.entryFile, workerData });
  return {
    walk: (folder, onBatch) => remote.walk(folder, onBatch),
    scan: (paths, want, onBatch) => remote.scan(paths, want, onBatch),
    close,
  };
}
