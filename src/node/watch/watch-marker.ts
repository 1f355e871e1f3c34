import { mkdirSync, mkdtempSync, realpathSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** A marker that did not come back after this long will not. */
const markerWaitMs = 2_000;

/** The event of a marker is lost like any other when the queue is full: it is made again. */
const markerRetryMs = 50;

export interface WatchMarker {
  /** Resolves with true once every event that was pending has been handed out; false if unsure. */
  reached(): Promise<boolean>;
  close(): void;
}

/**
 * Tells when pending events have been handed out: it makes a file in a folder that the same
 * thread watches. One thread has one queue of events (inotify), in the order in which things
 * happened, so whoever sees the marker has seen all that came before it. The folder is `folder`,
 * which processes may share, or else a temporary one that is removed at the end.
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
  watcher.on('error', () => {}); // The wait ends by itself.

  const reached = async (): Promise<boolean> => {
    const name = `${process.pid}-${threadId}-${++count}`;
    const seen = new Promise<boolean>((resolve) => waiting.set(name, resolve));
    const mark = () => {
      try {
        writeFileSync(join(markers, name), 'mark');
      } catch {
        answer(name, false); // A full disk, or someone removed the folder.
      }
    };
    const retry = setInterval(mark, markerRetryMs);
    const end = setTimeout(answer, markerWaitMs, name, false);
    mark();
    try {
      return await seen;
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
