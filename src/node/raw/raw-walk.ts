import { sortByBytes } from '../../base/byte-order.ts';
import {
  fileNameOf,
  isVaultPath,
  type VaultFolder,
  type VaultPath,
} from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { isTemporaryName } from '../../engine/watch/watched-path.ts';
import { FairTurns } from '../disk/event-loop-pauses.ts';
import { errnoOf } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry } from './raw-stat.ts';

type WalkOptions = Parameters<RawDisk['walk']>[1];

/** What is passed over below the start: folders that may not be read, or are none any more. */
const passedOver = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/** Walks a folder that exists; see `RawDisk.walk`. Costs one readdir a folder and one lstat an entry. */
export async function walkRaw(
  calls: RawCalls,
  start: RawFolder,
  options: WalkOptions,
): Promise<{ readonly entries: readonly RawEntry[]; readonly truncated: boolean }> {
  const walk = new RawWalk(calls, options);
  await walk.lookInto(start);
  return { entries: walk.entries, truncated: walk.truncated };
}

class RawWalk {
  readonly entries: RawEntry[] = [];
  truncated = false;
  readonly #calls: RawCalls;
  readonly #options: WalkOptions;
  readonly #turns: FairTurns;

  constructor(calls: RawCalls, options: WalkOptions) {
    this.#calls = calls;
    this.#options = options;
    this.#turns = new FairTurns(options.signal);
  }

  async lookInto(place: RawFolder): Promise<void> {
    await this.#turns.pause();
    for await (const entries of entriesIn(this.#calls, place, this.#turns)) {
      for (const entry of entries) {
        if (this.#options.skip?.(entry.path)) continue;
        this.truncated = this.entries.length >= this.#options.entriesMax;
        if (this.truncated) return;
        this.entries.push(entry);
        if (this.#options.recursive && entry.kind === 'folder') await this.#below(place, entry);
        if (this.truncated) return;
      }
    }
  }

  async #below({ folder, real }: RawFolder, { path }: { path: VaultPath }): Promise<void> {
    const name = folder === '' ? path : path.slice(folder.length + 1);
    try {
      await this.lookInto({ folder: path, real: `${real}/${name}` });
    } catch (error) {
      if (!passedOver.has(errnoOf(error) ?? '')) throw error;
    }
  }
}

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
