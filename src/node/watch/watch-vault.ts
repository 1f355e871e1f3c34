import { statSync } from 'node:fs';
import { limits } from '../../base/limits.ts';
import type { WatchReport } from '../../engine/ports/ports.ts';
import { realRoots, type VaultRoots } from '../disk/vault-roots.ts';
import { givesFileEvents } from '../place/drive-kind.ts';
import { identityOf } from '../place/vault-mount.ts';
import type { PollChoice } from '../threads/worker-data.ts';
import { makeWatchCollector, type WatchCollector } from './watch-collector.ts';
import { type OpenWatch, type VaultWatches, watchFolders } from './watch-folders.ts';
import { openWatchMarker, type WatchMarker } from './watch-marker.ts';
import { watchTree } from './watch-tree.ts';

/** A vault that is being watched, by events or by polling. */
export interface VaultWatch {
  /** Resolves when every change made before the call has been sent. */
  flush(): Promise<void>;
  close(): void;
}

export interface WatchOptions {
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly poll: PollChoice;
  readonly pollEveryMs?: number;
  /** Where `flush` may make its markers; outside the vault. A temporary folder unless told. */
  readonly markerFolder?: string;
  readonly platform?: NodeJS.Platform;
  readonly openWatch?: OpenWatch;
}

/**
 * Watches a vault on this thread, which should do nothing else: events that are not fetched in
 * time are lost without a word. Where events cannot be had (the file system has none, or the
 * system's watches are used up) a report `reconcile` is sent every `pollEveryMs` instead. One is
 * sent every `limits.reconcileEveryMs` in any case.
 */
export function watchVault(options: WatchOptions, send: (report: WatchReport) => void): VaultWatch {
  const watch = new Watching(options, send);
  watch.begin();
  return watch;
}

class Watching implements VaultWatch {
  readonly #options: WatchOptions;
  readonly #platform: NodeJS.Platform;
  readonly #roots: VaultRoots;
  readonly #collector: WatchCollector;
  readonly #pollEveryMs: number;
  #watches: VaultWatches | undefined;
  #marker: WatchMarker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookOutTimer: NodeJS.Timeout | undefined;
  #identity: string | undefined;

  constructor(options: WatchOptions, send: (report: WatchReport) => void) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
    this.#pollEveryMs = options.pollEveryMs ?? limits.pollEveryMs;
    this.#roots = realRoots(options.root, options.allowRoots);
    this.#collector = makeWatchCollector({ send, renew: () => this.#renew() });
  }

  begin(): void {
    this.#open();
    this.#tick();
    this.#lookOut();
  }

  async flush(): Promise<void> {
    if (this.#watches === undefined || !(await this.#drained())) this.#collector.unsure();
    this.#collector.sendNow();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lookOutTimer);
    this.#collector.close();
    this.#watches?.close();
    this.#marker?.close();
  }

  #open(): void {
    this.#identity = rootIdentity(this.#roots.root);
    if (this.#polls()) return;
    const onLost = () => this.#lost();
    const { openWatch } = this.#options;
    try {
      this.#watches =
        this.#platform === 'darwin' || this.#platform === 'win32'
          ? watchTree(this.#roots, this.#collector, { onLost })
          : watchFolders(this.#roots, this.#collector, {
              onLost,
              ...(openWatch === undefined ? {} : { openWatch }),
            });
    } catch {
      this.#watches = undefined; // No watches to be had, or no folder: the next tick tries again.
    }
  }

  /** Whether there are no events to be had here; what is mounted may be another file system now. */
  #polls(): boolean {
    const { poll } = this.#options;
    if (poll !== 'auto') return poll;
    const folders = [this.#roots.root, ...this.#roots.allowed];
    return !folders.every((folder) => givesFileEvents(folder, this.#platform));
  }

  #renew(): void {
    try {
      this.#watches?.renew();
    } catch {
      this.#lost();
    }
  }

  /** Without watches, time has to tell. Everything is looked at, now and at every tick. */
  #lost(): void {
    this.#watches?.close();
    this.#watches = undefined;
    this.#collector.unsure();
    this.#tick();
  }

  /** Sets the timer that looks at everything: rarely as long as events come, else often. */
  #tick(): void {
    clearTimeout(this.#timer);
    const ms = this.#watches === undefined ? this.#pollEveryMs : limits.reconcileEveryMs;
    this.#timer = setTimeout(() => {
      if (this.#watches !== undefined) this.#renew();
      else this.#open();
      this.#collector.unsure();
      this.#collector.sendNow();
      this.#tick();
    }, ms);
  }

  /**
   * Looks whether the vault's folder is still the one that is watched: nobody tells when something
   * is mounted over it, or when a mount is taken away while a file of it is open.
   */
  #lookOut(): void {
    this.#lookOutTimer = setTimeout(() => {
      if (this.#watches !== undefined && rootIdentity(this.#roots.root) !== this.#identity) {
        this.#lost();
      }
      this.#lookOut();
    }, this.#pollEveryMs);
  }

  /** Whether all events so far have reached the collector. */
  async #drained(): Promise<boolean> {
    // Windows has a queue for every watch: a marker in another folder says nothing there.
    if (this.#platform === 'win32') return false;
    try {
      this.#marker ??= openWatchMarker(this.#options.markerFolder);
      return await this.#marker.reached();
    } catch {
      return false; // The folder cannot be made or watched.
    }
  }
}

/** Which folder is at the vault's path; undefined when none can be seen there. */
function rootIdentity(root: string): string | undefined {
  try {
    return identityOf(statSync(root, { bigint: true }));
  } catch {
    return undefined;
  }
}
