import type { IndexStore } from '../../engine/ports/index-store.ts';
import { openThreadObject } from '../threads/open-thread.ts';
import type { IndexWorkerData } from '../threads/worker-data.ts';

/**
 * An index that lives in a worker, so that no query blocks the main thread. Fails as opening the
 * index fails. After `close` its lease and its file are free.
 */
export function openThreadStore(options: {
  readonly entryFile: string;
  readonly file: string;
  readonly leaseFile: string;
  /** The vault's real folder. */
  readonly vault: string;
}): Promise<IndexStore> {
  const { entryFile, file, leaseFile, vault } = options;
  const workerData: IndexWorkerData = { role: 'index', file, leaseFile, vault };
  return openThreadObject<IndexStore>({ entryFile, workerData });
}
