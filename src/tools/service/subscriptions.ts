import { Listeners } from '../../base/listeners.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isInside } from '../../base/vault-path.ts';
import type { IndexKeeper } from '../../engine/index/index-keeper.ts';
import type { Looked } from '../../engine/index/keeper-ports.ts';
import type { Disk } from '../../engine/ports/ports.ts';

interface WatchedFile {
  /**
   * The file's stamp (see `FileStat`) when its subscribers were last called; undefined when there
   * was no file.
   */
  stamp: string | undefined;
  readonly listeners: Listeners<void>;
  /** How many subscriptions there are. */
  count: number;
}

/**
 * Calls subscribers back when their files change. Checks a file whenever the index keeper has
 * looked at it (`onLooked`), so it does not matter who changed it, nor how the platform reports
 * changes.
 */
export class Subscriptions {
  readonly #disk: Pick<Disk, 'stat'>;
  readonly #keeper: Pick<IndexKeeper, 'onLooked'>;
  readonly #perConnectionMax: number;
  readonly #files = new Map<VaultPath, WatchedFile>();
  /** For each connection, the functions that end its subscriptions. */
  readonly #ends = new Map<string, Set<() => void>>();
  #stopListening: (() => void) | undefined;
  /** The last check that was begun; the next waits for it. */
  #checking: Promise<void> = Promise.resolve();

  constructor(
    ports: { readonly disk: Pick<Disk, 'stat'>; readonly keeper: Pick<IndexKeeper, 'onLooked'> },
    { subscriptionsMax }: { readonly subscriptionsMax: number },
  ) {
    this.#disk = ports.disk;
    this.#keeper = ports.keeper;
    this.#perConnectionMax = subscriptionsMax;
  }

  /**
   * Calls back each time the file changes, appears or disappears, until the returned function is
   * called.
   */
  async add(connection: string, path: VaultPath, onChange: () => void): Promise<() => void> {
    const ends = this.#ends.get(connection) ?? new Set();
    if (ends.size >= this.#perConnectionMax) {
      throw new VaultError(
        'too_large',
        `This connection has ${this.#perConnectionMax} subscriptions; end some before you begin others.`,
      );
    }
    this.#stopListening ??= this.#keeper.onLooked((looked) => this.#looked(looked));
    const file = this.#files.get(path) ?? {
      stamp: undefined,
      listeners: new Listeners(),
      count: 0,
    };
    file.count += 1;
    this.#files.set(path, file);
    const stop = file.listeners.add(onChange);
    const end = (): void => {
      if (!ends.delete(end)) return;
      stop();
      this.#forget(connection, path, file);
    };
    ends.add(end);
    this.#ends.set(connection, ends);
    if (file.count === 1) {
      await this.#inTurn(async () => {
        file.stamp = await this.#stampOf(path);
      });
    }
    return end;
  }

  /** Ends all subscriptions of a connection. */
  endAll(connection: string): void {
    for (const end of Array.from(this.#ends.get(connection) ?? [])) end();
  }

  /** Forgets what a subscription that has ended no longer needs. */
  #forget(connection: string, path: VaultPath, file: WatchedFile): void {
    if (this.#ends.get(connection)?.size === 0) this.#ends.delete(connection);
    file.count -= 1;
    if (file.count === 0) this.#files.delete(path);
    if (this.#files.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #looked(looked: Looked): void {
    const concerned = Array.from(this.#files).filter(([path]) => isLooked(path, looked));
    if (concerned.length === 0) return;
    void this.#inTurn(async () => {
      for (const [path, file] of concerned) {
        const stamp = await this.#stampOf(path);
        if (stamp === file.stamp) continue;
        file.stamp = stamp;
        file.listeners.tell();
      }
    });
  }

  /**
   * Runs the checks one after the other, so that each sees the stamps that the one before has set.
   */
  #inTurn(check: () => Promise<void>): Promise<void> {
    this.#checking = this.#checking.then(check).catch(() => undefined);
    return this.#checking;
  }

  /**
   * The stamp of a file; undefined when its stat cannot be read. Fails when the whole vault is
   * away.
   */
  async #stampOf(path: VaultPath): Promise<string | undefined> {
    return (await this.#disk.stat(path).catch(rethrowIfAway))?.stamp;
  }
}

function isLooked(path: VaultPath, looked: Looked): boolean {
  return looked === 'all' || looked.some((at) => at === path || isInside(path, at));
}
