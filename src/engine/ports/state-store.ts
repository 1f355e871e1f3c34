import type { Door } from '../../base/caller.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';

/** The number of a change; later ones are higher. */
export type ChangeId = number;

/** The name of a proposed change, such as `p12`. */
export type ProposalId = `p${number}`;

/**
 * One step of a change. Steps happen in their order, and each names the paths at that moment: files
 * are written where they are before anything moves, and folders move last.
 */
export type ChangeStep =
  | {
      readonly do: 'makeFolder';
      readonly path: VaultPath;
      /** Set when the folder was asked for; absent when it is only needed for a file in it. */
      readonly asked?: true;
    }
  | {
      readonly do: 'write';
      readonly path: VaultPath;
      /** Absent for a new file. */
      readonly before?: Version;
      readonly after: Version;
      /** The name of the temporary file. */
      readonly token: string;
      /** Set when the caller gave the whole text of a file that was there; the brake counts these. */
      readonly whole?: true;
      /**
       * Where the file was, if it is written as new instead of moved; see `Place` in `planChange`.
       */
      readonly from?: VaultPath;
      /**
       * Set when a symlink is replaced (`before` is then what it leads to), or a file of which
       * history keeps nothing.
       */
      readonly entry?: true;
      /** See `FileStat`: the content is that of the file at this path. */
      readonly leadsTo?: VaultPath;
    }
  | {
      readonly do: 'delete';
      readonly path: VaultPath;
      /** Absent when history keeps nothing: of a symlink, a pipe, a file that is too large. */
      readonly before?: Version;
      /** See `FileStat`: `before` is the content of the file at this path. */
      readonly leadsTo?: VaultPath;
      /** The name under which it passes the gate; absent on a disk without one (`WritableDisk.gate`). */
      readonly token?: string;
    }
  | {
      readonly do: 'move';
      readonly path: VaultPath;
      readonly to: VaultPath;
      /** Absent when the content was not read: it is too large, or was not needed. */
      readonly version?: Version;
      /**
       * The version of the file at `to` that is replaced; `unkept` when history keeps nothing of
       * it.
       */
      readonly over?: Version | 'unkept';
      /** See `FileStat`: `version` is that of the file at this path. */
      readonly leadsTo?: VaultPath;
      /** See `delete`. */
      readonly token?: string;
    }
  | {
      readonly do: 'moveFolder';
      readonly path: VaultPath;
      readonly to: VaultPath;
      /** Set when an empty folder at `to` is replaced. */
      readonly over?: true;
      /** How many files are in a folder that goes into the trash; the brake counts these. */
      readonly files?: number;
      /** See `delete`. */
      readonly token?: string;
    }
  | TailStep
  /**
   * Removes a folder if it is empty: one that an undone change had made, or that is to be removed.
   */
  | {
      readonly do: 'dropFolder';
      readonly path: VaultPath;
      /**
       * Set when the removal was asked for: undo then makes the folder again, even if it stays
       * empty.
       */
      readonly asked?: true;
    };

/**
 * Adds bytes to the end of a large file in place, or cuts them off again. No version of the file is
 * computed, because that would mean reading all of it. A change has such a step alone; only where
 * history has joined several appends (`fold`) a change has several.
 */
export interface TailStep {
  readonly do: 'append' | 'cut';
  readonly path: VaultPath;
  /** See `FileEnd`: tells the file from another one that has taken its place. */
  readonly inode: string;
  /** How many bytes the file has without the end. */
  readonly length: number;
  /** How many bytes the end has. */
  readonly bytes: number;
  /** The version of the end alone, as if it were a file. History keeps its bytes. */
  readonly tail: Version;
  /** Set when someone else's text is cut off; the brake counts these. */
  readonly whole?: true;
}

/**
 * How far a change is; recovery is what the next process does after a crash. `staging`: only
 * temporary files are written; recovery takes it back. `single`: it has one step that others can
 * see, and that step is the commit; recovery finds out on disk whether it happened. `marked`: it is
 * committed; recovery finishes it. `undoing`: it could not be finished and is being taken back.
 * `done`: it is history.
 */
