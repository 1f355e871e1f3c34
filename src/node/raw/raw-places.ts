import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import {
  folderOf,
  type VaultFolder,
  type VaultPath,
  vaultFolder,
  vaultPath,
} from '../../base/vault-path.ts';
import type { RawEntry, RawStat } from '../../engine/ports/raw-disk.ts';
import type { MaybePromise } from '../disk/disk-calls.ts';
import { insidePath, liesIn } from '../disk/vault-roots.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry, rawStat } from './raw-stat.ts';

/**
 * Finds the real places of vault paths. Symlinks are resolved before anything is opened or listed,
 * and refused with `outside_vault` when they lead out of the vault; all other errors are the
 * system's. One gap is left, since Node has no `openat`: a program that replaces a folder by a
 * symlink between the check and the use can still lead us out of the vault. For the last name of an
 * opened path there is no such gap.
 */
export class RawPlaces {
  readonly #root: string;
  readonly #calls: RawCalls;

  /** `root` is a real path. */
  constructor(root: string, calls: RawCalls) {
    this.#root = root;
    this.#calls = calls;
  }

  /** The real path of a vault path, symlinks followed. */
  async locate(path: VaultFolder): Promise<string> {
    if (path === '') return this.#root;
    try {
      const real = await this.#calls.realpath(this.#full(path));
      if (!liesIn(real, this.#root)) throw leavesVault(path);
      return real;
    } catch (error) {
      if (errnoOf(error) !== undefined) await this.#refuseLeadingOut(path);
      throw error;
    }
  }

  /** See `RawDisk.stat`. */
  async stat(path: VaultFolder): Promise<RawStat | undefined> {
    const found = await this.#look(path, this.#calls.stat);
    if (found === undefined || (await this.#locateIfThere(path)) === undefined) return undefined;
    return rawStat(found);
  }

  /** See `RawDisk.entry`. */
  async entry(path: VaultPath): Promise<RawEntry | undefined> {
    const found = await this.#look(path, this.#calls.lstat);
    if (found === undefined) return undefined;
    if ((await this.#locateIfThere(folderOf(path))) === undefined) return undefined;
    return rawEntry(path, found);
  }

  /** See `RawDisk.real`. */
  async real(path: VaultPath): Promise<VaultFolder | undefined> {
    const real = await this.#locateIfThere(path);
    return real === undefined ? undefined : vaultFolder(this.#inside(path, real));
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

  /** The same as `locate`, but undefined for a path that does not exist or leads nowhere. */
  async #locateIfThere(path: VaultFolder): Promise<string | undefined> {
    try {
      return await this.locate(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ELOOP') return undefined;
      throw error;
    }
  }

  /**
   * The answer of `call` for a path; undefined when it does not exist or leads nowhere. Fails with
   * `outside_vault` for a symlink out of the vault, so that callers cannot find out what exists there.
   */
  async #look(
    path: VaultFolder,
    call: (path: string) => MaybePromise<BigIntStats | undefined>,
  ): Promise<BigIntStats | undefined> {
    let failure: unknown;
    try {
      const found = await call(this.#full(path));
      if (found !== undefined) return found;
    } catch (error) {
      failure = error;
    }
    if (path !== '') await this.#refuseLeadingOut(path);
    if (failure === undefined || errnoOf(failure) === 'ELOOP') return undefined;
    throw failure;
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

/** Linux follows at most this many symlinks in one path. */
const linksMax = 40;

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
    const next = name === '..' ? dirname(at) : at === '/' ? `/${name}` : `${at}/${name}`;
    const target = liesIn(next, root) && name !== '..' ? await linkAt(calls, next) : next;
    if (target === undefined) return false;
    // No symlink: go on from there. Otherwise its text takes the place of its name.
    if (target === next) {
      at = next;
      continue;
    }
    links += 1;
    if (links > linksMax) return false;
    if (target.startsWith('/')) at = '/';
    names.unshift(...target.split('/'));
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
