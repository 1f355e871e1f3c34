import { isMainThread, workerData } from 'node:worker_threads';
import { runWorker } from '../node/run-worker.ts';
import { isWorkerData } from '../node/worker-data.ts';
import { runProcess } from './run-process.ts';
import { workerParts } from './worker-parts.ts';

declare const VAULTDOOR_VERSION: string;
declare const VAULTDOOR_FILE: string;

if (!isMainThread && isWorkerData(workerData)) {
  runWorker(workerData, workerParts);
} else {
  void runProcess({
    version: VAULTDOOR_VERSION,
    entryFile: VAULTDOOR_FILE,
    load: async () => (await import('./run.ts')).run,
  });
}
