import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { limits } from '../../base/limits.ts';
import { makePrivateFolder, replacePrivateFile } from '../system/private-files.ts';

/** When a token or grant was last used, and by which client. */
interface KeptCall {
  readonly timeMs: number;
  readonly client?: string;
}

interface LastCallsParts {
  readonly file: string;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  readonly timers: { after(ms: number, call: () => void): () => void };
}

/**
 * When each token and grant was last used, for the owner to see. Several servers add to one file, each
 * at most once in `limits.lastCallsMs`. It only helps the owner, so a file that cannot be read or
 * written is no failure.
 */
export class LastCalls {
  readonly #parts: LastCallsParts;
  /** What is not written yet. */
  #added = new Map<string, KeptCall>();
  #cancel: (() => void) | undefined;

  constructor(parts: LastCallsParts) {
    this.#parts = parts;
  }

  /** Notes a call with the token or grant of this id. Returns at once. */
  add(id: string, call: KeptCall): void {
    this.#added.set(id, call);
    this.#cancel ??= this.#parts.timers.after(limits.lastCallsMs, () => void this.close());
  }

  /** The last call with each token and grant, by their ids. */
  async all(): Promise<ReadonlyMap<string, KeptCall>> {
    return latest([...(await this.#kept()), ...this.#added]);
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#added.size === 0) return;
    const added = this.#added;
    this.#added = new Map();
    const { file, alone } = this.#parts;
    const write = async (): Promise<void> => {
      const calls = latest([...(await this.#kept()), ...added]);
      await replacePrivateFile(file, `${JSON.stringify(Object.fromEntries(calls))}\n`);
    };
    await makePrivateFolder(dirname(file))
      .then(() => alone(dirname(file), write))
      .catch(() => undefined);
  }

  async #kept(): Promise<readonly (readonly [string, KeptCall])[]> {
    try {
      const kept = JSON.parse(await readFile(this.#parts.file, 'utf8')) as Record<string, KeptCall>;
      return Object.entries(kept).filter(([, call]) => typeof call.timeMs === 'number');
    } catch {
      return [];
    }
  }
}

/** Of several calls with one id the latest; the latest `limits.lastCallsMax` in all. */
function latest(calls: readonly (readonly [string, KeptCall])[]): ReadonlyMap<string, KeptCall> {
  const inOrder = calls.toSorted(([, a], [, b]) => a.timeMs - b.timeMs);
  return new Map([...new Map(inOrder)].slice(-limits.lastCallsMax));
}
