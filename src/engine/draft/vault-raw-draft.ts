import { assert } from '../../base/assert.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  isInside,
  isVaultPath,
  pathKey,
  trashFolder,
} from '../../base/vault-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { EntryKind, WritableDisk } from '../ports/ports.ts';
import { rawError } from '../ports/raw-disk.ts';
import { seesAll } from '../ports/view.ts';
import { checkFolderSeen, checkSeen } from '../vault/check-seen.ts';
import { notFound } from '../vault/not-found.ts';
import type { RawDraft } from '../vault/raw-draft.ts';
import type { VaultParts } from '../vault/vault-parts.ts';
import type { FoundFile } from './draft-files.ts';
import { missingFolders } from './plan-change.ts';
import { RawPlan } from './raw-plan.ts';
import { type RawTreeFile, rawTree } from './raw-tree.ts';
import type { VaultDraft } from './vault-draft.ts';

const readsAtOnce = 8;

type OuterDraft = Pick<VaultDraft, 'vault' | 'files' | 'warn'>;

/**
 * The part of a draft for raw file tools. It takes one change; the draft then does nothing else.
 * The public methods are described in `RawDraft`. "Entry" is what is at a path itself, symlinks not
 * followed.
 */
export class VaultRawDraft implements RawDraft {
  readonly #draft: OuterDraft;
  readonly #parts: VaultParts;
  readonly #disk: WritableDisk;
  #plan: RawPlan | undefined;

  constructor(draft: OuterDraft) {
    this.#draft = draft;
    this.#parts = draft.vault.vault.parts;
    this.#disk = this.#parts.disk;
  }

  /** The plan; undefined as long as there is nothing to do. */
  get plan(): RawPlan | undefined {
    return this.#plan;
  }

