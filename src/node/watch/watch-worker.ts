import type { MessagePort } from 'node:worker_threads';
import type { WatchReport } from '../../engine/ports/ports.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { WatchWorkerData } from '../threads/worker-data.ts';
import { type VaultWatch, watchVault } from './watch-vault.ts';

/**
 * The calls of the main thread to the worker that watches. Reports come back as notices
 * (`serveThread`).
 */
export interface WatchCalls {
  /** Resolves when all changes made from now on will be reported. */
  start(): Promise<void>;
  flush(): Promise<void>;
  /** Stops watching and removes its temporary folder. */
  stop(): Promise<void>;
}

/** Serves `WatchCalls` in a worker that does nothing else. */
export function serveWatch(port: MessagePort, data: WatchWorkerData): void {
  let watch: VaultWatch | undefined;
  const calls: WatchCalls = {
    start: async () => {
      watch ??= watchVault(data, (report) => server.notify(report));
    },
    flush: async () => watch?.flush(),
    stop: async () => watch?.close(),
  };
  const server = serveThread<WatchReport>(port, calls);
}
