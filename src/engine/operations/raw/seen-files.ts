import { assert } from '../../../base/assert.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { folderOf } from '../../../base/vault-path.ts';
import type { RawDisk, RawKind } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * The raw files of a vault as far as the caller may see them: any other file looks as if it did not
 * exist.
 */
export function seenFiles(vault: BoundVault): RawDisk {
  const { files } = vault.vault.parts;
  assert(vault.raw && files !== undefined, 'raw tools are served where there are raw files');
  return seesAll(vault.view()) ? files : limited(vault, files);
}

function limited(vault: BoundVault, files: RawDisk): RawDisk {
  const seenAs = (path: VaultFolder, kind: RawKind | undefined): boolean =>
    path === '' || vault.seesFolder(path) || (kind !== 'folder' && vault.sees(path));
  /** Whether the caller may know of the path, be it a file or a folder. */
  const seen = (path: VaultFolder): boolean => seenAs(path, undefined);
  /** Whether the caller may see both the path and, behind symlinks, the real path of the file. */
  const leadsToSeen = async (path: VaultFolder): Promise<boolean> => {
    if (path === '') return true;
    if (!seen(path)) return false;
    const real = await files.real(path);
    if (real === undefined || real === '') return true;
    const isSeen =
      seen(real) && (vault.seesFolder(real) || seenAs(real, (await files.stat(real))?.kind));
    return isSeen && !(await vault.isMarked(real));
  };
  const check = async (path: VaultFolder): Promise<void> => {
    if (!(await leadsToSeen(path))) throw rawError('not_found', path, 'does not exist');
  };
  return {
    stat: async (path) => ((await leadsToSeen(path)) ? files.stat(path) : undefined),
    entry: async (path) => {
      if (!seen(path) || !(await leadsToSeen(folderOf(path)))) return undefined;
      const entry = await files.entry(path);
      return seenAs(path, entry?.kind) ? entry : undefined;
    },
    list: async (folder) => {
      await check(folder);
      return (await files.list(folder)).filter(({ path, kind }) => seenAs(path, kind));
    },
    walk: async (folder, options) => {
      await check(folder);
      const skip = (path: VaultPath): boolean => !seen(path) || options.skip?.(path) === true;
      const { entries, truncated } = await files.walk(folder, { ...options, skip });
      return { entries: entries.filter(({ path, kind }) => seenAs(path, kind)), truncated };
    },
    read: async (path, options) => {
      await check(path);
      return files.read(path, options);
    },
    readRange: async (path, range) => {
      await check(path);
      return files.readRange(path, range);
    },
    hash: async (path, options) => {
      await check(path);
      return files.hash(path, options);
    },
    // A canonical path tells nothing about the file there, and every change checks it again.
    canonical: (path) => files.canonical(path),
    real: async (path) => ((await leadsToSeen(path)) ? files.real(path) : undefined),
  };
}
