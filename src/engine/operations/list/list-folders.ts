import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isHidden, isVaultPath, joinPath } from '../../../base/vault-path.ts';
import { findFolder } from '../../notes/find-folder.ts';
import type { Page, PageRequest } from '../../ports/index-store.ts';
import type { FolderEntry } from '../../ports/ports.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Lists the folders inside a folder, at any depth and empty ones too, in path order. Fails as
 * `findFolder` does.
 */
export async function listFolders(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<{ readonly total: number; readonly folders: readonly VaultPath[] }> {
  const { limit, offset } = request;
  const folder = await findFolder(vault, request.folder);
  const folders = await foldersIn(vault, folder);
  return { total: folders.length, folders: folders.slice(offset, offset + limit) };
}

/**
 * Lists the folders inside a folder as `listFolders` does, each with the number of notes in it, at
 * any depth, without those that the vault's settings exclude. `notes` is their number in all.
 */
export async function countNotesInFolders(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<Page<{ readonly folder: VaultPath; readonly notes: number }> & { notes: number }> {
  const { total, folders } = await listFolders(vault, request);
  const view = await vault.listedView();
  const counts = new Map(await vault.ask('names', (store) => store.noteCounts(view)));
  const items = folders.map((folder) => ({ folder, notes: counts.get(folder) ?? 0 }));
  return { total, items, notes: counts.get('' as VaultFolder) ?? 0 };
}

/** How much a folder contains, at any depth; the path `''` is the vault itself. */
interface FolderInfo {
  readonly path: VaultFolder;
  readonly files: number;
  readonly folders: number;
  /** The size of all its files together. */
  readonly bytes: number;
}

/**
 * Counts the files and folders inside a folder that the caller may see, and adds up their sizes.
 * Fails as `findFolder` does.
 */
export async function folderInfo(
  vault: BoundVault,
  request: { readonly folder: VaultFolder },
): Promise<FolderInfo> {
  const folder = await findFolder(vault, request.folder);
  const folders = (await foldersIn(vault, folder)).length;
  const view = vault.view();
  const { files, bytes } = await vault.ask('names', (store) => store.totals(view, folder));
  return { path: folder, files, folders, bytes };
}

/**
 * Lists the files and folders directly in a folder that the caller may see, read from the disk now.
 * Returns an empty list when there is no such folder. The cost grows with the number of entries.
 */
export async function listEntries(
  vault: BoundVault,
  folder: VaultFolder,
): Promise<readonly FolderEntry[]> {
  if (folder !== '' && !vault.seesFolder(folder)) return [];
  const entries = (await vault.vault.parts.disk.list(folder)) ?? [];
  return entries.filter((entry) => {
    if (!isVaultPath(entry.name)) return false;
    const path = joinPath(folder, entry.name);
    return entry.kind === 'folder' ? vault.seesFolder(path) : vault.seesFile(path, entry);
  });
}

const listsAtOnce = 16;

/**
 * Every folder in a folder, at any depth, that the caller may know of, in path order. Read from the
 * disk, because the index does not know empty folders. A folder that cannot be listed counts as
 * empty. Fails with `too_large` when there are more than `limits.foldersMax`.
 */
async function foldersIn(vault: BoundVault, folder: VaultFolder): Promise<readonly VaultPath[]> {
  const found: VaultPath[] = [];
  let level: readonly VaultFolder[] = [folder];
  while (level.length > 0) {
    const below = (await inParallel(level, listsAtOnce, (at) => childFolders(vault, at))).flat();
    found.push(...below);
    if (found.length > limits.foldersMax) {
      throw new VaultError(
        'too_large',
        `There are more than ${limits.foldersMax} folders; list the folders of a smaller folder.`,
      );
    }
    level = below;
  }
  return found.sort();
}

async function childFolders(vault: BoundVault, folder: VaultFolder): Promise<VaultPath[]> {
  if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  const entries = await vault.vault.parts.disk.list(folder).catch((error: unknown) => {
    if (error instanceof VaultError) return rethrowIfAway(error);
    throw error;
  });
  return (entries ?? []).flatMap(({ name, kind }) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind !== 'folder' || isHidden(name) || !isVaultPath(path)) return [];
    const child = joinPath(folder, name);
    return vault.seesFolder(child) ? [child] : [];
  });
}
