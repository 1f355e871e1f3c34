import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { sep } from 'node:path';
import { isVaultPath, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { WalkSummary } from '../../engine/ports/ports.ts';
import type { FileEntry, FileStat } from '../../engine/ports/records.ts';
import { fileStat, placeholderFor } from '../disk/file-stat.ts';
import { linkOfSync } from '../disk/link-of.ts';
import { showsOpened } from '../disk/opened-paths.ts';
import { openHandleSync, type PathHandle } from '../disk/path-handle.ts';
import { admits, makeFolderLinks, type VaultRoots } from '../disk/vault-roots.ts';
import { vaultGone } from '../place/vault-gone.ts';
import { identityOf } from '../place/vault-mount.ts';
import { errnoOf, isDriveFault, systemError } from '../system/disk-error.ts';

/** A batch is sent when it has at least this many files. All files of a folder are in one batch. */
const walkBatchFiles = 2_000;

/** A folder to walk: its vault path and its real path. */
interface Place {
  readonly folder: VaultFolder;
  readonly real: string;
}

interface WalkRequest {
  readonly folder: VaultFolder;
  readonly toFileStat: (stat: BigIntStats) => FileStat;
  /** Whether a failing call means that the drive is away, and not that a file is damaged. */
  readonly mayBeAway?: boolean;
  /** Whether the system shows what is open; found out when absent. */
  readonly handles?: boolean;
}

/**
 * Walks a folder of the vault and yields its visible files; names that begin with a dot are skipped.
 * What cannot be read is listed in the summary and does not stop the walk. What vanishes in the
 * meantime is skipped. Fails with `vault_not_found` when the vault itself is gone, or has become
 * another folder during the walk. Costs one readdir for each folder and one stat for each file.
 */
export function* walkVault(
  roots: VaultRoots,
  request: WalkRequest,
): Generator<readonly FileEntry[], WalkSummary> {
  const walk = new Walk(roots, request);
  const identity = rootIdentity(roots);
  walk.start(request.folder);
  for (let place = walk.next(); place !== undefined; place = walk.next()) {
    walk.lookInto(place);
    if (walk.entries.length >= walkBatchFiles) yield walk.take();
  }
  if (walk.entries.length > 0) yield walk.take();
  if (rootIdentity(roots) !== identity) throw vaultGone('gone');
  return walk.summary;
}

/** The identity of the vault's folder. Fails when it is missing: the vault is then gone, not empty. */
function rootIdentity({ root }: VaultRoots): string {
  try {
    return identityOf(statSync(root, { bigint: true }));
  } catch (error) {
    throw vaultGone('gone', error);
  }
}

/** The state of one walk: folders still to list, the files of the next batch, and the summary. */
class Walk {
  readonly summary = {
    folders: 0,
    unreachable: [] as string[],
    refused: [] as { path: string; reason: string; unread?: true }[],
  } as {
    folders: number;
    unreachable: string[];
    refused: { path: string; reason: string; unread?: true }[];
    followsLinks?: true;
  };
  entries: FileEntry[] = [];
  readonly #roots: VaultRoots;
  readonly #toFileStat: (stat: BigIntStats) => FileStat;
  readonly #mayBeAway: boolean;
  readonly #handles: boolean;
  readonly #links: ReturnType<typeof makeFolderLinks>;
  readonly #places: Place[] = [];
  /** Symlinked folders, which are listed last; see `next`. */
  #linked: Place[] = [];

  constructor(
    roots: VaultRoots,
    request: Pick<WalkRequest, 'toFileStat' | 'mayBeAway' | 'handles'>,
  ) {
    this.#roots = roots;
    this.#toFileStat = request.toFileStat;
    this.#mayBeAway = request.mayBeAway ?? false;
    this.#handles = request.handles ?? showsOpened;
    this.#links = makeFolderLinks(roots);
  }

  start(folder: VaultFolder): void {
    const { root } = this.#roots;
    const direct = folder === '' ? root : `${root}${sep}${folder.replaceAll('/', sep)}`;
    try {
      const real = realpathSync.native(direct);
      if (real === direct) this.#places.push({ folder, real });
      else this.#linked.push({ folder, real });
    } catch (error) {
      if (folder === '') throw vaultGone('gone', error);
      this.#refuse(folder, error);
    }
  }

  /**
   * The next folder to list. Symlinked folders come last and sorted by path: which of two symlinks to
   * one folder is followed must not depend on the order in which the disk lists them.
   */
  next(): Place | undefined {
    const place = this.#places.pop();
    if (place !== undefined || this.#linked.length === 0) return place;
    const linked = this.#linked.sort((a, b) => (a.folder < b.folder ? -1 : 1));
    this.#linked = [];
    for (const link of linked) {
      const reason = this.#links.refusal(link.real);
      if (reason === undefined) {
        this.#links.take(link.real);
        this.#places.push(link);
        this.summary.followsLinks = true;
      } else {
        this.summary.refused.push({ path: link.folder, reason });
      }
    }
    return this.next();
  }

  /** The files of the batch; the next batch starts empty. */
  take(): readonly FileEntry[] {
    const taken = this.entries;
    this.entries = [];
    return taken;
  }

  /** Lists one folder: adds its files to the batch, and its folders to those still to list. */
  lookInto({ folder, real }: Place): void {
    const held = this.#try(folder, () => this.#open(real));
    if (held === undefined) return;
    try {
      const found = this.#try(folder, () => readdirSync(held.path, { withFileTypes: true }));
      if (found === undefined) return;
      this.summary.folders += 1;
      this.#entries(folder, held, found);
    } finally {
      held.close();
    }
  }

  /** Opens a folder by its real path; fails with ENOENT when that now leads to another place. */
  #open(real: string): PathHandle {
    const held = openHandleSync(real, { folder: true, handles: this.#handles });
    if (held.real === real) return held;
    held.close();
    throw systemError('ENOENT');
  }

  #try<T>(folder: VaultFolder, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (folder === '' && isDriveFault(error)) throw vaultGone('silent', error);
      this.#refuse(folder, error);
      return undefined;
    }
  }

  #entries(folder: VaultFolder, held: PathHandle, found: readonly Dirent[]): void {
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const entry of found) {
      const { name } = entry;
      if (name.startsWith('.')) {
        this.#placeholder(found, { prefix, held, name });
        continue;
      }
      const path = prefix + name;
      if (!isVaultPath(path)) this.summary.unreachable.push(printable(path));
      else this.#entry(entry, path as VaultPath, held);
    }
  }

  #entry(entry: Dirent, path: VaultPath, held: PathHandle): void {
    const { name } = entry;
    if (entry.isDirectory()) {
      this.#places.push({ folder: path, real: `${held.real}${sep}${name}` });
    } else if (entry.isFile()) this.#file(path, held.at(name));
    else if (entry.isSymbolicLink()) this.#link(path, held.at(name));
    else this.summary.refused.push({ path, reason: 'is neither a file nor a folder' });
  }

  #file(path: VaultPath, file: string): void {
    try {
      const stat = lstatSync(file, { bigint: true });
      // What has become something else since it was listed is found by the next walk.
      if (stat.isFile()) this.#add(path, this.#toFileStat(stat));
    } catch (error) {
      this.#refuse(path, error);
    }
  }

  #add(path: VaultPath, stat: FileStat): void {
    this.entries.push({ path, ...stat });
  }

  #link(path: VaultPath, link: string): void {
    let held: PathHandle | undefined;
    try {
      held = openHandleSync(link, { handles: this.#handles });
      const { real } = held;
      const stat = statSync(held.path, { bigint: true });
      if (stat.isDirectory()) this.#linked.push({ folder: path, real });
      else if (!admits(this.#roots, path, real)) {
        this.summary.refused.push({ path, reason: 'leads outside the vault through a symlink' });
      } else if (stat.isFile()) {
        this.#add(path, { ...this.#toFileStat(stat), ...linkOfSync(this.#roots, path, real) });
      } else this.summary.refused.push({ path, reason: 'is neither a file nor a folder' });
    } catch (error) {
      this.#refuse(path, error, 'is a symlink that leads nowhere');
    } finally {
      held?.close();
    }
  }

  /** Adds the file that an iCloud placeholder stands for, unless the file itself is there. */
  #placeholder(
    found: readonly Dirent[],
    { prefix, held, name }: { prefix: string; held: PathHandle; name: string },
  ): void {
    const standsFor = placeholderFor(name);
    if (standsFor === undefined || !isVaultPath(prefix + standsFor)) return;
    if (found.some((other) => other.name === standsFor)) return;
    try {
      const stat = lstatSync(held.at(name), { bigint: true });
      if (stat.isFile()) this.#add((prefix + standsFor) as VaultPath, fileStat(stat, false));
    } catch (error) {
      this.#refuse(prefix + standsFor, error);
    }
  }

  /** Records why something was left out. A missing file is recorded only if a symlink leads to it. */
  #refuse(path: string, error: unknown, whenGone?: string): void {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (this.#mayBeAway && isDriveFault(error)) throw vaultGone('silent', error);
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR' && errno !== 'ELOOP') {
      const denied = errno === 'EACCES' || errno === 'EPERM';
      const reason = denied ? 'may not be read' : `could not be read (${errno})`;
      this.summary.refused.push({ path, reason, unread: true });
    } else if (whenGone !== undefined) {
      this.summary.refused.push({ path, reason: whenGone });
    } else if (path.includes('\ufffd')) {
      // The name on disk is not UTF-8, so the name that Node makes of it finds nothing.
      this.summary.unreachable.push(path);
    }
  }
}

/** A name that no vault path can express, escaped so that a message can show it. */
function printable(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
