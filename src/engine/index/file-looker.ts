import { inParallel } from '../../base/in-parallel.ts';
import { toJson } from '../../base/json.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Disk, ScanBatch, Scanner } from '../ports/ports.ts';
import type { FileEntry } from '../ports/records.ts';
import { wholeVault } from '../ports/view.ts';
import type { Looks, PendingLooks } from './pending-looks.ts';

/** The number under which the store is told of single files. No walk has it, so none ends it. */
export const noWalk = 0;

/** How many paths are asked about in parallel: a network disk has to be waited for. */
const asksAtOnce = 8;

/**
 * Brings what the index has of single files up to the disk, and remembers which it could not read.
 */
export class FileLooker {
  /** Files that could not be read when they were last scanned, with the reason. */
  readonly unread = new Map<VaultPath, string>();
  readonly #disk: Disk;
  readonly #scanner: Scanner;
  readonly #pending: PendingLooks;

  constructor(ports: { readonly disk: Disk; readonly scanner: Scanner }, pending: PendingLooks) {
    this.#disk = ports.disk;
    this.#scanner = ports.scanner;
    this.#pending = pending;
  }

  /** Looks at a few files. A path that turns out to be a folder becomes pending as a folder. */
  async lookAt(store: IndexStore, looks: Looks): Promise<void> {
    const { paths } = looks;
    for (const path of paths) this.unread.delete(path);
    const { entries, folders, gone } = await this.#find(paths);
    for (const folder of folders) this.#pending.goOnInFolder(looks, folder);
    if (gone.length > 0) await store.forget(gone);
    if (entries.length === 0) return;
    const stale = await store.seen(noWalk, toJson(entries));
    if (stale.length === 0) return;
    await this.#scanner.scan(stale, ['facts', 'text'], (batch) => this.#put(store, batch));
  }

  /** Forgets a file when a folder is in its place now. */
  async forgetFileAt(store: IndexStore, folder: VaultPath): Promise<void> {
    if ((await store.file(wholeVault, folder)) === undefined) return;
    const { folders } = await this.#find([folder]);
    await store.forget(folders);
  }

  /** Forgets the contents of files that could not be read, and forgets those that are gone. */
  async failedToRead(
    store: IndexStore,
    failed: readonly { readonly path: VaultPath; readonly reason: string }[],
  ): Promise<void> {
    if (failed.length === 0) return;
    await this.checkVault();
    const gone: VaultPath[] = [];
    for (const { path, reason } of failed) {
      const stat = await this.#disk.stat(path).catch((error) => rethrowIfAway(error) ?? null);
      if (stat === undefined) gone.push(path);
      else this.unread.set(path, reason);
    }
    await store.forget(gone);
    await store.forgetContents(failed.map(({ path }) => path));
  }

  /** Fails with `vault_not_found` when the vault itself is gone: its files are then not missing. */
  async checkVault(): Promise<void> {
    if ((await this.#disk.list('')) !== undefined) return;
    throw new VaultError('vault_not_found', 'The vault is gone: it was moved, or unmounted.');
  }

  /** What is at each path: a file, a folder or nothing. Fails when the vault is away. */
  async #find(paths: readonly VaultPath[]): Promise<{
    readonly entries: readonly FileEntry[];
    readonly folders: readonly VaultPath[];
    readonly gone: readonly VaultPath[];
  }> {
    const entries: FileEntry[] = [];
    const folders: VaultPath[] = [];
    const gone: VaultPath[] = [];
    await inParallel(paths, asksAtOnce, async (path) => {
      const stat = await this.#disk.stat(path).catch(rethrowIfAway);
      if (stat !== undefined) entries.push({ path, ...stat });
      else if ((await this.#disk.list(path).catch(rethrowIfAway)) === undefined) gone.push(path);
      else folders.push(path);
    });
    return { entries, folders, gone };
  }

  async #put(store: IndexStore, { notes, texts, failed }: ScanBatch): Promise<void> {
    // Both are sent before either is answered: waiting in between would cost a trip between threads.
    await Promise.all([
      notes === undefined ? undefined : store.putNotes(notes),
      texts === undefined ? undefined : store.putTexts(texts),
    ]);
    await this.failedToRead(store, failed);
  }
}
