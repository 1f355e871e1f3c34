import { onTestFinished } from 'vitest';
import type { WatchReport } from '../../src/engine/ports/ports.ts';
import type { PollChoice } from '../../src/node/threads/worker-data.ts';
import { openThreadWatcher } from '../../src/node/workers/thread-watcher.ts';

/** What a watcher told since it was last asked. */
export interface Told {
  readonly paths: readonly string[];
  readonly folders: readonly string[];
  readonly reconcile: boolean;
}

/** Watches a vault until the test ends; `told` is what it reported about all done so far. */
export async function watchedVault(options: {
  readonly entryFile: string;
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly poll?: PollChoice;
  readonly pollEveryMs?: number;
  readonly markerFolder?: string;
}): Promise<{ told(): Promise<Told>; nextReport(): Promise<WatchReport> }> {
  const watcher = openThreadWatcher({ poll: false, ...options });
  onTestFinished(() => watcher.close());
  let paths = new Set<string>();
  let folders = new Set<string>();
  let reconcile = false;
  const waiting: ((report: WatchReport) => void)[] = [];
  await watcher.start((report) => {
    for (const path of report.paths) paths.add(path);
    for (const folder of report.folders) folders.add(folder);
    reconcile ||= report.reconcile;
    for (const resolve of waiting.splice(0)) resolve(report);
  });
  return {
    async told() {
      await watcher.flush();
      const result = { paths: [...paths].sort(), folders: [...folders].sort(), reconcile };
      paths = new Set();
      folders = new Set();
      reconcile = false;
      return result;
    },
    nextReport: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Whether whoever was told this will look at the path. */
export function isTold({ paths, folders, reconcile }: Told, path: string): boolean {
  if (reconcile || paths.includes(path)) return true;
  return folders.some((folder) => path.startsWith(`${folder}/`));
}
