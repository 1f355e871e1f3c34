import type { Caller, Effect } from '../../base/caller.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { IndexPart } from '../ports/index-progress.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { NoteWork } from '../ports/note-work.ts';
import type { FileContent } from '../ports/ports.ts';
import type { PlannedFile, Proposal } from '../ports/proposals.ts';
import type { FileStat } from '../ports/records.ts';
import type { ChangeId, StateStore } from '../ports/state-store.ts';
import type { View } from '../ports/view.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { TreeWatch } from '../watch/tree-watch.ts';
import type { ChangeReport, Operation } from './draft.ts';
import type { ServedNotes } from './served-notes.ts';
import type { Recovered, VaultParts } from './vault-parts.ts';

/** A note's text, with its version and stat, to find out later whether it is still the same. */
export interface NoteText {
  readonly path: VaultPath;
  readonly text: string;
  readonly version: Version;
  readonly stat: FileStat;
}

/** What a question about links is about; see `BoundVault.askLinks`. */
export interface LinksAsked {
  /** Files that the links lead to. */
  readonly to?: readonly VaultPath[];
  /** The last names (`linkSegment`) of the links. */
  readonly segments?: readonly string[];
  /** Files whose own links are asked for. */
  readonly from?: readonly VaultPath[];
}

/** The tool that was called, and those of its arguments that history may keep. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the tool reaches files with names that begin with a dot. */
  readonly raw?: boolean;
  /** What the tool does; absent for calls that no rule about rights is for. */
  readonly effect?: Effect;
  /**
   * All arguments, which may have text of notes: the owner's answer holds for a call with the same
   * ones, and a proposal is made again with them. Absent where neither can happen.
   */
  readonly given?: {
    readonly toolset: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** The proposal that this call carries out, which the owner has accepted or looks at. */
  readonly accepts?: Proposal & {
    /** What changes have done that the owner has accepted with it, from the same client. */
    readonly made?: readonly PlannedFile[];
    /** Whether the owner only looks: it is planned again, and nothing is changed. */
    readonly isLook?: true;
  };
}

/** What operations can use of the open vault; the same for every caller. */
export interface VaultCore {
  readonly parts: VaultParts;
  readonly writer: VaultWriter;
  /**
   * Reports changes of files to remote clients; undefined where files are not served or watched.
   */
  readonly tree: TreeWatch | undefined;
  /** The settings of the vault, read again when their file has changed. */
  settings(): Promise<VaultSettings>;
}

/** What operations can use of the queue of changes, besides making a change. */
export interface VaultWriter {
  /**
   * Runs work that changes files by other means (a sync program), while nobody makes a change
   * through us: it waits in the queue like a change, and holds the commit lock. The index is not
   * told which files changed.
   */
  alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Finishes or takes back the changes that were left unfinished by processes that died. */
  recover(signal: AbortSignal): Promise<readonly Recovered[]>;
  /**
   * Brings the index up to date with the files that other processes have changed, so that a plan
   * can rely on it. Answers the newest change that is then in the index. Costs one small query when
   * there is nothing new.
   */
  catchUp(): Promise<ChangeId>;
}

/**
 * A vault as one caller sees it: every path is checked against what the caller may see, and every
 * index query is limited to that. Files that the caller may not see are answered as if they did not
 * exist.
 */
