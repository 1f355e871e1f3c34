import { inParallel } from '../../base/in-parallel.ts';
import { rethrowIfAway } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import type { FileEntry } from '../ports/records.ts';

/** Where the disk has to be waited for, so many paths are asked about at once. */
const asksAtOnce = 8;

/** What is at some paths: files, folders, or nothing. Fails when the vault is away. */
export async function findPaths(
  disk: Pick<Disk, 'stat' | 'list'>,
  paths: readonly VaultPath[],
): Promise<{
  readonly entries: readonly FileEntry[];
  readonly folders: readonly VaultPath[];
  readonly gone: readonly VaultPath[];
}> {
  const entries: FileEntry[] = [];
  const folders: VaultPath[] = [];
  const gone: VaultPath[] = [];
  await inParallel(paths, asksAtOnce, async (path) => {
    const stat = await disk.stat(path).catch(rethrowIfAway);
    if (stat !== undefined) entries.push({ path, ...stat });
    else if ((await disk.list(path).catch(rethrowIfAway)) === undefined) gone.push(path);
    else folders.push(path);
  });
  return { entries, folders, gone };
}
