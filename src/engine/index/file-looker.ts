import { inParallel } from '../../base/in-parallel.ts';
import { toJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Clock, Disk, FileContent, ScanBatch, Scanner } from '../ports/ports.ts';
import { NoteBatchPacker, TextBatchPacker } from '../ports/record-batches.ts';
import { type FileEntry, noWalk } from '../ports/records.ts';
import { wholeVault } from '../ports/view.ts';
import { decodeText, scanFile } from '../text/scan-file.ts';
import type { WrittenFile } from '../text/written-file.ts';
import { Looks, type PendingLooks } from './pending-looks.ts';

/** How many paths are asked about in parallel, because each answer of a network disk takes time. */
const asksAtOnce = 8;

/**
 * Up to this many files that someone waits for are read and parsed on this thread, which takes less
 * time than the way to the scanner and back. Together they have at most `limits.largeReadBytes`.
 */
const readHereMax = 16;

/** Files that were found ahead of the first walk are looked at so many at a time: a short scan. */
const aheadAtOnce = 64;

/** How many racy files are remembered that were read here; the oldest are forgotten. */
const racyHereMax = 256;

/**
 * Looks at single files: compares each with the index, and reads it again if it has changed.
 * Remembers which files could not be read.
 */
export class FileLooker {
  /** Files that could not be read when they were last scanned, with the reason. */
  readonly unread = new Map<VaultPath, string>();
  readonly #disk: Disk;
  readonly #scanner: Scanner;
  readonly #clock: Clock;
  readonly #pending: PendingLooks;
  /**
   * Racy files (`NoteRecord.racy`) that were read here, with what was given to the index. They are mostly
   * written by ourselves, and the watcher reports them soon after: then it is enough to read them and
   * compare, instead of parsing and storing the same content once more.
   */
  readonly #racyHere = new Map<VaultPath, Pick<FileContent, 'version'> & { stamp: string }>();

  constructor(
    ports: { readonly disk: Disk; readonly scanner: Scanner; readonly clock: Clock },
    pending: PendingLooks,
  ) {
    this.#disk = ports.disk;
    this.#scanner = ports.scanner;
    this.#clock = ports.clock;
    this.#pending = pending;
  }

  /** Looks at a few files. A path that turns out to be a folder becomes pending as a folder. */
  lookAt(store: IndexStore, looks: Looks): Promise<void> {
    return this.#lookAt(store, looks, looks.waiters.length > 0);
  }

  /** Looks at files that a caller waits for before the vault was walked for the first time. */
  async lookAhead(store: IndexStore, paths: readonly VaultPath[]): Promise<void> {
    const atOnce = paths.length <= readHereMax ? readHereMax : aheadAtOnce;
    for (let at = 0; at < paths.length; at += atOnce) {
      const some = paths.slice(at, at + atOnce).map((path) => [path, []] as const);
      await this.#lookAt(store, new Looks(new Map(some)), true);
    }
  }

