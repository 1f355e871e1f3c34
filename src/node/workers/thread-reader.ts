import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { openThread, type Thread } from '../threads/open-thread.ts';
import type { ReadWorkerData } from '../threads/worker-data.ts';

/** What the worker thread that reads messages can be asked to do. */
export interface MessageReader<T> {
  read(bytes: Uint8Array): Promise<T>;
}

/**
 * Reads long messages in a worker thread, one after the other, so that other clients do not wait meanwhile.
 * The bytes are handed over: the caller cannot use them afterwards. The thread starts with the first
 * message, and ends when there was none for a while.
 */
export class ThreadReader<T> implements MessageReader<T> {
  readonly #entryFile: string;
  readonly #workerData: ReadWorkerData;
  readonly #timers: Timers;
  #thread: Thread<MessageReader<T>> | undefined;
  #reading = 0;
  #stopIdling = (): void => {};
  #isClosed = false;

  constructor(options: {
    /** The bundled program: the worker runs the same file. */
    readonly entryFile: string;
    readonly format: ReadWorkerData['format'];
    readonly timers: Timers;
  }) {
    this.#entryFile = options.entryFile;
    this.#workerData = { role: 'read', format: options.format };
    this.#timers = options.timers;
  }

  /** Fails with `unavailable` when the thread has died, and with `cancelled` after `close`. */
  async read(bytes: Uint8Array): Promise<T> {
    if (this.#isClosed) throw new VaultError('cancelled', 'The server is stopping.');
    this.#stopIdling();
    this.#thread ??= openThread<MessageReader<T>>({
      entryFile: this.#entryFile,
      workerData: this.#workerData,
      onDeath: () => {
        this.#thread = undefined; // The next message starts a new one.
      },
    });
    this.#reading += 1;
    try {
      return await this.#thread.remote.read(bytes);
    } catch (cause) {
      if (this.#isClosed) throw cause;
      throw new VaultError('unavailable', 'The message could not be read; send it again.', {
        cause,
      });
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0 && !this.#isClosed) {
        this.#stopIdling = this.#timers.after(limits.jsonThreadIdleMs, () => void this.#end());
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopIdling();
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }
}
