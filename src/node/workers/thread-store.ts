import type { IndexStore } from '../../engine/ports/index-store.ts';
import { type OpenThread, openThreadObject } from '../threads/open-thread.ts';
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
  /** The index cannot become larger than this; by default it can. */
  readonly bytesMax?: number;
  /** Whether it is being built. */
  readonly isLong?: boolean;
  /** How its thread is opened; one of its own when absent. */
  readonly openThread?: OpenThread;
  /** Called when its thread dies. */
  readonly onDeath?: () => void;
}): Promise<IndexStore> {
  const { entryFile, openThread, onDeath = () => undefined, isLong = false, ...files } = options;
  const workerData: IndexWorkerData = { role: 'index', ...files };
  return openThreadObject<IndexStore>({ entryFile, workerData, isLong, onDeath }, openThread);
}
