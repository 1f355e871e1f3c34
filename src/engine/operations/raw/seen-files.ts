import { assert } from '../../../base/assert.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { folderOf } from '../../../base/vault-path.ts';
import type { RawDisk } from '../../ports/raw-disk.ts';
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
  // `seesFolder` is also true of a file that the caller may see.
  const seen = (path: VaultFolder): boolean => path === '' || vault.seesFolder(path);
  /** Whether the caller may see both the path and, behind symlinks, the real path of the file. */
  const leadsToSeen = async (path: VaultFolder): Promise<boolean> => {
    if (path === '') return true;
    if (!seen(path)) return false;
    const real = await files.real(path);
    return real === undefined || seen(real);
  };
  const check = async (path: VaultFolder): Promise<void> => {
    if (!(await leadsToSeen(path))) throw rawError('not_found', path, 'does not exist');
  };
  return {
    stat: async (path) => ((await leadsToSeen(path)) ? files.stat(path) : undefined),
    entry: async (path) =>
      seen(path) && (await leadsToSeen(folderOf(path))) ? files.entry(path) : undefined,
    list: async (folder) => {
      await check(folder);
      return (await files.list(folder)).filter(({ path }) => seen(path));
    },
    walk: async (folder, options) => {
      await check(folder);
      const skip = (path: VaultPath): boolean => !seen(path) || options.skip?.(path) === true;
      return files.walk(folder, { ...options, skip });
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
