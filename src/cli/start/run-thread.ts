import type { SharedWorkerData, WorkerData } from '../../node/threads/worker-data.ts';
import { runWorker } from '../../node/workers/run-worker.ts';
import { workerParts } from '../vaults/worker-parts.ts';

/**
 * Does the work that a worker thread was started for. The build puts what this file imports, at once
 * or later, into the text that threads are started with, and nothing else.
 */
export async function runThread(data: WorkerData | SharedWorkerData): Promise<void> {
  await runWorker(data, workerParts);
}
