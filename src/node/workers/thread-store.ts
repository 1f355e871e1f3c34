import type { IndexStore } from '../../engine/ports/index-store.ts';
import { openThread } from '../threads/open-thread.ts';
import type { IndexWorkerData } from '../threads/worker-data.ts';

const closeMaxMs = 2_000;

/**
 * An index that lives in a worker, so that no query holds up the main thread. Fails as opening
 * the store fails. Closing it closes the store first: its lease and its file are then free.
 */
export async function openThreadStore(options: {
  readonly entryFile: string;
  readonly file: string;
  readonly leaseFile: string;
  readonly vault: string;
}): Promise<IndexStore> {
  const { entryFile, file, leaseFile, vault } = options;
  const workerData: IndexWorkerData = { role: 'index', file, leaseFile, vault };
  const thread = openThread<IndexStore>({ entryFile, workerData });
  try {
    await thread.ready();
  } catch (error) {
    await thread.close();
    throw error;
  }
  const close = async () => {
    try {
      // A query that never ends must not keep the program from ending.
      const overdue = new Promise<void>((resolve) => {
        setTimeout(resolve, closeMaxMs).unref();
      });
      await Promise.race([thread.remote.close(), overdue]);
    } finally {
      await thread.close();
    }
  };
  return new Proxy(thread.remote, {
    get: (remote, method, receiver) =>
      method === 'close' ? close : Reflect.get(remote, method, receiver),
  });
}
