import { inParallel } from '../../base/in-parallel.ts';
import { toJson } from '../../base/json.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Disk, ScanBatch, Scanner } from '../ports/ports.ts';
import type { FileEntry } from '../ports/records.ts';
import { wholeVault } from '../ports/view.ts';
import type { Looks, PendingLooks } from './pending-looks.ts';

/** The walk number (`IndexStore.seen`) for single files: no walk has this number. */
export const noWalk = 0;

/** How many paths are asked about in parallel, because each answer of a network disk takes time. */
const asksAtOnce = 8;

/**
 * Looks at single files: compares each with the index, and reads it again if it has changed.
 * Remembers which files could not be read.
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
    for (const folder of folders) this.#pending.addFolder(looks, folder);
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

  /**
   * Handles files that a scan could not read: forgets those that are gone, and of the others the
   * contents. Fails with `vault_not_found` when the whole vault is away.
   */
  async forgetFailed(
    store: IndexStore,
    failed: readonly { readonly path: VaultPath; readonly reason: string }[],
  ): Promise<void> {
    if (failed.length === 0) return;
    await this.checkVault();
    const gone: VaultPath[] = [];
    for (const { path, reason } of failed) {
      // Null when the stat fails too: the file is there, but cannot be read.
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
    await this.forgetFailed(store, failed);
  }
}
