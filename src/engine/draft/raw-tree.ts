import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isVaultPath } from '../../base/vault-path.ts';
import type { EntryKind } from '../ports/ports.ts';
import { rawError } from '../ports/raw-disk.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { checkFolderSeen, checkSeen } from '../vault/check-seen.ts';
import { notFound } from '../vault/not-found.ts';

/** Everything in a folder, at any depth, symlinks not followed. */
interface RawTree {
  /** The folder and all folders below it, outer ones first, each with how many names it has. */
  readonly folders: ReadonlyMap<VaultPath, number>;
  readonly files: readonly RawTreeFile[];
}

/** Anything but a folder. */
export interface RawTreeFile {
  readonly path: VaultPath;
  readonly kind: EntryKind;
}

/** Node shows bytes in a name that are not UTF-8 as this character. */
const unknownCharacter = '\ufffd';

/**
 * Lists a folder whose whole content is to be changed. Fails with `forbidden` when the caller may
 * not see some of it, or when no vault path can spell a name in it, and with `too_large` when it
 * has more than `limits.changeFilesMax` entries.
 */
export async function rawTree(vault: BoundVault, folder: VaultPath): Promise<RawTree> {
  const { disk } = vault.vault.parts;
  const folders = new Map<VaultPath, number>();
  const files: RawTreeFile[] = [];
  const toList = [folder];
  for (let at = toList.pop(); at !== undefined; at = toList.pop()) {
    const entries = await disk.entries(at);
    if (entries === undefined) throw notFound(at);
    folders.set(at, entries.length);
    for (const { name, kind } of entries) {
      const path = `${at}/${name}` as VaultPath;
      const isReachable =
        isVaultPath(path) &&
        (!name.includes(unknownCharacter) || (await disk.entry(path)) !== undefined);
      if (!isReachable) throw rawError('forbidden', at, unreachable);
      if (kind === 'folder') checkFolderSeen(vault, path);
      else checkSeen(vault, path);
      if (kind === 'folder') toList.push(path);
      else files.push({ path, kind });
    }
    if (folders.size + files.length > limits.changeFilesMax) {
      throw rawError('too_large', folder, `holds more than ${limits.changeFilesMax} files`);
    }
  }
  return { folders, files };
}

const unreachable =
  'contains a name that no path can spell (with a backslash or a control character); rename it on the machine that has the vault first';
