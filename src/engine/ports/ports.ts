import type { Json } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { NoteBatch, TextBatch } from './record-batches.ts';
import type { FileEntry, FileStat } from './records.ts';

/** A file's bytes, with their version and the stat of the file when it was read. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly version: Version;
  readonly stat: FileStat;
}

/** A name in a folder; symlinks are followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** See `FileStat`. */
  readonly leadsTo?: VaultPath;
}

/**
 * The files of the vault, for reading. Paths that lead outside through symlinks fail with
 * `outside_vault`. Every call fails with `vault_not_found` while the vault itself is away (moved,
 * deleted, not mounted), so that its files are not taken for missing.
 */
export interface Disk {
  /** Fails with `vault_not_found` while the vault is away; costs one stat. */
  check(): Promise<void>;
  /**
   * Reads a whole file. Fails with `not_found`, `is_a_folder`, `forbidden`, `outside_vault`, or
   * `too_large` when it has more than `bytesMax` bytes.
   */
  read(path: VaultPath, options: { bytesMax: number }): Promise<FileContent>;
  /** The stat of a file; undefined when there is nothing, or a folder. */
  stat(path: VaultPath): Promise<FileStat | undefined>;
  /** What is in a folder, dot names included; undefined when it is not a folder. */
  list(folder: VaultFolder): Promise<readonly FolderEntry[] | undefined>;
}

/** A folder outside the vault from which the owner lets clients add attachments. */
export interface AttachFolder {
  /**
   * The bytes of a regular file in it. Fails with `not_found`, `is_a_folder`, `forbidden`,
   * `too_large`, with `outside_vault` when a symlink leads out of the folder, and with
   * `unavailable` while the folder itself is not there.
   */
  read(path: VaultPath, options: { readonly bytesMax: number }): Promise<Uint8Array>;
}

/**
 * The files of the vault, for writing: the small steps that a change is made of. Only the room
 * `change` calls those that write. None of them is durable before it is synced. Each may fail
 * before or after its effect, with `forbidden`, `not_found` or `io_failed` (with `details.errno`).
 *
 * A new content is first staged, which means written to a temporary file, and then put in place.
 * `token` is the random name of that temporary file (`Random.token`), `stamp` is `FileStat.stamp`.
 */
