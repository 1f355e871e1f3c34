import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, folderOf, pathKey } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { Disk, WritableDisk } from '../ports/ports.ts';

/**
 * What is at a path. `other` is a folder, or a file over `limits.historyContentBytesMax`. Changes never
 * read or write such things, so it is certainly not what a change left there.
 */
type Seen =
  | { readonly kind: 'file'; readonly version: Version; readonly stamp: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'nothing' };

/**
 * Looks at what is at a path now. When `found` says what was there before and the stamp is still
 * the same, the file is not read again. The exception is a file that was read within
 * `limits.racyMs` of its mtime: a write right after that may have left the stamp as it was.
 */
export async function lookAgain(disk: Disk, path: VaultPath, found?: FoundFile): Promise<Seen> {
  if (found?.version !== undefined && !isRacy(found)) {
    const stat = await disk.stat(path);
    if (stat?.stamp === found.stat.stamp) {
      return { kind: 'file', version: found.version, stamp: stat.stamp };
    }
  }
  try {
    const { version, stat } = await disk.read(path, { bytesMax: limits.historyContentBytesMax });
    return { kind: 'file', version, stamp: stat.stamp };
  } catch (error) {
    const code = error instanceof VaultError ? error.code : undefined;
    if (code === 'not_found') return { kind: 'nothing' };
    if (code === 'is_a_folder' || code === 'too_large') return { kind: 'other' };
    throw error;
  }
}

/** Whether a file was read so soon after its mtime that a later write may have the same stamp. */
export function isRacy({ version, atMs, stat }: FoundFile): boolean {
  return version === undefined || atMs - stat.mtimeMs < limits.racyMs;
}

/** The version of a file that was looked at; undefined when there was none, or something else. */
export function versionOf(seen: Seen): Version | undefined {
  return seen.kind === 'file' ? seen.version : undefined;
}

/**
 * Says whether something is at the old path of a move, and at the new one. When the paths are two spellings
 * of one name, a disk that ignores case finds the same file at both; then only the spelling that
 * the folder lists counts.
 */
export async function lookAtMove(
  disk: WritableDisk,
  { path: from, to }: { readonly path: VaultPath; readonly to: VaultPath },
): Promise<{ readonly from: boolean; readonly to: boolean }> {
  if (pathKey(from) !== pathKey(to)) {
    return {
      from: (await disk.entry(from)) !== undefined,
      to: (await disk.entry(to)) !== undefined,
    };
  }
  const isListed = async (path: VaultPath): Promise<boolean> => {
    const entries = (await disk.list(folderOf(path))) ?? [];
    return entries.some(({ name }) => name === fileNameOf(path));
  };
  return { from: await isListed(from), to: await isListed(to) };
}
