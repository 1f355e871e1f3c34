import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { unlessAway } from '../../base/unless-away.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { ChangeWriter } from '../change/change-writer.ts';
import type { Recovered } from '../change/recover-changes.ts';
import { isDamage } from '../index/index-damage.ts';
import type { IndexKeeper } from '../index/index-keeper.ts';
import { decodeText } from '../index/scan-file.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { callerProgress, progressMessage } from '../ports/index-progress.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { LineSearch } from '../ports/line-search.ts';
import type { ObsidianApp } from '../ports/obsidian-app.ts';
import type {
  Base64,
  Clock,
  Hash,
  Random,
  Scanner,
  SystemTrash,
  Timers,
  WritableDisk,
} from '../ports/ports.ts';
import type { Publisher } from '../ports/publisher.ts';
import type { RawDisk } from '../ports/raw-disk.ts';
import type { FileStat } from '../ports/records.ts';
import type { CommitLock, StateStore } from '../ports/state-store.ts';
import type { TextMatcher } from '../ports/text-matcher.ts';
import type { Thumbnails } from '../ports/thumbnails.ts';
import type { VaultSync } from '../ports/vault-sync.ts';
import type { View } from '../ports/view.ts';
import { makeSees } from '../ports/view.ts';
import type { VaultSettings } from '../settings/settings.ts';
import { readSettings } from '../settings/settings.ts';
import type { SharedWatcher } from '../watch/shared-watcher.ts';
import { TreeWatch } from '../watch/tree-watch.ts';
import type { ChangeReport, Draft, Operation } from './draft.ts';
import type { ServedNotes } from './served-notes.ts';

export interface VaultParts {
  readonly name: string;
  /** Where the vault is, for people to read. */
  readonly location: string;
  readonly disk: WritableDisk;
  readonly scanner: Scanner;
  readonly keeper: IndexKeeper;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly hash: Hash;
  readonly random: Random;
  /** Journal and history; opened at the first call. */
  readonly state: StateStore;
  readonly lock: CommitLock;
  readonly base64: Base64;
  /** The files as they are, for the raw file tools; absent where those are not served. */
  readonly files?: RawDisk;
  /** The vault's to close; absent in one-shot commands. */
  readonly watcher?: SharedWatcher;
  /** Absent where nothing can make them. */
  readonly thumbnails?: Thumbnails;
  /** Absent where the platform has none that we know. */
  readonly trash?: SystemTrash;
  /** The Obsidian app, for what only it can do; absent where it cannot be reached at all. */
  readonly app?: ObsidianApp;
  /** Reads texts for searches that need it; absent where nothing can. */
  readonly matcher?: TextMatcher;
  /** Search by line; absent where nothing can do it. */
  readonly lines?: LineSearch;
  /** Absent where none is set up. */
  readonly sync?: VaultSync;
  /** Absent where none is set up. */
  readonly publisher?: Publisher;
  /** Whether a folder around the vault is a vault itself: its notes may link into this one. */
  readonly outerVault?: boolean;
  /** Is told when a change was finished or taken back whose process had died. */
  readonly onRecovered?: (recovered: Recovered) => void;
  /** An index of the same vault built from scratch in memory, for `check`. */
  readonly openScratchIndex: () => Promise<IndexStore>;
}

/** A note's text, with what is needed to say later that it is still the same. */
export interface NoteText {
  readonly path: VaultPath;
  readonly text: string;
  readonly version: Version;
  readonly stat: FileStat;
}

/** The tool that was called, and those of its arguments that history may keep. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** It reaches files with names that begin with a dot. */
  readonly raw?: boolean;
}

/** One open vault. Operations get it bound to their caller. */
export class Vault {
  readonly parts: VaultParts;
  readonly writer: ChangeWriter;
  /** Tells what comes, changes and goes; absent where files are not served, or not watched. */
  readonly tree: TreeWatch | undefined;
  #settings: { readonly stamp: string; readonly settings: VaultSettings } | undefined;

  constructor(parts: VaultParts) {
    this.parts = parts;
    this.writer = new ChangeWriter(parts);
    const { files, watcher } = parts;
    if (files === undefined || watcher === undefined) return;
    const tree = new TreeWatch({ files, watcher });
    // Our own changes need not wait for the watcher, nor be lost where several follow each other.
    this.writer.changed.add((paths) => tree.looked(paths));
    this.tree = tree;
  }

  /**
   * The vault as one caller may see it; `call` is what history records of its changes, `served` what
   * its connection was shown.
   */
  bind(caller: Caller, call: ToolCall = { tool: '', args: {} }, served?: ServedNotes): BoundVault {
    return new BoundVault(this, caller, call, served);
  }

  /** Fails with `vault_not_found` while the vault's folder is away. */
  check(): Promise<void> {
    return this.parts.disk.check();
  }

