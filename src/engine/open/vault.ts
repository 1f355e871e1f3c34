import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { rethrowIfAway } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { ChangeWriter } from '../change/change-writer.ts';
import { isOwner } from '../decide/owner-door.ts';
import { IgnoreFile } from '../settings/ignore-file.ts';
import type { VaultSettings } from '../settings/settings.ts';
import { readSettings } from '../settings/settings.ts';
import type { BoundVault, ToolCall, VaultCore } from '../vault/bound-vault.ts';
import type { ServedNotes } from '../vault/served-notes.ts';
import type { VaultParts } from '../vault/vault-parts.ts';
import { TreeWatch } from '../watch/tree-watch.ts';
import type { CallReads } from './call-reads.ts';
import { CallerVault, withoutFiles } from './caller-vault.ts';
import { MarkedNotes } from './marked-notes.ts';

/** An open vault. Operations get it bound to their caller, through `bind`. */
export class Vault implements VaultCore {
  readonly parts: VaultParts;
  readonly writer: ChangeWriter;
  /** See `VaultCore`. */
  readonly tree: TreeWatch | undefined;
  /** The settings as last read, with the stamp of `app.json` then. */
  #settings: { readonly stamp: string; readonly settings: VaultSettings } | undefined;

  /** Which notes marks hide, for callers who have some. */
  readonly marked: MarkedNotes;
  readonly #ignored: IgnoreFile;
  /** How many requests are running (`use`), and what stops the timer after the last of them. */
  #users = 0;
  #stayAwake = (): void => {};
  #isClosed = false;

  constructor(parts: VaultParts) {
    this.parts = parts;
    this.marked = new MarkedNotes(parts.keeper);
    this.#ignored = new IgnoreFile({
      disk: parts.disk,
      nowMs: () => parts.clock.nowMs(),
      warn: (problem) => parts.onProblem?.(problem),
    });
    this.writer = new ChangeWriter(parts);
    const { files, watcher, timers } = parts;
    this.#sleepLater();
    if (files === undefined || watcher === undefined) return;
    const tree = new TreeWatch({ files, watcher, timers });
    // Subscribers hear of our own changes at once, without waiting for the watcher.
    this.writer.changed.add((paths) => tree.mayHaveChanged(paths));
    this.tree = tree;
  }

  /**
   * The vault as one caller may see it, after a look at what its owner hides. Fails as
   * `IgnoreFile.globs` does. History records `call` with the changes that are made; `served` is what
   * the caller's connection was shown, and `reads` collects what this call reads.
   */
  async admit(
    caller: Caller,
    call?: ToolCall,
    served?: ServedNotes,
    reads?: CallReads,
  ): Promise<BoundVault> {
    const ignored = isOwner(caller) ? [] : await this.#ignored.globs();
    const bound = this.bind(withoutFiles(caller, ignored), call, served, reads);
    await bound.learnMarked(() => this.wake());
    return bound;
  }

  /** The same at once, for a caller from whom neither marks nor a `.vaultdoorignore` hide notes. */
  bind(caller: Caller, call?: ToolCall, served?: ServedNotes, reads?: CallReads): CallerVault {
    return new CallerVault(this, caller, call, served, reads);
  }

  /**
   * To be called when a request begins; what it returns, when the request has ended. When none has run
   * for `limits.vaultSleepMs`, the vault sleeps: it closes its index, and only its watcher goes on,
   * until the next request (`wake`). A vault that is polled does not sleep: what changed since would
   * have to be searched for before each first answer.
   */
  use(): () => void {
    this.#users += 1;
    this.#stayAwake();
    return () => {
      this.#users -= 1;
      this.#sleepLater();
    };
  }

  /** Wakes the vault, and waits for a moment until what changed while it slept is in the index. */
  async wake(): Promise<void> {
    const { keeper } = this.parts;
    if (!keeper.wake()) return;
    // If that fails or takes longer, the questions of the request find out.
    await keeper.wait('names', { waitMs: limits.courtesyWaitMs }).catch(() => undefined);
  }

  /** Fails with `vault_not_found` while the vault's folder is away. */
  check(): Promise<void> {
    return this.parts.disk.check();
  }

  /** The settings of the vault, read again when `app.json` has changed. */
  async settings(): Promise<VaultSettings> {
    const file = vaultPath('.obsidian/app.json');
    // A file that cannot be looked at (a symlink that leads outside) is told by `readSettings` in `problems`.
    const stat = await this.parts.disk.stat(file).catch(rethrowIfAway);
    const stamp = stat?.stamp ?? '';
    if (this.#settings?.stamp !== stamp) {
      this.#settings = { stamp, settings: await readSettings(this.parts.disk) };
    }
    return this.#settings.settings;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stayAwake();
    await this.writer.close();
    await this.parts.reads?.close();
    await this.parts.documents?.close();
    await this.parts.meaning?.close();
    await this.parts.thumbnails?.close();
    await this.parts.matcher?.close();
    await this.parts.worker?.close();
    await this.parts.queries?.close();
    await this.parts.watcher?.close();
    await this.parts.keeper.close();
  }

  /** Lets the vault sleep after a while without requests, again and again: a change may wake it. */
  #sleepLater(): void {
    const { timers, watcher, keeper, sleepMs = limits.vaultSleepMs } = this.parts;
    if (this.#users > 0 || this.#isClosed || watcher === undefined) return;
    this.#stayAwake();
    this.#stayAwake = timers.after(sleepMs, async () => {
      const hasEvents = await watcher.hasEvents().catch(() => false);
      if (this.#users > 0) return;
      if (hasEvents) await keeper.sleep();
      this.#sleepLater();
    });
  }
}
