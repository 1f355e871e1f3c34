import type { Door } from '../../base/caller.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';

/** The number of a change; later ones are higher. */
export type ChangeId = number;

/**
 * One step of a change, in the order in which they happen. Paths are those at that moment: what
 * is written is written where it was before anything moved, and folders move last.
 */
export type ChangeStep =
  | {
      readonly do: 'makeFolder';
      readonly path: VaultPath;
      /** It was asked for, and not only needed by what is put there. */
      readonly asked?: true;
    }
  | {
      readonly do: 'write';
      readonly path: VaultPath;
      /** Absent for a new file. */
      readonly before?: Version;
      readonly after: Version;
      /** Names the temporary file. */
      readonly token: string;
      /** Where the file was that is written anew, because another one takes its place or it one's. */
      readonly from?: VaultPath;
      /**
       * A symlink is there, which is replaced itself, and `before` is what could be read through it;
       * or a file of which nothing is kept.
       */
      readonly entry?: true;
    }
  | {
      readonly do: 'delete';
      readonly path: VaultPath;
      /** Absent where nothing is kept: a symlink, a pipe, a file that is too large. */
      readonly before?: Version;
    }
  | {
      readonly do: 'move';
      readonly path: VaultPath;
      readonly to: VaultPath;
      /** Absent for a file that is too large to be hashed. */
      readonly version?: Version;
      /** The version of a file at `to` that is replaced, or `unkept` where nothing is kept of it. */
      readonly over?: Version | 'unkept';
    }
  | {
      readonly do: 'moveFolder';
      readonly path: VaultPath;
      readonly to: VaultPath;
      /** An empty folder is at `to`, and is replaced. */
      readonly over?: true;
    }
  /** Only if it is empty: folders that an undone change had made, or that were to be removed. */
  | {
      readonly do: 'dropFolder';
      readonly path: VaultPath;
      /** It was asked for, so that undo makes it again although nothing comes to lie there. */
      readonly asked?: true;
    };

/**
 * Where a change stands. `staging`: nothing visible has happened, it is rolled back. `single`: one
 * visible step, which is the commit itself. `marked`: it will be finished. `undoing`: it could not
 * be finished and is being taken back. `done`: it is history.
 */
export type ChangeState = 'staging' | 'single' | 'marked' | 'undoing' | 'done';

/** Who made a change and how, as history keeps it. */
export interface ChangeAuthor {
  readonly door: Door;
  readonly client?: string;
  readonly connection?: string;
  readonly tool: string;
  /** Only the arguments that the tool names as recordable. */
  readonly args: Readonly<Record<string, unknown>>;
}

export interface NewChange extends ChangeAuthor {
  readonly timeMs: number;
  readonly steps: readonly ChangeStep[];
  /** The changes that this one takes back, if it is an undo or a redo. */
  readonly undoes?: readonly ChangeId[];
  /** Saves of one file by one client shortly after one another become one change. */
  readonly fold?: boolean;
}

export interface StoredChange extends NewChange {
  readonly id: ChangeId;
  readonly state: ChangeState;
  /** The change that took this one back, unless that was taken back in turn. */
  readonly undoneBy?: ChangeId;
  /** Files that an outside editor changed meanwhile; they were kept as they were. */
  readonly kept: readonly VaultPath[];
}

/** The bytes of one version of a file; `base` is another version it is mostly equal to. */
export interface ContentPut {
  readonly version: Version;
  readonly bytes: Uint8Array;
  readonly base?: Version;
}

export interface ChangeFilter {
  readonly ids?: readonly ChangeId[];
  readonly client?: string;
  readonly connection?: string;
  readonly sinceMs?: number;
  /** Changes that touch this file, or something in this folder. */
  readonly path?: VaultFolder;
  /** Only changes with a higher number. */
  readonly after?: ChangeId;
}

/** How much history is kept. */
export interface HistoryBounds {
  readonly nowMs: number;
  readonly ageMaxMs: number;
  readonly bytesMax: number;
  /** Never evicted for bytes. */
  readonly keepMs: number;
}

/**
 * The journal and the history of one vault, shared by every process that writes to it. Calls that
 * change it are only made by whoever holds the commit lock.
 */
export interface StateStore {
  /**
   * Writes a change down before anything of it happens, with what it will need to be taken back.
   * Durable when it answers. `single` changes bring their contents here, others with `mark`.
   */
  begin(
    change: NewChange,
    state: 'staging' | 'single',
    contents: readonly ContentPut[],
  ): Promise<ChangeId>;
  /** The commit of a change of several steps. Durable when it answers. */
  mark(id: ChangeId, contents: readonly ContentPut[]): Promise<void>;
  /** Says that a marked change is being taken back. Durable when it answers. */
  unmark(id: ChangeId): Promise<void>;
  /** The change is history. May be forgotten in a crash: whoever recovers finds it finished. */
  finish(id: ChangeId, kept: readonly VaultPath[]): Promise<void>;
  /** The change never happened. */
  drop(id: ChangeId): Promise<void>;
  /** Changes that are neither finished nor dropped, oldest first: what recovery is for. */
  unfinished(): Promise<readonly StoredChange[]>;
  /** The number of the newest finished change; 0 when there is none. */
  latest(): Promise<ChangeId>;
  /** Finished changes, newest first. */
  changes(
    filter: ChangeFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly items: readonly StoredChange[] }>;
  /** The bytes of a version; undefined when they were never kept, or not any more. */
  content(version: Version): Promise<Uint8Array | undefined>;
  /**
   * Forgets what is over the bounds: changes that are too old, then the oldest while there are
   * too many bytes, but never one younger than `keepMs`, nor the only copy of a deleted file.
   */
  prune(bounds: HistoryBounds): Promise<void>;
  close(): Promise<void>;
}

/**
 * The right to commit: one process at a time for a vault and every vault that lies in it or
 * around it. It is free the moment its holder dies.
 */
export interface CommitLock {
  /** Takes it if it is free. Never waits. */
  tryTake(): Promise<boolean>;
  release(): Promise<void>;
  close(): Promise<void>;
}
