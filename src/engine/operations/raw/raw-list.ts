import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import type { RawEntry, RawStat } from '../../ports/raw-disk.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { seenFiles } from './seen-files.ts';

/** Returns the stat of a path, following symlinks; undefined when there is nothing. */
export function rawStat(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<RawStat | undefined> {
  return seenFiles(vault).stat(path);
}

/**
 * After this many stats, other calls get a turn: stats of a local disk never yield by themselves.
 */
const statsAtOnce = 250;

/**
 * Returns for each of many paths its stat, as `rawStat` does, or the failure for that path. A path
 * that is given as a failure is answered with it. Fails as a whole only when the vault is not
 * available or the call is cancelled.
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
    // When the vault is not available, no path can be checked.
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

/**
 * Lists what is in a folder, by name; symlinks are listed as symlinks. Fails with `not_found` and
 * `not_a_folder`.
 */
export function rawList(
  vault: BoundVault,
  { path }: { readonly path: VaultFolder },
): Promise<readonly RawEntry[]> {
  return seenFiles(vault).list(path);
}

/**
 * Lists what is in a folder and, with `recursive`, in the folders below it. `entriesMax` 0 means
 * `limits.walkEntries`. `truncated` is true when there is more. Fails as `rawList` does.
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
