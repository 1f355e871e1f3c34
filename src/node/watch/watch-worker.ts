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
  /** Whether changes are reported as they happen; false while the vault is polled. */
  hasEvents(): Promise<boolean>;
  /** Stops watching and removes its temporary folder. */
  stop(): Promise<void>;
}

/**
 * Serves `WatchCalls` in a worker that does nothing else, but may watch several vaults. Also stops
 * when the main thread closes the port.
 */
export function serveWatch(port: MessagePort, data: WatchWorkerData): void {
  let watch: VaultWatch | undefined;
  const calls: WatchCalls = {
    start: async () => {
      watch ??= watchVault(data, (report) => server.notify(report));
    },
    flush: async () => watch?.flush(),
    hasEvents: async () => watch?.hasEvents === true,
    stop: async () => watch?.close(),
  };
  const server = serveThread<WatchReport>(port, calls);
  port.on('close', () => watch?.close());
}
