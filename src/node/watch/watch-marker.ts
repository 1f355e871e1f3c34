import { mkdirSync, mkdtempSync, realpathSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** After this long, the event of a marker is assumed to be lost. */
const markerWaitMs = 2_000;

/** The marker is written again after each such time, since its event is lost if the queue is full. */
const markerRetryMs = 50;

export interface WatchMarker {
  /** Resolves with true when all events that were pending have been handled; false if unsure. */
  reached(): Promise<boolean>;
  close(): void;
}

/**
 * Finds out when all pending events have been handled: it creates a file, the marker, in a folder
 * that the same thread watches. A thread has one queue of events (inotify) in the order in which
 * they happened, so when the event of the marker arrives, all earlier events have arrived. The
 * markers are in `folder`, which processes may share, or in a temporary folder that `close` removes.
 */
export function openWatchMarker(folder?: string): WatchMarker {
  const markers = folder ?? mkdtempSync(join(realpathSync.native(tmpdir()), 'vaultdoor-watch-'));
  mkdirSync(markers, { recursive: true, mode: 0o700 });
  const waiting = new Map<string, (reached: boolean) => void>();
  let count = 0;
  const answer = (name: string, reached: boolean) => {
    waiting.get(name)?.(reached);
    waiting.delete(name);
  };
  const watcher = watch(markers, (_, name) => {
    if (name !== null) answer(name, true);
  });
  watcher.on('error', () => {}); // `reached` gives up after `markerWaitMs`.

  const reached = async (): Promise<boolean> => {
    const name = `${process.pid}-${threadId}-${++count}`;
    const arrived = new Promise<boolean>((resolve) => waiting.set(name, resolve));
    const mark = () => {
      try {
        writeFileSync(join(markers, name), 'mark');
      } catch {
        answer(name, false); // The disk is full, or the folder was removed.
      }
    };
    const retry = setInterval(mark, markerRetryMs);
    const end = setTimeout(answer, markerWaitMs, name, false);
    mark();
    try {
      return await arrived;
    } finally {
      clearInterval(retry);
      clearTimeout(end);
      rmSync(join(markers, name), { force: true });
    }
  };

  return {
    reached,
    close: () => {
      watcher.close();
      for (const name of [...waiting.keys()]) answer(name, false);
      if (folder === undefined) rmSync(markers, { recursive: true, force: true });
    },
  };
}
