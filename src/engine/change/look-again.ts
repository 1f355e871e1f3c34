import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FoundFile } from '../draft/draft-files.ts';
import type { Disk } from '../ports/ports.ts';

/**
 * What is at a path: a file's version and stamp, something that no change has read or written (a
 * folder, a file over the limit), or nothing.
 */
export type Seen =
  | { readonly kind: 'file'; readonly version: Version; readonly stamp: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'nothing'; readonly version?: undefined };

/**
 * What is at a path now. A file that is as it was `found` before is known by its stat alone,
 * except where it was found so soon after its own mtime that a later write may have kept that.
 */
export async function lookAgain(disk: Disk, path: VaultPath, found?: FoundFile): Promise<Seen> {
  if (found?.version !== undefined && found.atMs - found.stat.mtimeMs >= limits.racyMs) {
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

/** The version of what is at a path; undefined for nothing, and for anything else. */
export function versionOf(seen: Seen): Version | undefined {
  return seen.kind === 'file' ? seen.version : undefined;
}
