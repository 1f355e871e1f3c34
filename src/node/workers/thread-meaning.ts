import type { MeaningStore } from '../../engine/ports/meaning.ts';
import { openThreadObject } from '../threads/open-thread.ts';
import type { MeaningWorkerData } from '../threads/worker-data.ts';

/** The vectors of a vault, in a worker. Fails as opening them does. */
export function openThreadMeaning(
  options: Omit<MeaningWorkerData, 'role'> & { readonly entryFile: string },
): Promise<MeaningStore> {
  const { entryFile, ...files } = options;
  return openThreadObject<MeaningStore>({ entryFile, workerData: { role: 'meaning', ...files } });
}
