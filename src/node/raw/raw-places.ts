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
import type { Answer } from '../disk/disk-calls.ts';
import { insidePath, liesIn } from '../disk/vault-roots.ts';
import { diskError, errnoOf, systemError } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry, rawStat } from './raw-stat.ts';

/**
 * Where the paths of a vault lead. Symlinks are resolved before anything is opened or listed, and
 * refused with `outside_vault` when they lead out; other failures are the system's. Someone who
 * makes a folder a symlink in the moment between that and its use can still lead out of the vault:
 * Node has no `openat`. The last name of what is opened cannot.
 */
export class RawPlaces {
  readonly #root: string;
  readonly #calls: RawCalls;

  /** `root` is a real path. */
  constructor(root: string, calls: RawCalls) {
    this.#root = root;
    this.#calls = calls;
  }

  /** The real path of what a path leads to. */
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
    // What was not found may be there all the same: closed to us, or a symlink that leads nowhere.
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

  /** A real path as seen from the root. */
  #inside(path: VaultFolder, real: string): string {
    const inside = insidePath(this.#root, real);
    if (inside === undefined) throw leavesVault(path);
    return inside;
  }

  /** The same as `locate`; undefined for nothing, and for what leads nowhere. */
  async #locateIfThere(path: VaultFolder): Promise<string | undefined> {
    try {
      return await this.locate(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ELOOP') return undefined;
      throw error;
    }
  }

  /**
   * What a call finds at a path; undefined for nothing, and for what leads nowhere. Of what is
   * behind a symlink that leads out of the vault, nobody is told that it is missing.
   */
  async #look(
    path: VaultFolder,
    call: (path: string) => Answer<BigIntStats | undefined>,
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

  /** Fails as `#nearestFolder` does, and when a path that leads nowhere leads out of the vault. */
  async #refuseLeadingOut(path: VaultPath): Promise<void> {
    const place = await this.#nearestFolder(path);
    if (await leadsOut(this.#calls, this.#root, place)) throw leavesVault(path);
  }

  /**
   * Where the nearest folder around a path is that can be looked at, and the path from there on.
   * Fails with ENOTDIR when what is there is no folder.
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

/** As many symlinks as Linux follows. */
const linksMax = 40;

/**
 * Whether a path that could not be followed to its end leads out of the vault by what its symlinks
 * say. Nothing is asked about what is out there, so the answer cannot tell whether it exists. `real`
 * is a folder of the vault, without symlinks, and `rest` the path from there on.
 */
export async function leadsOut(
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

/** What a symlink says; the path itself where there is something else, undefined for nothing. */
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

/**
 * What the disk said about a path, in the words of the raw disk: unlike elsewhere, a path through a
 * file is told from one that does not exist. The vault's own folder is "/".
 */
export function rawDiskError(path: string, error: unknown): VaultError {
  const shown = path === '' ? '/' : path;
  const errno = errnoOf(error);
  const details = { path: shown, errno };
  if (errno === 'ENOTDIR') {
    const message = `"${shown}" is not a folder, or leads through something that is not.`;
    return new VaultError('not_a_folder', message, { cause: error, details });
  }
  return diskError(shown, error, errno === 'ENAMETOOLONG' ? 'write' : 'read');
}

/** The refusal of a path that leads elsewhere. Says the vault's name for it, not where it leads. */
export function leavesVault(path: string): VaultError {
  return new VaultError(
    'outside_vault',
    `"${path}" leads out of the vault through a symlink; use a path that stays inside.`,
    { details: { path } },
  );
}
