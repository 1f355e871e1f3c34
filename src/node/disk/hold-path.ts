import { basename, dirname, join } from 'node:path';
import { fileNameOf, folderOf, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { asyncDisk } from './disk-calls.ts';
import { isSameFile } from './opened-paths.ts';
import { openHandle, type PathHandle, using } from './path-handle.ts';
import {
  admits,
  isAnotherFolder,
  isOtherCase,
  leadsOutside,
  type VaultRoots,
} from './vault-roots.ts';

/**
 * Opens a vault path, symlinks followed. Fails with `outside_vault` when that leads outside the
 * vault, else with the system's errors.
 */
export async function holdPath(roots: VaultRoots, path: VaultPath): Promise<PathHandle> {
  const { calls = asyncDisk } = roots;
  const held = await admitted(roots, path, openHandle(calls, `${roots.root}/${path}`));
  const folder = folderOf(path);
  // The paths differ only if there is a symlink on the way. Then the folder is checked as well, and
  // the path is opened again from this very folder.
  if (folder === '' || !isAnotherFolder(roots, path, held.real)) return held;
  held.close();
  return using(holdFolder(roots, folder, path), (inside) =>
    admitted(roots, path, openHandle(calls, inside.at(fileNameOf(path)))),
  );
}

/**
 * Opens a folder. A symlink to another folder of the vault is refused as well. The error names `asked`,
 * the path that the caller gave.
 */
export async function holdFolder(
  roots: VaultRoots,
  folder: VaultFolder,
  asked: VaultFolder = folder,
): Promise<PathHandle> {
  const { calls = asyncDisk } = roots;
  const full = folder === '' ? roots.root : `${roots.root}/${folder}`;
  const held = await admitted(roots, asked, openHandle(calls, full, { folder: true }));
  if (!isAnotherFolder(roots, folder, held.real)) return held;
  held.close();
  throw leadsOutside(asked);
}

/** A name in a folder that is held; there need not be anything of that name. */
export class HeldEntry {
  readonly #folder: PathHandle;
  readonly #name: string;

  constructor(folder: PathHandle, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /** Leads to the entry itself in exactly this folder; valid until `close`. */
  get path(): string {
    return this.#folder.at(this.#name);
  }

  /** The path of another name in the same folder. */
  beside(name: string): string {
    return this.#folder.at(name);
  }

  /** The real path when the folder was opened. */
  get real(): string {
    return join(this.#folder.real, this.#name);
  }

  close(): void {
    this.#folder.close();
  }
}

/** Holds the entry itself: if it is a symlink, it is not followed. */
export async function holdEntry(roots: VaultRoots, path: VaultPath): Promise<HeldEntry> {
  return new HeldEntry(await holdFolder(roots, folderOf(path)), fileNameOf(path));
}

/**
 * Holds the entry to which a file is written that exists or is to be created; a symlink is followed.
 * A symlink that leads nowhere fails with ELOOP: writing would create a file at an unknown place.
 */
export async function holdTarget(roots: VaultRoots, path: VaultPath): Promise<HeldEntry> {
  const { calls = asyncDisk } = roots;
  const entry = await holdEntry(roots, path);
  try {
    const found = await calls.lstatIfThere(entry.path);
    if (!found?.isSymbolicLink()) return entry;
    const linked = await holdLinked(roots, path, entry);
    entry.close();
    return linked;
  } catch (error) {
    entry.close();
    throw error;
  }
}

/** Holds the entry that a symlink leads to. Its folder must be inside as well, not only the file. */
async function holdLinked(roots: VaultRoots, path: VaultPath, link: HeldEntry): Promise<HeldEntry> {
  const { calls = asyncDisk } = roots;
  const opening = openHandle(calls, link.path).catch((error: unknown) => {
    throw errnoOf(error) === 'ENOENT' ? systemError('ELOOP') : error;
  });
  return using(admitted(roots, path, opening), async (file) => {
    const opens = openHandle(calls, dirname(file.real), { folder: true });
    const target = new HeldEntry(await admitted(roots, path, opens), basename(file.real));
    try {
      const [there, wanted] = [await calls.lstatIfThere(target.path), await file.stat(calls)];
      if (there !== undefined && isSameFile(there, wanted)) return target;
    } catch (error) {
      target.close();
      throw error;
    }
    target.close();
    throw systemError('ENOENT'); // It was moved or removed since it was opened.
  });
}

/**
 * A handle that the vault path may lead to. It is closed, and this fails, when it may not, or when the
 * name on disk has another case.
 */
async function admitted(
  roots: VaultRoots,
  path: VaultFolder,
  opening: Promise<PathHandle>,
): Promise<PathHandle> {
  const held = await opening;
  const isRight = !isOtherCase(roots, path, held.real);
  if (isRight && admits(roots, path, held.real)) return held;
  held.close();
  if (!isRight) throw systemError('ENOENT');
  throw leadsOutside(path);
}
