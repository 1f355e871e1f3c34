import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Watcher, WatchReport } from '../../engine/ports/ports.ts';
import { isVaultGone } from '../place/vault-gone.ts';
import { type OpenThread, openThread, type Thread } from '../threads/open-thread.ts';
import type { PollChoice, WatchWorkerData } from '../threads/worker-data.ts';
import type { WatchCalls } from '../watch/watch-worker.ts';

/**
 * A watcher in a worker of its own, so that the kernel's queue of events does not overflow while the
 * main thread is busy. If the worker dies, a new one is started and the whole vault is walked.
 */
export function openThreadWatcher(options: {
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly poll?: PollChoice;
  readonly pollEveryMs?: number;
  /** The folder for the markers of `flush`, outside the vault; a temporary one when absent. */
  readonly markerFolder?: string;
  /** How its thread is opened; one of its own when absent. */
  readonly openThread?: OpenThread;
}): Watcher {
  const workerData: WatchWorkerData = {
    role: 'watch',
    root: options.root,
    allowRoots: options.allowRoots ?? [],
    poll: options.poll ?? 'auto',
    pollEveryMs: options.pollEveryMs ?? limits.pollEveryMs,
    ...(options.markerFolder === undefined ? {} : { markerFolder: options.markerFolder }),
  };
  let thread: Thread<WatchCalls> | undefined;
  let report: (report: WatchReport) => void = () => {};
  let closed = false;

  const turns = new Semaphore(1);
  /** Starts a worker in place of the one before, if any. May be called again after a failed start. */
  const run = (): Promise<void> =>
    turns.run(async () => {
      await thread?.close();
      thread = (options.openThread ?? openThread)<WatchCalls, WatchReport>({
        entryFile: options.entryFile,
        workerData,
        onNotice: report,
        onDeath: () => void restart(),
      });
      await thread.remote.start();
    });
  const restart = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, workerData.pollEveryMs).unref());
    if (closed) return;
    // If it dies again, `onDeath` restarts it. If the vault is away, we do it here.
    await run().catch((error: unknown) => {
      if (isVaultGone(error) && !closed) void restart();
    });
    if (!closed) report({ paths: [], folders: [], reconcile: true });
  };

  return {
    start: async (listener) => {
      report = listener;
      await run();
    },
    flush: async () => {
      try {
        await thread?.remote.flush();
      } catch (error) {
        if (closed) throw error;
        report({ paths: [], folders: [], reconcile: true }); // Without a worker, events were missed.
      }
    },
    hasEvents: async () => (await thread?.remote.hasEvents().catch(() => false)) ?? false,
    close: async () => {
      closed = true;
      await thread?.remote.stop().catch(() => {}); // A dead worker has stopped.
      await thread?.close();
    },
  };
}
