import type { Json } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { NoteBatch, TextBatch } from './record-batches.ts';
import type { FileEntry, FileStat } from './records.ts';

/** A file's bytes with the version they have and the stat they were read at. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly version: Version;
  readonly stat: FileStat;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

/**
 * The vault's files. Paths that lead outside through symlinks are refused with `outside_vault`.
 * Every call fails with `vault_not_found` while the vault itself is away: nothing is then read,
 * written, or known to be missing.
 */
export interface Disk {
  /** Fails with `vault_not_found` while the vault is away; costs one stat. */
  check(): Promise<void>;
  /**
   * Reads a whole file. Fails with `not_found`, `is_a_folder`, `forbidden`, `outside_vault`, or
   * `too_large` when it has more than `bytesMax` bytes.
   */
  read(path: VaultPath, options: { bytesMax: number }): Promise<FileContent>;
  /** Undefined when there is nothing there, or a folder. */
  stat(path: VaultPath): Promise<FileStat | undefined>;
  /** What is in a folder, dot names included; undefined when it is not a folder. */
  list(folder: VaultFolder): Promise<readonly FolderEntry[] | undefined>;
}

/**
 * The vault's files, for writing: the small steps that a change is made of. Only the transaction
 * calls these. None of them is durable before it is synced, and each may fail before or after its
 * effect; `forbidden`, `not_found` and `io_failed` (with `details.errno`) say why.
 */
export interface WritableDisk extends Disk {
  /** What is there; undefined for nothing. A symlink counts as what it leads to. */
  kind(path: VaultPath): Promise<'file' | 'folder' | undefined>;
  /**
   * What the name itself is, symlinks not followed; `other` is a symlink, a pipe, a device.
   * Undefined for nothing. The folders on the way must lie in the vault.
   */
  entry(path: VaultPath): Promise<EntryKind | undefined>;
  /**
   * Every name in a folder with what it is itself, also those that no vault path can spell;
   * undefined when it is not a folder.
   */
  entries(folder: VaultPath): Promise<readonly NamedEntry[] | undefined>;
  /**
   * Writes bytes to the temporary file of `target`: in the folder where the target really is,
   * named by `token` alone, with the mode and, where possible, the owner of the target if there
   * is one. An older temporary file of that token is replaced. The target need not exist, its
   * folder must. With `entry` the name itself is the target, should it be a symlink: the temporary
   * file is then beside the name, and all calls for that token have to say so.
   */
  stage(target: VaultPath, token: string, bytes: Uint8Array, as?: StagedAs): Promise<void>;
  /** Makes a staged file's bytes durable. */
  syncStaged(target: VaultPath, token: string, as?: StagedAs): Promise<void>;
  hasStaged(target: VaultPath, token: string, as?: StagedAs): Promise<boolean>;
  /**
   * Puts the staged file in the target's place, at once. Without `replace` it fails with
   * `already_exists` when something is there. A target that is a symlink stays one: what it leads
   * to is replaced. With `stamp` it fails with `conflict` when the target has another one: the
   * last look at it, with nothing but the system between the look and the replacing.
   */
  place(
    target: VaultPath,
    token: string,
    options: { readonly replace: boolean; readonly stamp?: string } & StagedAs,
  ): Promise<void>;
  /** Removes the staged file; none is no failure. */
  unstage(target: VaultPath, token: string, as?: StagedAs): Promise<void>;
  /**
   * Gives a file or a folder another path, at once, as far as the system can. Fails with
   * `already_exists` when something else is at `to`; another case or Unicode form of the same
   * file is not something else. A symlink is moved, not what it leads to. The folder of `to`
   * must exist. A crash can leave a file under both paths.
   * With `over` what is at `to` is replaced at once, as `rename` of POSIX does: a file or a symlink
   * by a file or a symlink, an empty folder by a folder; `stamp` is then that of the file at `to`,
   * as in `place`.
   */
  move(
    from: VaultPath,
    to: VaultPath,
    options?: { readonly over: true; readonly stamp?: string },
  ): Promise<void>;
  /** Removes a file, or a symlink to one; `not_found` when there is none, `stamp` as in `place`. */
  remove(path: VaultPath, options?: { readonly stamp?: string }): Promise<void>;
  /** Removes a name that is no folder: a file of any size, a symlink itself, a pipe. */
  removeEntry(path: VaultPath): Promise<void>;
  /** Makes one folder; its parent must exist. `already_exists` when something is there. */
  makeFolder(folder: VaultPath): Promise<void>;
  /** Removes a folder if it is empty; answers whether it is gone. */
  removeFolder(folder: VaultPath): Promise<boolean>;
  /** Makes the names in a folder durable. A folder that is gone is no failure. */
  syncFolder(folder: VaultFolder): Promise<void>;
  /** What a changed file cannot keep here (owner, time of creation …), as sentences for people. */
  cannotKeep(): Promise<readonly string[]>;
}

