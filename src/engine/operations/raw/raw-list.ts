import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import type { RawEntry, RawStat } from '../../ports/raw-disk.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { seenFiles } from './seen-files.ts';

/** What a path is, symlinks followed; undefined when nothing is there. */
export function rawStat(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<RawStat | undefined> {
  return seenFiles(vault).stat(path);
}

/** Other calls get a turn after this many stats, because a stat of a local disk never waits. */
const statsAtOnce = 250;

/**
 * What many paths are, in order: as `rawStat` answers, or the failure for that path. A path that is
 * a failure already stays one. Fails as a whole only when the vault is away or the call is cancelled.
 */
export async function rawStats(
  vault: BoundVault,
  { paths }: { readonly paths: readonly (VaultFolder | VaultError)[] },
): Promise<readonly (RawStat | VaultError | undefined)[]> {
  const stats: (RawStat | VaultError | undefined)[] = [];
  for (const path of paths) {
    if (stats.length % statsAtOnce === statsAtOnce - 1) await letOthersRun(vault);
    stats.push(path instanceof VaultError ? path : await statOrFailure(vault, path));
  }
  return stats;
}

async function statOrFailure(
  vault: BoundVault,
  path: VaultFolder,
): Promise<RawStat | VaultError | undefined> {
  try {
    return await rawStat(vault, { path });
  } catch (error) {
    // While the vault is away, nothing can be said about any path.
    if (!(error instanceof VaultError) || error.code === 'vault_not_found') throw error;
    return error;
  }
}

function letOthersRun({ caller, vault }: BoundVault): Promise<void> {
  if (caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  return new Promise((resolve) => {
    vault.parts.timers.after(0, resolve);
  });
}

/** What is in a folder, sorted by name, symlinks as such. Fails with `not_found`, `not_a_folder`. */
export function rawList(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<readonly RawEntry[]> {
  return seenFiles(vault).list(path);
}

/**
 * What is in a folder and, if `recursive`, in the folders below it. 0 for `entriesMax` means
 * `limits.walkEntries`. `truncated` says whether there is more. Fails as `rawList` does.
 */
export function rawWalk(
  vault: BoundVault,
  request: {
    readonly path: VaultFolder;
    readonly recursive: boolean;
    readonly entriesMax: number;
  },
): Promise<{ readonly entries: readonly RawEntry[]; readonly truncated: boolean }> {
  const { path, recursive, entriesMax } = request;
  const wanted = entriesMax <= 0 ? limits.walkEntries : entriesMax;
  return seenFiles(vault).walk(path, {
    recursive,
    entriesMax: Math.min(wanted, limits.walkEntriesMax),
    signal: vault.caller.signal,
  });
}
