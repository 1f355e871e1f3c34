import { Listeners } from '../../base/listeners.ts';
import type { Watcher, WatchReport } from '../ports/ports.ts';

/** One watcher of the vault for all who want to know what changes on disk. */
export class SharedWatcher {
  readonly #watcher: Watcher;
  readonly #listeners = new Listeners<WatchReport>();
  #started: Promise<void> | undefined;

  constructor(watcher: Watcher) {
    this.#watcher = watcher;
  }

  /**
   * Resolves once changes made from now on will be told; the answer ends it. The first starts the
   * watcher, which then runs until it is closed. Where that failed, the next tries again.
   */
  async listen(listener: (report: WatchReport) => void): Promise<() => void> {
    const stop = this.#listeners.add(listener);
    this.#started ??= this.#start();
    try {
      await this.#started;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Resolves when every change made before the call has been told. */
  async flush(): Promise<void> {
    if (this.#started !== undefined) await this.#watcher.flush();
  }

  close(): Promise<void> {
    return this.#watcher.close();
  }

  #start(): Promise<void> {
    const started = this.#watcher.start((report) => this.#listeners.tell(report));
    return started.catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
  }
}
