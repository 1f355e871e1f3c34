import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Watcher, WatchReport } from '../../engine/ports/ports.ts';
import { isVaultGone } from '../place/vault-gone.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { PollChoice, WatchWorkerData } from '../threads/worker-data.ts';
import type { WatchCalls } from '../watch/watch-worker.ts';

/**
 * A watcher in a worker of its own: a busy main thread must not make the kernel's queue of
 * events overflow. Should the worker die, another one takes over and everything is looked at.
 */
export function openThreadWatcher(options: {
  readonly entryFile: string;
  /** The vault's real folder. */
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly poll?: PollChoice;
  readonly pollEveryMs?: number;
  /** A folder of ours outside the vault for `flush`; a temporary one unless told. */
  readonly markerFolder?: string;
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
  let tell: (report: WatchReport) => void = () => {};
  let closed = false;

  const turns = new Semaphore(1);
  /** Takes the place of the worker before, if any: a start that failed is made again. */
  const run = (): Promise<void> =>
    turns.run(async () => {
      await thread?.close();
      thread = openThread<WatchCalls, WatchReport>({
        entryFile: options.entryFile,
        workerData,
        onNotice: tell,
        onDeath: () => void restart(),
      });
      await thread.remote.start();
    });
  const restart = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, workerData.pollEveryMs).unref());
    if (closed) return;
    // When it dies again, `onDeath` is what tries again; while the vault is away, we do.
    await run().catch((error: unknown) => {
      if (isVaultGone(error) && !closed) void restart();
    });
    if (!closed) tell({ paths: [], folders: [], reconcile: true });
  };

  return {
    start: async (listener) => {
      tell = listener;
      await run();
    },
    flush: async () => {
      try {
        await thread?.remote.flush();
      } catch (error) {
        if (closed) throw error;
        tell({ paths: [], folders: [], reconcile: true }); // Between two workers nobody knows what happened.
      }
    },
    close: async () => {
      closed = true;
      await thread?.remote.stop().catch(() => {}); // A dead worker has stopped.
      await thread?.close();
    },
  };
}
