import { toJson } from '../../base/json.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { ScanBatch } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { findPaths } from './find-paths.ts';
import type { IndexKeeperPorts } from './index-keeper-ports.ts';
import type { Looks, PendingLooks } from './pending-looks.ts';

/** The number of the walk that looks at single files belong to: it never ends. */
export const noWalk = 0;

/** Brings what the index has of single files up to the disk, and knows which could not be read. */
export class FileLooker {
  /** Files that could not be read when they were last scanned, with the reason. */
  readonly unread = new Map<VaultPath, string>();
  readonly #ports: Pick<IndexKeeperPorts, 'disk' | 'scanner'>;
  readonly #pending: PendingLooks;

  constructor(ports: Pick<IndexKeeperPorts, 'disk' | 'scanner'>, pending: PendingLooks) {
    this.#ports = ports;
    this.#pending = pending;
  }

  /** Looks at a few files. Folders among them become pending themselves. */
  async lookAt(store: IndexStore, looks: Looks): Promise<void> {
    const { paths } = looks;
    for (const path of paths) this.unread.delete(path);
    const { entries, folders, gone } = await findPaths(this.#ports.disk, paths);
    for (const folder of folders) this.#pending.goOnInFolder(looks, folder);
    if (gone.length > 0) await store.forget(gone);
    if (entries.length === 0) return;
    const stale = await store.seen(noWalk, toJson(entries));
    if (stale.length === 0) return;
    await this.#ports.scanner.scan(stale, ['facts', 'text'], (batch) => this.#put(store, batch));
  }

  /** Forgets a file in whose place there is a folder now; what is in that is walked. */
  async forgetFileAt(store: IndexStore, folder: VaultPath): Promise<void> {
    if ((await store.file(wholeVault, folder)) === undefined) return;
    const { folders } = await findPaths(this.#ports.disk, [folder]);
    await store.forget(folders);
  }

  /** Forgets what files said that cannot be read now, and files that are gone. */
  async failedToRead(
    store: IndexStore,
    failed: readonly { readonly path: VaultPath; readonly reason: string }[],
  ): Promise<void> {
    if (failed.length === 0) return;
    await this.checkVault();
    const gone: VaultPath[] = [];
    for (const { path, reason } of failed) {
      const stat = await this.#ports.disk.stat(path).catch((error) => rethrowIfAway(error) ?? null);
      if (stat === undefined) gone.push(path);
      else this.unread.set(path, reason);
    }
    await store.forget(gone);
    await store.forgetContents(failed.map(({ path }) => path));
  }

  /** Fails when the vault itself is gone or closed to us: no answer is better than a wrong one. */
  async checkVault(): Promise<void> {
    if ((await this.#ports.disk.list('')) !== undefined) return;
    throw new VaultError('vault_not_found', 'The vault is gone: it was moved, or unmounted.');
  }

  async #put(store: IndexStore, { notes, texts, failed }: ScanBatch): Promise<void> {
    // The second goes after the first without waiting for it: each wait is a turn of two threads.
    await Promise.all([
      notes === undefined ? undefined : store.putNotes(notes),
      texts === undefined ? undefined : store.putTexts(texts),
    ]);
    await this.failedToRead(store, failed);
  }
}