export interface BoundVault {
  readonly vault: VaultCore;
  readonly caller: Caller;
  readonly call: ToolCall;
  /** What the caller's connection was shown. Operations that show it text of a note say so here. */
  readonly served: ServedNotes | undefined;
  /** Whether the caller may reach names that begin with a dot. */
  readonly raw: boolean;
  /** The changes of the vault, in which notes that had a mark are not named. */
  readonly history: Pick<StateStore, 'changes'>;
  /** Everything that the caller may see: for links, names and exact paths. */
  view(): View;
  /** The same without the files that the vault's settings exclude: for searches and counts. */
  listedView(): Promise<View>;
  /**
   * Whether the caller may know of this path. Only the raw file tools see dot folders. A symlink at
   * the path is not known here: where a file was looked at, ask `seesFile`.
   */
  sees(path: string): boolean;
  /** Whether the caller may name this path, whatever is there: it may be a note with a mark. */
  reaches(path: string): boolean;
  /** Whether the caller may see a file: its path, and the path that a symlink leads to. */
  seesFile(path: string, found: { readonly leadsTo?: VaultPath }): boolean;
  /**
   * Whether the caller may know of this folder, that is, may see something in it. A folder in which every
   * file would be hidden does not exist for the caller, even if `sees` is true of its path.
   */
  seesFolder(folder: VaultPath): boolean;
  /** Reads a file. Fails as `Disk.read` does, with `not_found` when the caller may not see it. */
  read(path: VaultPath, options: { readonly bytesMax: number }): Promise<FileContent>;
  /**
   * Whether the marks of `Scopes` hide a note with this content from the caller, whatever the index
   * knows of it. Without bytes, the file is read. Costs nothing for callers without marks.
   */
  isMarked(path: VaultPath, bytes?: Uint8Array): Promise<boolean>;
  /**
   * Reads a file as text, always from disk. Fails as `read` does. With `shown: false` the answer is
   * to show nothing of the text, so it does not count as read by the caller.
   */
  readText(path: VaultPath, options?: { readonly shown: boolean }): Promise<NoteText>;
  /**
   * Notes, for the log of what was read (`VaultParts.reads`), that these contents of a file go into
   * the answer. `read` and `readText` do so by themselves.
   */
  hasRead(path: string, ...contents: readonly (string | Uint8Array | undefined)[]): void;
  /**
   * Changes the vault: runs the operation to make a plan, and carries the plan out as one change,
   * all of it or nothing. Runs the operation again when files change before the commit. With
   * `dryRun` it only answers the plan as a unified diff.
   */
  change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean | undefined },
  ): Promise<Result & ChangeReport>;
  /** The stat of a file that the caller may see; undefined when there is none. */
  stat(path: VaultPath): Promise<FileStat | undefined>;
  /**
   * Asks the index, after waiting for the part that the question needs. When all such waits of the
   * call together take longer than `Caller.indexWaitMs` (or else `limits.indexWaitMs`), fails with
   * `timeout` and says how far indexing is.
   */
  ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T>;
  /**
   * Asks the index about links to files of some names, or about some files alone. While a vault is
   * new, only the files are parsed first that can matter (`IndexKeeper.waitForSome`); else as `ask`.
   */
  askLinks<T>(about: LinksAsked, question: (store: IndexStore) => Promise<T>): Promise<T>;
  /**
   * Waits until every file that may have a word with one of these beginnings has its full text in the
   * index (`IndexKeeper.waitForSome`), and answers whether that is so.
   */
  waitForWords(beginnings: readonly string[]): Promise<boolean>;
  /**
   * Waits for a part of the index and answers whether it is complete. Waits as long as `ask`
   * would; with `waitMs`, until that long after the first wait of this call began; with `filesMax`,
   * not once it is known that more files than this have to be read first.
   */
  waitForIndex(
    part: IndexPart,
    options?: { readonly waitMs?: number; readonly filesMax?: number },
  ): Promise<boolean>;
  /**
   * Works on text: here, or in `VaultParts.worker` when the texts among `args` are longer than
   * `limits.heavyTextChars`. Fails when the call is over.
   */
  work<Task extends keyof NoteWork>(
    task: Task,
    ...args: Parameters<NoteWork[Task]>
  ): Promise<ReturnType<NoteWork[Task]>>;
  /**
   * Asks the index as it is now, without waiting for any part of it. An index that is damaged, or
   * whose disk is full, is rebuilt and then asked once more.
   */
  askNow<T>(question: (store: IndexStore) => Promise<T>): Promise<T>;
}
