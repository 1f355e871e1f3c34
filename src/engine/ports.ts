import type { Json } from '../base/json.ts';
import type { VaultFolder, VaultPath } from '../base/vault-path.ts';
import type { Version } from '../base/version.ts';
import type { NoteBatch } from './note-batch.ts';
import type { FileEntry, FileStat } from './records.ts';
import type { TextBatch } from './text-batch.ts';

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

/** The vault's files. Paths that lead outside through symlinks are refused with `outside_vault`. */
export interface Disk {
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
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
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
  /** True when the report may be incomplete: a burst, a folder event, the timer. */
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

export interface Hash {
  version(bytes: Uint8Array): Version;
}