export type EntryKind = 'file' | 'folder' | 'other';

export interface NamedEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** Whether a staged file takes the place of the name itself, be it a symlink. */
export interface StagedAs {
  readonly entry?: boolean;
}

/** The trash of the system, outside the vault. */
export interface SystemTrash {
  /**
   * Puts a copy of a file there, as the platform's convention says, and answers where, for people
   * to read, and how to take it out again. Undefined where there is no such trash.
   */
  put(
    path: VaultPath,
    bytes: Uint8Array,
  ): Promise<{ readonly where: string; readonly takeBack: () => Promise<void> } | undefined>;
}

export interface Random {
  /** A fresh name for a temporary file: lower-case letters and digits. */
  token(): string;
  /** A whole number from 0 up to but not including `count`, each as likely as any other. */
  below(count: number): number;
}

export interface WalkBatch {
  readonly entries: Json<readonly FileEntry[]>;
  readonly count: number;
}

/** What a walk saw beside the files. */
export interface WalkSummary {
  readonly folders: number;
  /** Names that no vault path can spell (backslash, control characters): not indexed. */
  readonly unreachable: readonly string[];
  /** Folders and files that could not be looked at, or lead outside through a symlink. */
  readonly refused: readonly {
    readonly path: string;
    readonly reason: string;
    /** Set where something of the vault is there that could not be read. */
    readonly unread?: true;
  }[];
  /** Set where a symlink to a folder was followed. */
  readonly followsLinks?: true;
}

export type ScanWant = 'facts' | 'text';

/** One batch of scanned files, in the order they were asked for. */
export interface ScanBatch {
  readonly notes?: NoteBatch;
  readonly texts?: TextBatch;
  /** How many of the paths that were asked for this batch accounts for. */
  readonly count: number;
  /** Files that vanished or could not be read; they have no record. */
  readonly failed: readonly { readonly path: VaultPath; readonly reason: string }[];
}

/** Walks, reads and parses files off the main thread. Calls on one scanner run in order. */
export interface Scanner {
  /** Every visible file (no name begins with a dot), folder by folder, under `folder`. */
  walk(folder: VaultFolder, onBatch: (batch: WalkBatch) => Promise<void>): Promise<WalkSummary>;
  /**
   * Reads and parses files. `onBatch` is awaited, and at most two batches wait for it, so a
   * slow index holds the scanner back instead of filling memory.
   */
  scan(
    paths: readonly VaultPath[],
    want: readonly ScanWant[],
    onBatch: (batch: ScanBatch) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

/** What changed on disk, as far as the platform tells. */
export interface WatchReport {
  /** Files that were created, changed or removed; look at each. */
  readonly paths: readonly VaultPath[];
  /** Folders that came, went or were replaced: look at each with all that is or was in it. */
  readonly folders: readonly VaultPath[];
  /** True when the report may be incomplete: a burst, the timer. Look at everything. */
  readonly reconcile: boolean;
}

export interface Watcher {
  /** Resolves once changes made from now on will be reported. */
  start(listener: (report: WatchReport) => void): Promise<void>;
  /** Resolves when every change made before the call has been reported. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface Clock {
  nowMs(): number;
}

export interface Timers {
  /** Calls once after a while; the answer cancels it. Never keeps the process alive. */
  after(ms: number, call: () => void): () => void;
}

/** Bytes as text, for protocols that carry nothing else. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  /**
   * Of the standard alphabet with its padding, line ends ignored. Undefined for anything else.
   */
  decode(text: string): Uint8Array | undefined;
}

export interface Hash {
  version(bytes: Uint8Array): Version;
}
