import type { BigIntStats } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import {
  fileNameOf,
  folderOf,
  type VaultFolder,
  type VaultPath,
  vaultFolder,
  vaultPath,
} from '../../base/vault-path.ts';
import type { RawEntry, RawStat } from '../../engine/ports/raw-disk.ts';
import { isTooLong } from '../disk/opened-paths.ts';
import { openHandle, type PathHandle, using } from '../disk/path-handle.ts';
import { insidePath, liesIn } from '../disk/vault-roots.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry, rawStat } from './raw-stat.ts';

/**
 * Finds the real places of vault paths. A path is opened first and looked at then; it is refused with
 * `outside_vault` when it leads out of the vault. All other errors are the system's.
 */
export class RawPlaces {
  readonly #root: string;
  readonly #calls: RawCalls;

  /** `root` is a real path. */
  constructor(root: string, calls: RawCalls) {
    this.#root = root;
    this.#calls = calls;
  }

  /** Opens a vault path, symlinks followed. With `folder`, anything else fails with ENOTDIR. */
  async hold(path: VaultFolder, options?: { readonly folder: boolean }): Promise<PathHandle> {
    const opening = openHandle(this.#calls, this.#full(path), options);
    const held = await opening.catch(async (error: unknown) => {
      if (path !== '' && errnoOf(error) !== undefined) await this.#refuseLeadingOut(path);
      throw error;
    });
    if (liesIn(held.real, this.#root)) return held;
    held.close();
    throw leavesVault(path);
  }

  /** The real path of a folder, symlinks followed. */
  async realFolder(folder: VaultFolder): Promise<string> {
    return using(this.hold(folder, { folder: true }), ({ real }) => real);
  }

  /** See `RawDisk.stat`. */
  stat(path: VaultFolder): Promise<RawStat | undefined> {
    return ifThere(() =>
      using(this.hold(path), async (held) => rawStat(await held.stat(this.#calls))),
    );
  }

  /** See `RawDisk.entry`. */
  async entry(path: VaultPath): Promise<RawEntry | undefined> {
    if (isTooLong(this.#root, path)) throw systemError('ENAMETOOLONG');
    return ifThere(() =>
      using(this.hold(folderOf(path), { folder: true }), async (held) => {
        const found = await this.#calls.lstat(held.at(fileNameOf(path)));
        return found && rawEntry(path, found);
      }),
    );
  }

  /** See `RawDisk.real`. */
  real(path: VaultPath): Promise<VaultFolder | undefined> {
    return ifThere(() =>
      using(this.hold(path), ({ real }) => vaultFolder(this.#inside(path, real))),
    );
  }

  /** See `RawDisk.canonical`. */
  async canonical(path: VaultPath): Promise<VaultPath> {
    const { real, rest } = await this.#nearestFolder(path);
    const slash = rest.indexOf('/');
    // The missing folder may exist after all: not readable for us, or a symlink that leads nowhere.
    if (slash !== -1 && (await this.#calls.lstat(`${real}/${rest.slice(0, slash)}`))) {
      await this.#refuseLeadingOut(path);
      throw systemError('ENOTDIR');
    }
    const inside = this.#inside(path, real);
    return vaultPath(inside === '' ? rest : `${inside}/${rest}`);
  }

  #full(path: VaultFolder): string {
    return path === '' ? this.#root : `${this.#root}/${path}`;
  }

  /** A real path relative to the vault's root. */
  #inside(path: VaultFolder, real: string): string {
    const inside = insidePath(this.#root, real);
    if (inside === undefined) throw leavesVault(path);
    return inside;
  }

  /** Fails when a path that does not exist would lead out of the vault, or as `#nearestFolder` does. */
  async #refuseLeadingOut(path: VaultPath): Promise<void> {
    const place = await this.#nearestFolder(path);
    if (await leadsOut(this.#calls, this.#root, place)) throw leavesVault(path);
  }

  /**
   * The nearest parent of a path that exists and is readable: its real path, and the rest of the
   * path. Fails with ENOTDIR when that parent is not a folder.
   */
  async #nearestFolder(path: VaultPath): Promise<{ real: string; rest: string }> {
    let folder = folderOf(path);
    let found: BigIntStats | undefined;
    while (folder !== '') {
      try {
        found = await this.#calls.stat(this.#full(folder));
        if (found !== undefined) break;
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
      }
      folder = folderOf(folder);
    }
    const real = folder === '' ? this.#root : await this.#calls.realpath(this.#full(folder));
    if (!liesIn(real, this.#root)) throw leavesVault(path);
    if (found?.isDirectory() === false) throw systemError('ENOTDIR');
    return { real, rest: folder === '' ? path : path.slice(folder.length + 1) };
  }
}

/** The answer of a call; undefined for a path that does not exist or leads nowhere. */
async function ifThere<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** Linux follows at most this many symlinks in one path. */
const linksMax = 40;
/** What stands between the names in the text of a symlink. */
const betweenNames = sep === '/' ? '/' : /[\\/]/;

/**
 * Whether a path that could not be followed to its end leads out of the vault, judged by the texts of
 * its symlinks. Nothing outside the vault is looked at, so the answer does not reveal what exists
 * there. `real` is the real path of a folder of the vault, and `rest` the path from there on.
 */
async function leadsOut(
  calls: RawCalls,
  root: string,
  { real, rest }: { readonly real: string; readonly rest: string },
): Promise<boolean> {
  let at = real;
  let links = 0;
  const names = rest.split('/');
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue;
    const next = name === '..' ? dirname(at) : join(at, name);
    const target = liesIn(next, root) && name !== '..' ? await linkAt(calls, next) : next;
    if (target === undefined) return false;
    // No symlink: go on from there. Otherwise its text takes the place of its name.
    if (target === next) {
      at = next;
      continue;
    }
    links += 1;
    if (links > linksMax) return false;
    const { root: top } = parse(target);
    if (isAbsolute(target)) at = top;
    names.unshift(...target.slice(top.length).split(betweenNames));
  }
  return !liesIn(at, root);
}

/** The text of a symlink; the path itself for anything else, undefined if nothing is there. */
async function linkAt(calls: RawCalls, path: string): Promise<string | undefined> {
  try {
    const found = await calls.lstat(path);
    if (found === undefined) return undefined;
    return found.isSymbolicLink() ? await calls.readlink(path) : path;
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** The error for a path that leads out of the vault. Does not say where it leads. */
function leavesVault(path: string): VaultError {
  return new VaultError(
    'outside_vault',
    `"${path}" leads out of the vault through a symlink; use a path that stays inside.`,
    { details: { path } },
  );
}
