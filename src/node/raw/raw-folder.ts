import { sortByBytes } from '../../base/byte-order.ts';
import {
  fileNameOf,
  isVaultPath,
  type VaultFolder,
  type VaultPath,
} from '../../base/vault-path.ts';
import type { RawEntry } from '../../engine/ports/raw-disk.ts';
import { isTemporaryName } from '../../engine/watch/watched-path.ts';
import type { FairTurns } from '../disk/fair-turns.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry } from './raw-stat.ts';

/** How many entries are looked at before others may have their turn; some 0.3 ms. */
const batchEntries = 64;

/** A folder: its name in the vault, and where it really is. */
export interface RawFolder {
  readonly folder: VaultFolder;
  readonly real: string;
}

/**
 * The entries of a folder in byte order of their names, some at a time; symlinks as such. Those that
 * vanish meanwhile are left out, and so are temporary files and names that no vault path can spell:
 * what is not UTF-8 on disk is not found by the name that Node makes of it. Fails as the system does.
 */
export async function* entriesIn(
  calls: RawCalls,
  { folder, real }: RawFolder,
  turns: FairTurns,
): AsyncGenerator<readonly RawEntry[], void> {
  const names = sortByBytes(await calls.readdir(real));
  for (let from = 0; from < names.length; from += batchEntries) {
    await turns.pause();
    const paths = pathsOf(folder, names, { from, to: from + batchEntries });
    const found = await calls.lstatAll(paths.map((path) => `${real}/${fileNameOf(path)}`));
    const entries: RawEntry[] = [];
    for (const [i, path] of paths.entries()) {
      const stat = found[i];
      if (stat !== undefined) entries.push(rawEntry(path, stat));
    }
    yield entries;
  }
}

/** What can be told of some names, each once: two that are not UTF-8 on disk may look the same. */
function pathsOf(
  folder: VaultFolder,
  names: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly VaultPath[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return names.slice(from, to).flatMap((name, i) => {
    const path = prefix + name;
    const isTold = name !== names[from + i - 1] && !isTemporaryName(name) && isVaultPath(path);
    return isTold ? [path as VaultPath] : [];
  });
}
