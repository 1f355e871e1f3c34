import type { Caller } from '../../base/caller.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { IndexPart } from '../ports/index-progress.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { FileStat } from '../ports/records.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { View } from '../ports/view.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { TreeWatch } from '../watch/tree-watch.ts';
import type { ChangeReport, Operation } from './draft.ts';
import type { ServedNotes } from './served-notes.ts';
import type { Recovered, VaultParts } from './vault-parts.ts';

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

/** What operations reach of the open vault itself, whoever their caller is. */
export interface VaultCore {
  readonly parts: VaultParts;
  readonly writer: VaultWriter;
  /** Tells what comes, changes and goes; absent where files are not served, or not watched. */
  readonly tree: TreeWatch | undefined;
  /** The settings of the vault, read again when their file changed. */
  settings(): Promise<VaultSettings>;
}

/** The queue of all changes of the vault, as operations see it. */
export interface VaultWriter {
  /**
   * Does something that changes files by other means than a change, while nobody changes them
   * through us: it waits for its turn like a change, and holds the commit lock. The index is not told.
   */
  alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Finishes or takes back what processes that died have left open. */
  recover(signal: AbortSignal): Promise<readonly Recovered[]>;
  /**
   * Brings the index up to what other processes have committed, so that a plan made on it holds.
   * Answers the newest change that the index then has. Costs one small query when there is nothing new.
   */
  catchUp(): Promise<ChangeId>;
}

/**
 * A vault as one caller sees it: every path is checked against what the caller may see, every
 * index query is limited to it. What is hidden is answered as if it did not exist.
 */
export interface BoundVault {
  readonly vault: VaultCore;
  readonly caller: Caller;
  readonly call: ToolCall;
  /** What the caller's connection was shown; whoever shows it note text says so here. */
  readonly served: ServedNotes | undefined;
  /** Whether the caller may reach names that begin with a dot. */
  readonly raw: boolean;
  /** What links, names and exact paths may show: all that the caller may see. */
  view(): View;
  /** What searches and counts show: without the files that the vault's settings exclude. */
  listedView(): Promise<View>;
  /** Whether the caller may know of this path. Only the raw file tools see dot folders. */
  sees(path: string): boolean;
  /** Whether the caller may know of this folder: it sees it, or something in it. */
  seesFolder(folder: VaultPath): boolean;
  /** Reads a file of the vault as text. Content always comes from disk. */
  readText(path: VaultPath): Promise<NoteText>;
  /**
   * Changes the vault: plans by running the operation, and carries the plan out as one change, all
   * of it or nothing. Runs the operation again when files change meanwhile. With `dryRun` it answers
   * the plan as a unified diff and touches nothing.
   */
  change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean | undefined },
  ): Promise<Result & ChangeReport>;
  /** The stat of a file that the caller may see; undefined when there is none. */
  stat(path: VaultPath): Promise<FileStat | undefined>;
  /**
   * Asks the index, after waiting for the part of it that the question needs. Fails with
   * `timeout` and how far indexing is when that takes longer than `limits.indexWaitMs`.
   */
  ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T>;
  /** Waits for a part of the index, as long as calls may wait for it; answers whether it is there. */
  waitForIndex(part: IndexPart, options?: { readonly waitMs?: number }): Promise<boolean>;
  /** Asks the index as it is now. An index that turns out damaged is rebuilt, and asked once more. */
  askNow<T>(question: (store: IndexStore) => Promise<T>): Promise<T>;
}
