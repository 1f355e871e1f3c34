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

/** With more events in one report, the platform may have dropped some; `fs.watch` does not say so. */
const safeEvents = 4_096;

/** What the watches report to the collector. */
export interface WatchSink {
  /**
   * An event of any kind has come; after too many, some are assumed to be lost. Not called by watches
   * that notice lost events by themselves (`makeOverflowAlarm`).
   */
  heard(): void;
  /** This file may have changed. */
  changed(path: VaultPath): void;
  /** This folder has appeared, vanished or been replaced: everything in it may have changed. */
  folder(path: VaultPath): void;
  /** Anything may have changed: the platform did not say what. */
  unsure(): void;
  /** The watches are on the wrong folders: open all of them anew. Anything may have changed. */
  outdated(): void;
}

export interface WatchCollector extends WatchSink {
  /** Sends what is collected, if anything, without waiting for a quiet moment. */
  sendNow(): void;
  close(): void;
}

/**
 * Collects events until none comes for `limits.watchQuietMs`, for at most `limits.watchDelayMaxMs`,
 * and then sends one report. `renew` is called just before a report when the watches are outdated,
 * or when too many events have come to be sure that none was lost.
 */
export function makeWatchCollector(options: {
  readonly send: (report: WatchReport) => void;
  readonly renew: () => void;
}): WatchCollector {
  const paths = new Set<VaultPath>();
  const folders = new Set<VaultPath>();
  let events = 0;
  let reconcile = false; // Whether the whole vault must be looked at.
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
    if (reconcile) folders.clear(); // The whole vault is looked at anyway.
    if (paths.size > 0 || folders.size > 0 || reconcile) {
      options.send({ paths: [...paths], folders: [...folders], reconcile });
    }
    paths.clear();
    folders.clear();
    events = 0;
    reconcile = false;
  };
  /** Whether there were too many events to name the changed files. */
  const isBurst = () => events > safeEvents || paths.size > limits.watchBurstPaths;
  const wait = () => {
    lastMs = performance.now();
    if (timer !== undefined) return;
    firstMs = lastMs;
    timer = setTimeout(look, limits.watchQuietMs);
  };
  /**
   * One timer serves many events: when it fires too early, it is set again for the rest of the time.
   */
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
      // With more paths than this, the whole vault is looked at, so no more are collected.
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

/** Reports a changed file. For an iCloud placeholder, the file that it stands for is reported too. */
export function reportChanged(sink: WatchSink, path: VaultPath): void {
  sink.changed(path);
  const standsFor = placeholderFor(fileNameOf(path));
  if (standsFor !== undefined) sink.changed(joinPath(folderOf(path), standsFor));
}

/** The path of a name in a folder; undefined when changes of it are not reported. */
export function watchedPath(folder: string, name: string): VaultPath | undefined {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (!isVaultPath(path) || !isWatchedPath(path)) return undefined;
  return path as VaultPath;
}