export type ChangeState = 'staging' | 'single' | 'marked' | 'undoing' | 'done';

/** Who made a change and how, as history keeps it. */
export interface ChangeAuthor {
  readonly door: Door;
  readonly client?: string;
  readonly connection?: string;
  /** The id of the token or grant that the caller came with. */
  readonly token?: string;
  readonly tool: string;
  /** Only the arguments that the tool allows history to keep. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** A file that a change destroys: deletes, puts into the trash, or replaces by something else. */
export interface DestroyedFile {
  /** What was lost; absent when that is not known. */
  readonly before?: Version;
  /** The text that the caller gave instead; absent when there is none. */
  readonly after?: Version;
  /** How many files this stands for: more than one when their versions are not known. */
  readonly files: number;
}

/** What the brake counts of a change. */
export interface Destruction {
  /** Whose destroyed files are counted together; see `askerKey`. */
  readonly asker: string;
  readonly files: readonly DestroyedFile[];
}

/** A change before it is written down. */
export interface NewChange extends ChangeAuthor {
  readonly timeMs: number;
  readonly steps: readonly ChangeStep[];
  /** The changes that this one takes back, if it is an undo or a redo. */
  readonly undoes?: readonly ChangeId[];
  /**
   * Those of `undoes` of which only the part was taken back that the caller sees. They do not count
   * as undone for others.
   */
  readonly partly?: readonly ChangeId[];
  /**
   * Whether this change may be joined with the one before it, when both are saves of one file by
   * one client within `limits.historyFoldMs`.
   */
  readonly fold?: boolean;
  /** The proposal that the owner accepted with this change; finishing the change closes it. */
  readonly proposal?: ProposalId;
  /** Absent when it destroys nothing, and when its caller has no brake. */
  readonly destroys?: Destruction;
  /** See `Caller.callKey`. */
  readonly callKey?: string;
}

/** A change in the journal, or in history. */
export interface StoredChange extends Omit<NewChange, 'destroys' | 'callKey'> {
  readonly id: ChangeId;
  readonly state: ChangeState;
  /** The change that took this one back, unless that one was taken back itself. */
  readonly undoneBy?: ChangeId;
  /** Files that an outside editor changed at the last moment; they were left as they are. */
  readonly kept: readonly VaultPath[];
}

/**
 * The bytes of one version of a file; `base` is a similar version, to store the difference only.
 */
export interface ContentPut {
  readonly version: Version;
  readonly bytes: Uint8Array;
  readonly base?: Version;
}

/** What `StateStore.beginSingles` writes down of one change. */
export interface SingleRecord {
  readonly change: NewChange;
  readonly contents: readonly ContentPut[];
}

export interface ChangeFilter {
  readonly ids?: readonly ChangeId[];
  readonly connection?: string;
  readonly token?: string;
  readonly door?: Door;
  readonly sinceMs?: number;
  /** Changes that touch this file, or something in this folder. */
  readonly path?: VaultFolder;
  /** Only changes with a higher number. */
  readonly after?: ChangeId;
  /** Only changes with a lower number, so that pages do not slide while changes are made. */
  readonly before?: ChangeId;
  /** The names of clients, with or without a version: `claude-ai` stands for `claude-ai/0.14.0`, too. */
  readonly clientNames?: readonly string[];
  /** Only changes before this time. */
  readonly untilMs?: number;
  /** Whether they are undone. */
  readonly undone?: boolean;
  /** Without the undos and redos of whole changes that came through these doors. */
  readonly withoutUndosBy?: readonly Door[];
  /** Only changes that undo one of these, or a part of it. */
  readonly undoing?: readonly ChangeId[];
}

/** A change without its steps, for counting many. */
export interface ChangeSummary
  extends Pick<
    StoredChange,
    'id' | 'timeMs' | 'door' | 'client' | 'connection' | 'token' | 'undoneBy'
  > {
  /** Whether it is an undo or a redo. */
  readonly isUndo: boolean;
  /** How many files it touched. */
  readonly files: number;
}

/** How much history is kept. */
export interface HistoryBounds {
  readonly nowMs: number;
  readonly ageMaxMs: number;
  readonly bytesMax: number;
  /** Changes younger than this are never dropped for their size. */
  readonly keepMs: number;
}

/** What words for changes are made with; see `changeNamer`. */
export interface WordKey {
  /** Secret, and the same as long as the history is kept. */
  readonly key: Uint8Array;
  /** Those who were given words, at most `limits.wordReadersMax`, the latest first. */
  readonly readers: readonly string[];
}

/**
 * The journal and the history of one vault, shared by all processes that write to it. Calls that
 * change it may only be made while holding the commit lock.
 */
export interface StateStore {
  /**
   * Writes a change down before any of its steps. Durable when it resolves. `contents` are what
   * history keeps of it; only `single` changes pass them here, others with `mark`. Fails with
   * `conflict` when the proposal of the change is not open.
   */
  begin(
    change: NewChange,
    state: 'staging' | 'single',
    contents: readonly ContentPut[],
  ): Promise<ChangeId>;
  /**
   * Writes several `single` changes down, all of them or none, and answers their numbers in the same
   * order; see `begin`.
   */
  beginSingles(changes: readonly SingleRecord[]): Promise<readonly ChangeId[]>;
  /** Commits a change of several steps. Durable when it resolves. */
  mark(id: ChangeId, contents: readonly ContentPut[]): Promise<void>;
  /** Writes down that a marked change is being taken back. Durable when it resolves. */
  unmark(id: ChangeId): Promise<void>;
  /** Makes a change part of history. A crash may lose this: recovery then does it again. */
  finish(id: ChangeId, kept: readonly VaultPath[]): Promise<void>;
  /** Removes a change that did not happen. */
  drop(id: ChangeId): Promise<void>;
  /** Changes that are neither finished nor dropped, oldest first, for recovery. */
  unfinished(): Promise<readonly StoredChange[]>;
  /** The number of the newest finished change; 0 when there is none. */
  latest(): Promise<ChangeId>;
  /** Finished changes, newest first. */
  changes(
    filter: ChangeFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly items: readonly StoredChange[] }>;
  /** The newest finished changes that a filter admits, newest first, at most `max` of them. */
  summaries(filter: ChangeFilter, max: number): Promise<readonly ChangeSummary[]>;
  /**
   * How many files an asker has destroyed in that span, by finished changes that are not undone.
   * A file does not count when its `before` is the `after` of an earlier file that the asker has
   * destroyed shortly before: it only replaces its own text. Each `after` excuses one file.
   * Infinity when there are `limits.brakeRowsMax` rows or more to add up.
   */
  destroyedFiles(
    asker: string,
    span: { readonly sinceMs: number; readonly untilMs: number },
  ): Promise<number>;
  /** The changes that did that, newest first, and how many there are. */
  destroyingChanges(
    asker: string,
    span: { readonly sinceMs: number; readonly untilMs: number },
    max: number,
  ): Promise<{ readonly total: number; readonly ids: readonly ChangeId[] }>;
  /** The bytes of a version; undefined when they were never kept, or are not kept any more. */
  content(version: Version): Promise<Uint8Array | undefined>;
  /** The versions of kept contents that begin with these digits, at most `max` of them. */
  versionsFrom(start: VersionStart, max: number): Promise<readonly Version[]>;
  /**
   * The key for words that stand for changes, made at the first call. `reader` is added to those who
   * were given words. The only call that changes something without the commit lock.
   */
  wordKey(reader?: string): Promise<WordKey>;
  /**
   * Drops changes that are too old, then the oldest ones while there are too many bytes. For their
   * bytes it never drops one that is younger than `keepMs`, nor the only copy of a deleted file. A
   * clock that jumps makes no change older.
   */
  prune(bounds: HistoryBounds): Promise<void>;
  close(): Promise<void>;
}

/**
 * The lock for commits: one process at a time holds it for a vault and every vault inside or around
 * it. It is free at once when its holder dies.
 */
export interface CommitLock {
  /** Takes the lock if it is free, and answers whether. Never waits. */
  tryTake(): Promise<boolean>;
  release(): Promise<void>;
  close(): Promise<void>;
}
