import { fileURLToPath } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';
import { runWorker } from '../node/run-worker.ts';
import { isWorkerData } from '../node/worker-data.ts';
import { runProcess } from './run-process.ts';
import { workerParts } from './worker-parts.ts';

declare const VAULTDOOR_VERSION: string;

if (!isMainThread && isWorkerData(workerData)) {
  runWorker(workerData, workerParts);
} else {
  await runProcess({
    version: VAULTDOOR_VERSION,
    entryFile: fileURLToPath(import.meta.url),
    load: async () => (await import('./run.ts')).run,
  });
}
