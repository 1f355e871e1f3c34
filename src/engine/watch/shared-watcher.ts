import { Listeners } from '../../base/listeners.ts';
import type { Watcher, WatchReport } from '../ports/ports.ts';

/** Shares one watcher of the vault between several listeners. */
export class SharedWatcher {
  readonly #watcher: Watcher;
  readonly #listeners = new Listeners<WatchReport>();
  #started: Promise<void> | undefined;

  constructor(watcher: Watcher) {
    this.#watcher = watcher;
  }

  /**
   * Adds a listener. Resolves once changes made from then on will be reported to it; the returned
   * function removes it. The first call starts the watcher, which runs until `close`. If starting
   * fails, the next call tries again.
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

  /** Resolves when every change made before the call has been reported. */
  async flush(): Promise<void> {
    if (this.#started !== undefined) await this.#watcher.flush();
  }

  /** Whether every change is reported as it happens. */
  async hasEvents(): Promise<boolean> {
    return this.#started !== undefined && ((await this.#watcher.hasEvents?.()) ?? false);
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