  /** The settings of the vault, read again when their file changed. */
  async settings(): Promise<VaultSettings> {
    const file = vaultPath('.obsidian/app.json');
    // What cannot be looked at (a symlink that leads outside, say) is a problem, not a failure.
    const stat = await this.parts.disk.stat(file).catch(unlessAway);
    const stamp = stat?.stamp ?? '';
    if (this.#settings?.stamp !== stamp) {
      this.#settings = { stamp, settings: await readSettings(this.parts.disk) };
    }
    return this.#settings.settings;
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.parts.thumbnails?.close();
    await this.parts.matcher?.close();
    await this.parts.watcher?.close();
    await this.parts.keeper.close();
  }
}

/**
 * A vault as one caller sees it: every path is checked against what the caller may see, every
 * index query is limited to it. What is hidden is answered as if it did not exist.
 */
export class BoundVault {
  readonly vault: Vault;
  readonly caller: Caller;
  readonly call: ToolCall;
  /** What the caller's connection was shown; whoever shows it note text says so here. */
  readonly served: ServedNotes | undefined;
  /** Whether dot names are as good as any. */
  readonly raw: boolean;
  readonly #sees: (path: string) => boolean;

  constructor(vault: Vault, caller: Caller, call: ToolCall, served?: ServedNotes) {
    this.vault = vault;
    this.caller = caller;
    this.call = call;
    this.served = served;
    this.raw = call.raw === true;
    const { folders, hide } = caller.scopes;
    this.#sees = makeSees({ folders, hide, exclude: [] });
  }

  /** What links, names and exact paths may show: all that the caller may see. */
  view(): View {
    const { folders, hide } = this.caller.scopes;
    return { folders, hide, exclude: [] };
  }

  /** What searches and counts show: without the files that the vault's settings exclude. */
  async listedView(): Promise<View> {
    const { exclude } = await this.vault.settings();
    return { ...this.view(), exclude };
  }

  /** Whether the caller may know of this path: dot folders are nobody's but the raw tools'. */
  sees(path: string): boolean {
    return (this.raw || !isHidden(path)) && this.#sees(path);
  }

  /** Whether the caller may know of this folder: it sees it, or something in it. */
  seesFolder(folder: VaultPath): boolean {
    const { folders } = this.caller.scopes;
    return (
      this.sees(folder) ||
      ((this.raw || !isHidden(folder)) && folders.some((seen) => isInside(seen, folder)))
    );
  }

  /** Reads a file of the vault as text. Content always comes from disk. */
  async readText(path: VaultPath): Promise<NoteText> {
    if (!this.sees(path)) throw notFound(path);
    const content = await this.vault.parts.disk.read(path, { bytesMax: limits.noteBytesMax });
    const { bytes, version, stat } = content;
    return { path, text: decodeText(bytes), version, stat };
  }

  /**
   * Changes the vault: plans by running the operation, and carries the plan out as one change, all
   * of it or nothing. Runs again when files change meanwhile. With `dryRun` it answers the plan as
   * a unified diff and touches nothing.
   */
  change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean | undefined },
  ): Promise<Result & ChangeReport> {
    const { writer } = this.vault;
    const plan = (draft: Draft): Promise<Result> => operation(draft, request);
    return request.dryRun === true ? writer.preview(this, plan) : writer.change(this, plan);
  }

  /** The stat of a file that the caller may see; undefined when there is none. */
  async stat(path: VaultPath): Promise<FileStat | undefined> {
    return this.sees(path) ? this.vault.parts.disk.stat(path) : undefined;
  }

  /**
   * Asks the index, after waiting for the part of it that the question needs. Fails with
   * `timeout` and how far indexing is when that takes longer than `limits.indexWaitMs`.
   */
  async ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T> {
    if (!(await this.waitForIndex(part))) throw notIndexed(this.vault.parts.keeper.progress);
    return this.askNow(question);
  }

  /** Waits for a part of the index, as long as calls may wait for it; answers whether it is there. */
  waitForIndex(part: IndexPart, options: { readonly waitMs?: number } = {}): Promise<boolean> {
    const { signal, progress } = this.caller;
    return this.vault.parts.keeper.wait(part, {
      waitMs: options.waitMs ?? this.caller.indexWaitMs ?? limits.indexWaitMs,
      signal,
      onProgress: (state) => progress?.(callerProgress(state)),
    });
  }

  /** Asks the index as it is. One that turns out damaged is rebuilt, and asked once more. */
  async askNow<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    const { keeper } = this.vault.parts;
    try {
      return await question(await keeper.store());
    } catch (error) {
      if (!isDamage(error)) throw error;
      keeper.damaged();
      if (!(await this.waitForIndex('facts'))) throw notIndexed(keeper.progress);
      return question(await keeper.store());
    }
  }
}

/** The one answer for a path that is not there, or that the caller may not see. */
export function notFound(path: string): VaultError {
  return new VaultError('not_found', `There is no file "${path}" in the vault.`, {
    details: { path },
  });
}

function notIndexed(progress: IndexProgress): VaultError {
  return new VaultError(
    'timeout',
    `The vault is still being indexed (${progressMessage(progress)}); try again in a moment.`,
    { details: { stage: progress.stage, done: progress.done, total: progress.total } },
  );
}