export interface WritableDisk extends Disk {
  /** What is at a path; undefined for nothing. Symlinks are followed. */
  kind(path: VaultPath): Promise<'file' | 'folder' | undefined>;
  /**
   * What is at a path, not following a symlink at its end; `other` is a symlink, a pipe or a
   * device. Undefined for nothing. The folders on the way must be in the vault.
   */
  entry(path: VaultPath): Promise<EntryKind | undefined>;
  /**
   * Every name in a folder, also those that no vault path can spell, with what it is (symlinks not
   * followed); undefined when it is not a folder.
   */
  entries(folder: VaultPath): Promise<readonly NamedEntry[] | undefined>;
  /**
   * The end of a regular file from a byte on, at most `bytesMax` bytes of it, symlinks followed.
   * Undefined when there is nothing, or something else.
   */
  readEnd(path: VaultPath, part: EndPart): Promise<FileEnd | undefined>;
  /**
   * Adds bytes to the end of a file, symlinks followed, in one write, and makes them durable. Fails
   * with `conflict` when the file is not the one that was seen, or has another size; then nothing is
   * written. Any other failure may leave a part of the bytes there.
   */
  append(path: VaultPath, bytes: Uint8Array, seen: SeenFile): Promise<void>;
  /**
   * Cuts a file to `length` bytes, symlinks followed, and makes that durable; a file that has this
   * size is only made durable. Fails with `conflict` as `append` does.
   */
  cut(path: VaultPath, length: number, seen: SeenFile): Promise<void>;
  /**
   * Writes bytes to the temporary file of a target. That file is in the folder where the target
   * really is, is named by `token` alone, and has the mode and, where possible, the owner of the
   * target if that exists. An older temporary file of that token is replaced. The target need not
   * exist, but its folder must. With `entry` (see `StagedAs`) the temporary file is beside a
   * symlink at the target, and all calls for that token have to say `entry` too. With `sync` the bytes
   * are made durable, as by `syncStaged`.
   */
  stage(
    target: VaultPath,
    token: string,
    bytes: Uint8Array,
    as?: StagedAs & { readonly sync?: boolean },
  ): Promise<void>;
  /** Makes a staged file's bytes durable. */
  syncStaged(target: VaultPath, token: string, as?: StagedAs): Promise<void>;
  /** Whether there is a staged file of that token. */
  hasStaged(target: VaultPath, token: string, as?: StagedAs): Promise<boolean>;
  /**
   * Puts the staged file in the target's place, in one step. Without `replace` it fails with
   * `already_exists` when something is there. A symlink at the target stays: the file that it leads
   * to is replaced. With `stamp` it looks at the target once more, as late as possible, and fails
   * with `conflict` when the target has another stamp. Answers the stat of the file that is there now,
   * or undefined when that may not be the staged one any more, or a symlink leads to it.
   */
  place(
    target: VaultPath,
    token: string,
    options: { readonly replace: boolean; readonly stamp?: string } & StagedAs,
  ): Promise<FileStat | undefined>;
  /** Removes the staged file, if there is one. */
  unstage(target: VaultPath, token: string, as?: StagedAs): Promise<void>;
  /**
   * Moves a file or a folder, in one step if the system can. Fails with `already_exists` when
   * something else is at `to`; the same file in another case or Unicode form is not something else.
   * A symlink itself is moved. The folder of `to` must exist. A crash can leave a file under both
   * paths. With `over`, what is at `to` is replaced in one step, by the rules of POSIX `rename`: a
   * file or symlink by a file or symlink, an empty folder by a folder. `stamp` is then that of the
   * file at `to`, as in `place`.
   */
  move(
    from: VaultPath,
    to: VaultPath,
    options?: { readonly over: true; readonly stamp?: string },
  ): Promise<void>;
  /** Removes a file, or a symlink to one; `not_found` when there is none, `stamp` as in `place`. */
  remove(path: VaultPath, options?: { readonly stamp?: string }): Promise<void>;
  /** Removes anything but a folder: a file of any size, a symlink, a pipe. */
  removeEntry(path: VaultPath): Promise<void>;
  /** Makes one folder; its parent must exist. `already_exists` when something is there. */
  makeFolder(folder: VaultPath): Promise<void>;
  /** Removes a folder if it is empty; answers whether it is gone. */
  removeFolder(folder: VaultPath): Promise<boolean>;
  /** Makes the names in a folder durable. Does nothing when the folder is gone. */
  syncFolder(folder: VaultFolder): Promise<void>;
  /**
   * What a changed file loses on this disk (owner, time of creation …), as sentences for people.
   */
  cannotKeep(): Promise<readonly string[]>;
  /**
   * Set where several machines share the vault. Steps that delete or move then have a token and are
   * carried out by this alone, and no file is changed in place.
   */
  readonly gate?: GatedSteps;
}

/**
 * Deletes and moves in two steps: what is at the path is first taken out of the vault into the gate (see
 * `node/gate`), under the name `token`, and then looked at. `WritableDisk.hasStaged` answers whether it is
 * there. Each call may be repeated after a failure or a crash, also by the next owner of the vault, and
 * goes on with what was taken. All calls, and those for staged files, fail with `unavailable` and
 * `details.fenced` when another machine has taken the vault over.
 */
export interface GatedSteps {
  /**
   * Deletes the file of the version `before`, or a symlink; without `before`, anything but a folder. Fails
   * with `conflict` when something else is there, which is then left there or put back. `stamp` as in
   * `WritableDisk.place`.
   */
  remove(
    path: VaultPath,
    options: { readonly token: string; readonly before?: Version; readonly stamp?: string },
  ): Promise<void>;
  /**
   * Moves a file or a folder, as `WritableDisk.move` does. When it fails because of what is at `to`, the
   * file is back at `from`.
   */
  move(
    from: VaultPath,
    to: VaultPath,
    options: { readonly token: string; readonly over?: { readonly stamp?: string } },
  ): Promise<void>;
  /**
   * Puts back what was taken under this token, if anything was. If something else has come to the path,
   * it gets another name.
   */
  putBack(path: VaultPath, token: string): Promise<void>;
}

/** A file as it was seen. `inode` tells it from another file that has taken its place. */
export interface SeenFile {
  readonly inode: string;
  readonly size: number;
}

export interface FileEnd extends SeenFile {
  readonly bytes: Uint8Array;
}

export interface EndPart {
  readonly from: number;
  readonly bytesMax: number;
}

export type EntryKind = 'file' | 'folder' | 'other';

interface NamedEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** With `entry`, a staged file replaces a symlink at its target instead of what that leads to. */
export interface StagedAs {
  readonly entry?: boolean;
}

/** The trash of the operating system, outside the vault. */
export interface SystemTrash {
  /**
   * Puts a copy of a file into the trash, by the platform's convention. Answers where it is, for
   * people to read, and how to take it out again. Undefined where there is no such trash.
   */
  put(
    path: VaultPath,
    bytes: Uint8Array,
  ): Promise<{ readonly where: string; readonly takeBack: () => Promise<void> } | undefined>;
}

