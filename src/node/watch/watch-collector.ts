import { limits } from '../../base/limits.ts';
import {
  fileNameOf,
  folderOf,
  isVaultPath,
  joinPath,
  type VaultPath,
} from '../../base/vault-path.ts';
import type { WatchReport } from '../../engine/ports/ports.ts';
import { isWatchedPath } from '../../engine/watch/watched-path.ts';
import { placeholderFor } from '../disk/file-stat.ts';

/** So many events for one report may be more than the platform keeps, which `fs.watch` does not tell. */
const safeEvents = 4_096;

/** What watches tell the collector. */
export interface WatchSink {
  /**
   * An event came, whatever it was about: too many mean that some were lost. Not to be told of where
   * that is known better.
   */
  heard(): void;
  /** Look at this file. */
  changed(path: VaultPath): void;
  /** Look at this folder and all that is or was in it: it came, went or was replaced. */
  folder(path: VaultPath): void;
  /** Look at everything: the platform did not say what happened. */
  unsure(): void;
  /** Set all watches anew, and then look at everything: what they should be on has changed. */
  outdated(): void;
}

export interface WatchCollector extends WatchSink {
  /** Sends what is collected, if anything, without waiting for silence. */
  sendNow(): void;
  close(): void;
}

/**
 * Collects events until it is quiet for a moment, and never for long, then sends one report.
 * `renew` is called just before a report of a burst, since events may have been lost then, and once
 * for all that made the watches `outdated`.
 */
export function makeWatchCollector(options: {
  readonly send: (report: WatchReport) => void;
  readonly renew: () => void;
}): WatchCollector {
  const paths = new Set<VaultPath>();
  const folders = new Set<VaultPath>();
  let events = 0;
  let reconcile = false;
  let isOutdated = false;
  let timer: NodeJS.Timeout | undefined;
  let firstMs = 0;
  let lastMs = 0;

  const sendNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isBurst() || isOutdated) {
      paths.clear();
      reconcile = true;
      isOutdated = false;
      options.renew();
    }
    if (folders.size > limits.watchFoldersMax) reconcile = true;
    if (reconcile) folders.clear(); // They are looked at with all the rest.
    if (paths.size > 0 || folders.size > 0 || reconcile) {
      options.send({ paths: [...paths], folders: [...folders], reconcile });
    }
    paths.clear();
    folders.clear();
    events = 0;
    reconcile = false;
  };
  const isBurst = () => events > safeEvents || paths.size > limits.watchBurstPaths;
  const wait = () => {
    lastMs = performance.now();
    if (timer !== undefined) return;
    firstMs = lastMs;
    timer = setTimeout(look, limits.watchQuietMs);
  };
  /** One timer serves a whole burst: it looks how long it has been quiet and sleeps the rest. */
  const look = () => {
    const nowMs = performance.now();
    const leftMs = Math.min(
      limits.watchQuietMs - (nowMs - lastMs),
      limits.watchDelayMaxMs - (nowMs - firstMs),
    );
    if (leftMs > 0) timer = setTimeout(look, leftMs);
    else sendNow();
  };

  return {
    heard: () => {
      events += 1;
    },
    changed: (path) => {
      // Beyond a burst the names are of no use: everything will be looked at.
      if (paths.size <= limits.watchBurstPaths) paths.add(path);
      wait();
    },
    folder: (path) => {
      if (folders.size <= limits.watchFoldersMax) folders.add(path);
      wait();
    },
    unsure: () => {
      reconcile = true;
      wait();
    },
    outdated: () => {
      isOutdated = true;
      wait();
    },
    sendNow,
    close: () => clearTimeout(timer),
  };
}

/** Tells the sink about a file; what an iCloud placeholder stands for has changed with it. */
export function tellChanged(sink: WatchSink, path: VaultPath): void {
  sink.changed(path);
  const standsFor = placeholderFor(fileNameOf(path));
  if (standsFor !== undefined) sink.changed(joinPath(folderOf(path), standsFor));
}

/** A name in a folder as a path to tell of; undefined when nobody should hear of it. */
export function toldPath(folder: string, name: string): VaultPath | undefined {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (!isVaultPath(path) || !isWatchedPath(path)) return undefined;
  return path as VaultPath;
}
