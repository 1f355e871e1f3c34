import type { Readable } from 'node:stream';

const newline = 0x0a;

/**
 * Looks at the first lines of an input without taking them out: the server reads the same lines later.
 */
export class FirstLines {
  readonly #input: Readable;
  /** How many bytes of the input the lines have that were answered already. */
  #taken = 0;

  constructor(input: Readable) {
    this.#input = input;
    // Without a listener an error would end the process. The server, which reads next, sees it again.
    input.on('error', () => undefined);
  }

  /** The next whole line, without its end; undefined when none has come after `waitMs`. */
  async next(waitMs: number): Promise<Buffer | undefined> {
    const endMs = performance.now() + waitMs;
    for (;;) {
      const seen = this.#look();
      const end = seen.indexOf(newline, this.#taken);
      if (end !== -1) {
        const line = seen.subarray(this.#taken, end);
        this.#taken = end + 1;
        return line;
      }
      const leftMs = endMs - performance.now();
      // A line that comes in pieces is left to the server.
      if (leftMs <= 0 || seen.length > this.#taken) return undefined;
      if (!(await this.#grows(seen.length, leftMs))) return undefined;
    }
  }

  /** What has come so far. */
  #look(): Buffer {
    const chunk: unknown = this.#input.read();
    if (!Buffer.isBuffer(chunk)) return Buffer.alloc(0);
    // Given back at once: an input that ends while it is empty takes nothing back.
    this.#input.unshift(chunk);
    return chunk;
  }

  /** Resolves with true when there is more than `length`; with false at the end or after `waitMs`. */
  #grows(length: number, waitMs: number): Promise<boolean> {
    const input = this.#input;
    return new Promise((resolve) => {
      const done = (grown: boolean): void => {
        clearTimeout(timer);
        input.off('readable', look).off('end', end).off('error', end);
        resolve(grown);
      };
      const look = (): void => {
        if (input.readableLength > length) done(true);
      };
      const end = (): void => done(false);
      const timer = setTimeout(end, waitMs);
      input.on('readable', look).on('end', end).on('error', end);
    });
  }
}