export interface Random {
  /** A new random name for a temporary file: lower-case letters and digits. */
  token(): string;
  /** A whole number from 0 up to but not including `count`, each as likely as any other. */
  below(count: number): number;
}

export interface WalkBatch {
  readonly entries: Json<readonly FileEntry[]>;
  readonly count: number;
}

/** What a walk has found besides the files. */
export interface WalkSummary {
  readonly folders: number;
  /** Names that no vault path can spell (backslash, control characters): not indexed. */
  readonly unreachable: readonly string[];
  /** Folders and files that could not be looked at, or symlinks that lead outside. */
  readonly refused: readonly {
    readonly path: string;
    readonly reason: string;
    /** Set when it exists but could not be read: it may hold notes that the index does not have. */
    readonly unread?: true;
  }[];
  /** Set where a symlink to a folder was followed. */
  readonly followsLinks?: true;
}

/** What a scan is to find in files: the facts, the full text, or both. */
export type ScanWant = 'facts' | 'text';

/** One batch of scanned files, in the order they were asked for. */
export interface ScanBatch {
  readonly notes?: NoteBatch;
  readonly texts?: TextBatch;
  /** How many of the given paths this batch covers, including failed ones. */
  readonly count: number;
  /** Files that are gone or could not be read. */
  readonly failed: readonly { readonly path: VaultPath; readonly reason: string }[];
}

/** See `Scanner.titled`. */
export interface Titled {
  readonly paths: readonly VaultPath[];
  readonly notes: number;
}

/**
 * Walks, reads and parses files in another thread. Walks and long scans on one scanner run in order.
 */
export interface Scanner {
  /** Finds every file under a folder, folder by folder, except dot names. */
  walk(folder: VaultFolder, onBatch: (batch: WalkBatch) => Promise<void>): Promise<WalkSummary>;
  /**
   * Reads and parses files. Waits for `onBatch` with at most two batches in memory, so that a slow
   * index slows the scanner down instead of filling the memory.
   */
  scan(
    paths: readonly VaultPath[],
    want: readonly ScanWant[],
    onBatch: (batch: ScanBatch) => Promise<void>,
  ): Promise<void>;
  /**
   * Those of the files whose text may have a link with one of these last names (`linkSegment`), in
   * the order given, and those that cannot be read. Reads all of them, but parses none
   * (`writtenNames`). Long scans pause meanwhile.
   */
  naming(paths: readonly VaultPath[], segments: readonly string[]): Promise<readonly VaultPath[]>;
  /** The same for files whose name or text may have a word with one of these beginnings, folded. */
  mentioning(
    paths: readonly VaultPath[],
    beginnings: readonly string[],
  ): Promise<readonly VaultPath[]>;
  /**
   * The files of the whole vault whose name may have such a word, and all canvases, found without a stat
   * of each file; and how many notes there are. Undefined when only a walk can tell, as with symlinks.
   */
  titled(beginnings: readonly string[]): Promise<Titled | undefined>;
  /** A long scan hands over the batch that it has begun: a caller waits for what comes after it. */
  hurry(): Promise<void>;
  close(): Promise<void>;
}

/** What has changed on disk, as far as the platform reports it. */
export interface WatchReport {
  /** Files that were created, changed or removed. */
  readonly paths: readonly VaultPath[];
  /** Folders that came, went or were replaced, with everything that is or was in them. */
  readonly folders: readonly VaultPath[];
  /** True when the report may be incomplete (too many changes, a timer): look at everything. */
  readonly reconcile: boolean;
  /** True when `reconcile` is only the regular look, and no change is known to be missing. */
  readonly isRoutine?: boolean;
}

export interface Watcher {
  /** Resolves once changes made from now on will be reported. */
  start(listener: (report: WatchReport) => void): Promise<void>;
  /** Resolves when every change made before the call has been reported. */
  flush(): Promise<void>;
  /**
   * Whether changes are reported as they happen; false where the vault is walked again and again
   * instead. A watcher without this method does not know.
   */
  hasEvents?(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Clock {
  nowMs(): number;
}

export interface Timers {
  /**
   * Calls back once after a time; the returned function cancels that. Does not keep the process
   * alive.
   */
  after(ms: number, call: () => void): () => void;
}

/** Bytes as text, for protocols that carry only text. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  /** Takes the standard alphabet with padding; ignores line ends. Undefined for anything else. */
  decode(text: string): Uint8Array | undefined;
}

export interface Hash {
  version(bytes: Uint8Array): Version;
  /** HMAC-SHA-256 of a text, in hex. */
  hmac(key: Uint8Array, text: string): string;
}
