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
  /** Whether it is watched by events. */
  readonly hasEvents: boolean;
  close(): void;
}

interface WatchOptions {
  readonly root: string;
  readonly allowRoots?: readonly string[];
  readonly poll: PollChoice;
  readonly pollEveryMs?: number;
  /** The folder for the markers of `flush`, outside the vault; a temporary one when absent. */
  readonly markerFolder?: string;
  readonly platform?: NodeJS.Platform;
  readonly openWatch?: OpenWatch;
}

/**
 * Watches a vault on this thread, which should do nothing else: events that are not fetched in time
 * are lost silently. Where there are no events (the file system has none, or the system has no more
 * watches), a report with `reconcile`, which asks for a walk of the whole vault, is sent every
 * `pollEveryMs` instead. In any case one is sent every `limits.reconcileEveryMs`.
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
  readonly #send: (report: WatchReport) => void;
  readonly #pollEveryMs: number;
  #watches: VaultWatches | undefined;
  #marker: WatchMarker | undefined;
  /** The timers of `#tick` and `#checkRoot`. */
  #timer: NodeJS.Timeout | undefined;
  #rootTimer: NodeJS.Timeout | undefined;
  /** The identity of the vault's folder when the watches were opened. */
  #identity: string | undefined;

  constructor(options: WatchOptions, send: (report: WatchReport) => void) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
    this.#pollEveryMs = options.pollEveryMs ?? limits.pollEveryMs;
    this.#send = send;
    this.#roots = realRoots(options.root, options.allowRoots);
    this.#collector = makeWatchCollector({ send, renew: () => this.#renew() });
  }

  begin(): void {
    this.#open();
    this.#tick();
    this.#checkRoot();
  }

  async flush(): Promise<void> {
    if (this.#watches === undefined || !(await this.#drained())) this.#collector.unsure();
    this.#collector.sendNow();
  }

  get hasEvents(): boolean {
    return this.#watches !== undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#rootTimer);
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
      this.#watches = undefined; // No more watches, or no folder: the next tick tries again.
    }
  }

  /** Whether to poll. Decided at each opening, since another file system may be mounted by then. */
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

  /** Changes over to polling: the whole vault is looked at now and at every tick. */
  #lost(): void {
    this.#watches?.close();
    this.#watches = undefined;
    this.#collector.unsure();
    this.#tick();
  }

  /** Starts the timer for the next look at the whole vault: rare with watches, frequent without. */
  #tick(): void {
    clearTimeout(this.#timer);
    const ms = this.#watches === undefined ? this.#pollEveryMs : limits.reconcileEveryMs;
    this.#timer = setTimeout(() => {
      if (this.#watches !== undefined) this.#renew();
      else this.#open();
      const isRoutine = ms === limits.reconcileEveryMs && this.#watches !== undefined;
      if (!isRoutine) this.#collector.unsure();
      this.#collector.sendNow();
      if (isRoutine) this.#send({ paths: [], folders: [], reconcile: true, isRoutine });
      this.#tick();
    }, ms);
  }

  /**
   * Checks regularly whether the vault's folder is still the one that is watched. The system sends no
   * event when a drive is mounted over it, or is unmounted while one of its files is open.
   */
  #checkRoot(): void {
    this.#rootTimer = setTimeout(() => {
      if (this.#watches !== undefined && rootIdentity(this.#roots.root) !== this.#identity) {
        this.#lost();
      }
      this.#checkRoot();
    }, this.#pollEveryMs);
  }

  /** Waits until all events so far have reached the collector; false if that is unsure. */
  async #drained(): Promise<boolean> {
    // Windows has a queue for each watch, so a marker in another folder proves nothing.
    if (this.#platform === 'win32') return false;
    try {
      this.#marker ??= openWatchMarker(this.#options.markerFolder);
      return await this.#marker.reached();
    } catch {
      return false; // The folder cannot be made or watched.
    }
  }
}

/** The identity of the folder at the vault's path; undefined when there is none. */
function rootIdentity(root: string): string | undefined {
  try {
    return identityOf(statSync(root, { bigint: true }));
  } catch {
    return undefined;
  }
}