  async put(path: VaultPath, bytes: Uint8Array): Promise<void> {
    this.#checkMayWrite(path);
    const entry = await this.#disk.entry(path);
    const kind = entry === 'other' ? await this.#disk.kind(path) : entry;
    if (kind === 'folder') throw rawError('already_exists', path, 'is a folder');
    const before = kind === 'file' ? await this.#content(path) : undefined;
    // History keeps nothing of a symlink or a file that is too large: at the commit only the kind of
    // the entry is compared.
    const isUnkept = entry === 'other' || (entry === 'file' && before === undefined);
    const version = this.#parts.hash.version(bytes);
    const plan = this.#begin();
    if (entry === undefined) plan.makeFolders(await this.#missingAbove(path));
    if (entry === undefined || isUnkept) plan.kinds.set(path, entry);
    const token = this.#parts.random.token();
    plan.write(path, { bytes, version }, { token, before, entry: isUnkept });
  }

  async append(path: VaultPath, bytes: Uint8Array): Promise<void> {
    this.#checkMayWrite(path);
    const found = await this.#disk.readEnd(path, { from: 0, bytesMax: 0 });
    if (found === undefined) throw notFound(path);
    const tail = this.#parts.hash.version(bytes);
    const { inode, size: length } = found;
    this.#begin().tail({ do: 'append', path, inode, length, bytes: bytes.length, tail }, bytes);
  }

  async makeFolder(path: VaultPath): Promise<void> {
    this.#checkMayWrite(path);
    checkFolderSeen(this.#draft.vault, path);
    const missing = await missingFolders(this.#disk, [path]);
    if (missing.length > 0) this.#begin().makeFolders(missing, { asked: true });
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const kind = await this.#kind(from);
    this.#checkMayWrite(to);
    if (from === to) return;
    if (kind === 'folder') await this.#checkMayMove(from, to);
    const there = (await this.#isItself(from, to)) ? undefined : await this.#disk.entry(to);
    await this.#checkReplaces(kind, to, there);
    const plan = this.#begin();
    plan.makeFolders(await this.#missingAbove(to));
    plan.kinds.set(from, kind);
    if (pathKey(from) !== pathKey(to)) plan.kinds.set(to, there);
    if (kind === 'folder') {
      const files = isInside(to, trashFolder) ? await this.#filesIn(from) : undefined;
      return plan.moveFolder(from, to, { over: there !== undefined, files });
    }
    // The trash may be emptied, so history keeps the content of a note that goes there.
    const isKept = kind === 'file' && isInside(to, trashFolder) && fileKind(from) !== 'attachment';
    plan.move(from, to, {
      found: isKept ? await this.#content(from) : undefined,
      over: there === 'file' ? ((await this.#content(to)) ?? 'unkept') : there && 'unkept',
    });
  }

  async remove(path: VaultPath): Promise<void> {
    const kind = await this.#kind(path);
    if (kind === 'folder')
      throw rawError('is_a_folder', path, 'is a folder; remove it with the call for folders');
    const before = kind === 'file' ? await this.#content(path) : undefined;
    this.#begin().delete(path, kind, before);
  }

  async removeFolder(path: VaultPath, { recursive }: { recursive: boolean }): Promise<void> {
    const kind = await this.#kind(path);
    // A symlink to a folder: only the link is removed.
    if (kind === 'other' && (await this.#disk.kind(path)) === 'folder') {
      this.#begin().delete(path, kind);
      return;
    }
    if (kind !== 'folder') throw rawError('not_a_folder', path, 'is not a folder');
    if (!recursive && (await this.#disk.entries(path))?.length !== 0) {
      throw rawError('already_exists', path, 'is not empty; remove what is in it first');
    }
    const { folders, files } = await rawTree(this.#draft.vault, path);
    const contents = await this.#contents(files);
    const plan = this.#begin();
    for (const [folder, count] of folders) plan.nameCounts.set(folder, count);
    // Files whose content is not kept cannot be restored, so they are deleted last.
    const isKept = ({ path: at }: RawTreeFile): boolean => contents.has(at);
    for (const file of [...files.filter(isKept), ...files.filter((file) => !isKept(file))]) {
      plan.delete(file.path, file.kind, contents.get(file.path));
    }
    for (const folder of Array.from(folders.keys()).reverse()) {
      plan.steps.push({ do: 'dropFolder', path: folder, asked: true });
    }
  }

  /** How many files a folder has, at any depth; not more than one change may touch. */
  async #filesIn(folder: VaultPath): Promise<number> {
    let count = 0;
    const toList = [folder];
    for (let at = toList.pop(); at !== undefined; at = toList.pop()) {
      for (const { name, kind } of (await this.#disk.entries(at)) ?? []) {
        const path = `${at}/${name}`;
        if (kind === 'folder' && isVaultPath(path)) toList.push(path as VaultPath);
        else count += 1;
      }
      if (count + toList.length > limits.changeFilesMax) return limits.changeFilesMax;
    }
    return count;
  }

  /** Makes the plan; a draft takes only one. */
  #begin(): RawPlan {
    assert(this.#plan === undefined, 'a draft takes one raw change');
    this.#plan = new RawPlan();
    return this.#plan;
  }

  #checkMayWrite(path: VaultPath): void {
    checkSeen(this.#draft.vault, path);
  }

  /**
   * What is at a path that the caller sees. Fails with `not_found`; below a file, `not_a_folder`.
   */
  async #kind(path: VaultPath): Promise<EntryKind> {
    const { vault } = this.#draft;
    const kind = vault.sees(path) ? await this.#disk.entry(path) : undefined;
    if (kind !== undefined && (kind !== 'folder' || vault.seesFolder(path))) return kind;
    await missingFolders(this.#disk, [folderOf(path)]); // Fails with `not_a_folder` below a file.
    throw notFound(path);
  }

  /** The folders around a path that do not exist, outer ones first. */
  #missingAbove(path: VaultPath): Promise<readonly VaultPath[]> {
    return missingFolders(this.#disk, [folderOf(path)]);
  }

  /** Whether both paths name one file, because the disk does not distinguish their spellings. */
  async #isItself(from: VaultPath, to: VaultPath): Promise<boolean> {
    if (pathKey(from) !== pathKey(to) || folderOf(from) !== folderOf(to)) return false;
    const entries = (await this.#disk.list(folderOf(to))) ?? [];
    return !entries.some(({ name }) => name === fileNameOf(to));
  }

  /**
   * Fails when a folder would move into itself, or has something in it that the caller may not see.
   */
  async #checkMayMove(from: VaultPath, to: VaultPath): Promise<void> {
    if (isInside(to, from)) throw rawError('io_failed', from, 'cannot be moved into itself');
    const { vault } = this.#draft;
    if (!seesAll(vault.view())) await rawTree(vault, from);
  }

  /**
   * Fails when an entry of this kind cannot replace what is at the target, by the rules of POSIX.
   */
  async #checkReplaces(kind: EntryKind, to: VaultPath, there?: EntryKind): Promise<void> {
    if (there === undefined) return;
    if (kind === 'folder' && there !== 'folder') throw rawError('not_a_folder', to, 'is a file');
    if (kind !== 'folder' && there === 'folder') {
      throw rawError('already_exists', to, 'is a folder');
    }
    if (kind === 'folder' && (await this.#disk.entries(to))?.length !== 0) {
      throw rawError('already_exists', to, 'is a folder that is not empty');
    }
  }

  /** A file with its content; undefined when it has more than `bytesMax` bytes. */
  async #content(
    path: VaultPath,
    bytesMax: number = limits.historyContentBytesMax,
  ): Promise<FoundFile | undefined> {
    // If the operation has read the file, its content is the one that must be unchanged at the commit.
    const known = this.#draft.files.files.get(path)?.found;
    if (known?.bytes !== undefined) return known;
    const atMs = this.#parts.clock.nowMs();
    try {
      return { ...(await this.#disk.read(path, { bytesMax })), atMs };
    } catch (error) {
      if (error instanceof VaultError && error.code === 'too_large') return undefined;
      throw error;
    }
  }

  /** Reads the contents that history keeps of removed files, notes first, as many as fit. */
  async #contents(files: readonly RawTreeFile[]): Promise<ReadonlyMap<VaultPath, FoundFile>> {
    const contents = new Map<VaultPath, FoundFile>();
    let bytesLeft: number = limits.removedFolderBytesMax;
    const isNote = ({ path }: RawTreeFile): boolean => fileKind(path) !== 'attachment';
    for (const round of [files.filter(isNote), files.filter((file) => !isNote(file))]) {
      await inParallel(round, readsAtOnce, async ({ path, kind }) => {
        const size = kind === 'file' ? (await this.#disk.stat(path))?.size : undefined;
        if (size === undefined || size > bytesLeft) return;
        // Counted before reading: several files are read in parallel and all are held in memory.
        bytesLeft -= size;
        const found = await this.#content(path, Math.min(limits.historyContentBytesMax, size));
        if (found === undefined) bytesLeft += size;
        else contents.set(path, found);
      });
    }
    const unkept = files.length - contents.size;
    if (unkept > 0) this.#draft.warn(`History keeps no copy of ${unkept} of the removed files.`);
    return contents;
  }
}
