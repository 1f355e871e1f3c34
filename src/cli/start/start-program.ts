import { isMainThread, workerData } from 'node:worker_threads';
import {
  isWorkerData,
  type SharedWorkerData,
  type WorkerData,
} from '../../node/threads/worker-data.ts';
import type { StartCache } from '../shell/shell.ts';
import type { Entry } from './run-process.ts';

declare const VAULTDOOR_VERSION: string;
declare const VAULTDOOR_FILE: string;
declare const VAULTDOOR_CACHE: StartCache;

/**
 * Starts the bundled program. In the main thread that is what `load` answers; in a worker thread, which
 * runs the same file, the work that the thread was started for. Each loads only what it needs.
 */
export function startProgram(load: Entry['load']): void {
  if (!isMainThread && isWorkerData(workerData)) void startThread(workerData);
  else void startProcess(load);
}

async function startThread(data: WorkerData | SharedWorkerData): Promise<void> {
  const { runThread } = await import('./run-thread.ts');
  await runThread(data);
}

async function startProcess(load: Entry['load']): Promise<void> {
  const { runProcess } = await import('./run-process.ts');
  await runProcess({
    version: VAULTDOOR_VERSION,
    entryFile: VAULTDOOR_FILE,
    startCache: VAULTDOOR_CACHE,
    load,
  });
}