  async #lookAt(store: IndexStore, looks: Looks, isAwaited: boolean): Promise<void> {
    for (const path of looks.paths) this.unread.delete(path);
    const isHere = isAwaited && looks.paths.length <= readHereMax;
    const paths = isHere
      ? await this.#readHere(store, looks)
      : await this.#compareRacy(store, looks.paths);
    if (paths.length === 0) return;
    const { entries, folders, gone } = await this.#find(paths);
    for (const folder of folders) this.#pending.addFolder(looks, folder);
    if (gone.length > 0) await store.forget(gone);
    if (entries.length === 0) return;
    const stale = await store.seen(noWalk, toJson(entries));
    if (stale.length === 0) return;
    await this.#scanner.scan(stale, ['facts', 'text'], (batch) => this.#put(store, batch));
  }

  /** Forgets a file when a folder is in its place now. */
  async forgetFileAt(store: IndexStore, folder: VaultPath): Promise<void> {
    if ((await store.file(wholeVault, folder)) === undefined) return;
    const { folders } = await this.#find([folder]);
    await store.forget(folders);
  }

  /**
   * Handles files that a scan could not read: forgets those that are gone, and of the others the
   * contents. Fails with `vault_not_found` when the whole vault is away.
   */
  async forgetFailed(
    store: IndexStore,
    failed: readonly { readonly path: VaultPath; readonly reason: string }[],
  ): Promise<void> {
    if (failed.length === 0) return;
    await this.checkVault();
    const gone: VaultPath[] = [];
    for (const { path, reason } of failed) {
      // Null when the stat fails too: the file is there, but cannot be read.
      const stat = await this.#disk.stat(path).catch((error) => rethrowIfAway(error) ?? null);
      if (stat === undefined) gone.push(path);
      else this.unread.set(path, reason);
    }
    await store.forget(gone);
    await store.forgetContents(failed.map(({ path }) => path));
  }

  /** Fails with `vault_not_found` when the vault itself is gone: its files are then not missing. */
  async checkVault(): Promise<void> {
    if ((await this.#disk.list('')) !== undefined) return;
    throw new VaultError('vault_not_found', 'The vault is gone: it was moved, or unmounted.');
  }

  /**
   * Reads small notes on this thread, but for those whose content is known, and gives all of them to the
   * index in one call. Answers the paths that are left: of what is no such note, cannot be read, or is
   * too much.
   */
  async #readHere(store: IndexStore, { paths, written }: Looks): Promise<readonly VaultPath[]> {
    const notes = new NoteBatchPacker();
    const texts = new TextBatchPacker();
    const entries: FileEntry[] = [];
    const left: VaultPath[] = [];
    let bytesMax: number = limits.largeReadBytes;
    for (const path of paths) {
      // Before reading, as in the scanner: see `NoteRecord.racy`.
      const nowMs = this.#clock.nowMs();
      const file = written.get(path);
      const known = file && recordsOfWritten(file, bytesMax);
      const read = known ?? (isParsed(fileKind(path)) && (await this.#readSmall(path, bytesMax)));
      const scanned = known?.scanned ?? (read && recordsOf(path, read, nowMs));
      if (!read || !scanned) {
        left.push(path);
        continue;
      }
      bytesMax -= read.bytes.length;
      if (scanned.note !== undefined) notes.add(scanned.note);
      if (scanned.text !== undefined) texts.add(scanned.text);
      entries.push({ path, ...read.stat });
      this.#racyHere.delete(path);
      if (scanned.note?.racy) this.#rememberRacy(path, read);
    }
    if (entries.length > 0) await store.putRead(toJson(entries), notes.take(), texts.take());
    return left;
  }

  /**
   * Reads the files again that were racy when they were read here, and takes that mark from those that
   * are as they were then. Answers the paths that are left to be looked at.
   */
  async #compareRacy(
    store: IndexStore,
    paths: readonly VaultPath[],
  ): Promise<readonly VaultPath[]> {
    const left: VaultPath[] = [];
    const same: { path: VaultPath; stamp: string }[] = [];
    for (const path of paths) {
      const known = this.#racyHere.get(path);
      const nowMs = this.#clock.nowMs();
      const read = known && (await this.#readSmall(path, limits.largeReadBytes));
      const isSame = known?.version === read?.version && known?.stamp === read?.stat.stamp;
      if (known === undefined || read === undefined || !isSame) {
        this.#racyHere.delete(path);
        left.push(path);
      } else if (nowMs - read.stat.mtimeMs >= limits.racyMs) {
        this.#racyHere.delete(path);
        same.push({ path, stamp: known.stamp });
      }
      // Otherwise it is still racy: the mark stays, and the next look reads it again.
    }
    if (same.length > 0) left.push(...(await store.confirm(same)));
    return left;
  }

  #rememberRacy(path: VaultPath, { version, stat }: FileContent): void {
    this.#racyHere.set(path, { version, stamp: stat.stamp });
    if (this.#racyHere.size <= racyHereMax) return;
    for (const oldest of this.#racyHere.keys()) {
      this.#racyHere.delete(oldest);
      return;
    }
  }

  /** A file's content; undefined when it has more bytes, and when it cannot be read. */
  #readSmall(path: VaultPath, bytesMax: number): Promise<FileContent | undefined> {
    return this.#disk.read(path, { bytesMax }).catch(rethrowIfAway);
  }

  /** What is at each path: a file, a folder or nothing. Fails when the vault is away. */
  async #find(paths: readonly VaultPath[]): Promise<{
    readonly entries: readonly FileEntry[];
    readonly folders: readonly VaultPath[];
    readonly gone: readonly VaultPath[];
  }> {
    const entries: FileEntry[] = [];
    const folders: VaultPath[] = [];
    const gone: VaultPath[] = [];
    await inParallel(paths, asksAtOnce, async (path) => {
      const stat = await this.#disk.stat(path).catch(rethrowIfAway);
      if (stat !== undefined) entries.push({ path, ...stat });
      else if ((await this.#disk.list(path).catch(rethrowIfAway)) === undefined) gone.push(path);
      else folders.push(path);
    });
    return { entries, folders, gone };
  }

  async #put(store: IndexStore, { notes, texts, failed }: ScanBatch): Promise<void> {
    // In one transaction: each one writes whole pages, of which several files share many.
    if (notes !== undefined && texts !== undefined) {
      await store.putRead(toJson<readonly FileEntry[]>([]), notes, texts);
    }
    await this.forgetFailed(store, failed);
  }
}

/** What is known of a written file; undefined when it has to be read. */
function recordsOfWritten(file: WrittenFile, bytesMax: number) {
  const { bytes, version, stat } = file;
  const scanned = bytes.length > bytesMax ? undefined : file.records();
  if (stat === undefined || scanned === undefined) return undefined;
  return { bytes, version, stat, scanned };
}

/** What the index keeps of a file; undefined when our parser fails on it, which the scanner reports. */
function recordsOf(path: VaultPath, { bytes, stat }: FileContent, nowMs: number) {
  try {
    return scanFile({ path, stat, text: decodeText(bytes) }, ['facts', 'text'], nowMs);
  } catch {
    return undefined;
  }
}
