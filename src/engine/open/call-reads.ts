import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ReadEntry } from '../ports/read-log.ts';

/** Collects what one call reads for its caller. */
export class CallReads {
  /** The bytes that were read of each path; a file that is read twice counts once. */
  readonly #bytes = new Map<string, number>();

  /** Notes that these contents of a file were read. */
  add(path: string, contents: readonly (string | Uint8Array | undefined)[]): void {
    let bytes = 0;
    for (const content of contents) {
      if (content === undefined) continue;
      bytes += typeof content === 'string' ? encoder.encode(content).length : content.length;
    }
    this.#bytes.set(path, Math.max(bytes, this.#bytes.get(path) ?? 0));
  }

  /**
   * Notes what a failure shows: some quote a few lines of the note that they are about. Whatever
   * else the call has read was not shown.
   */
  failed(error: unknown): void {
    this.#bytes.clear();
    if (!(error instanceof VaultError) || error.excerpt === undefined) return;
    const { path } = error.details;
    if (typeof path === 'string') this.add(path, [error.excerpt]);
  }

  /** What was read, as an entry of the log; undefined when nothing was. */
  entry(tool: string, caller: Caller, timeMs: number): ReadEntry | undefined {
    const { size } = this.#bytes;
    if (size === 0) return undefined;
    const { door, client, connection, token } = caller;
    let bytes = 0;
    for (const each of this.#bytes.values()) bytes += each;
    const paths = Array.from(this.#bytes.keys());
    const max = limits.readLogPathsMax;
    return {
      timeMs,
      tool,
      paths: size > max ? paths.slice(0, max) : paths,
      ...(size > max ? { morePaths: size - max } : {}),
      bytes,
      door,
      ...(client === undefined ? {} : { client: oneLine(client, limits.clientNameCharsMax) }),
      ...(connection === undefined ? {} : { connection }),
      ...(token === undefined ? {} : { token }),
    };
  }
}

const encoder = new TextEncoder();
