import { join } from 'node:path';
import { sortByBytes } from '../../base/byte-order.ts';
import {
  fileNameOf,
  isVaultPath,
  type VaultFolder,
  type VaultPath,
} from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { isTemporaryName } from '../../engine/watch/watched-path.ts';
import { EventLoopPauses } from '../disk/event-loop-pauses.ts';
import { openHandle, type PathHandle, using } from '../disk/path-handle.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawEntry } from './raw-stat.ts';

type WalkOptions = Parameters<RawDisk['walk']>[1];

/** Errors for which a folder below the start is skipped: not readable, or gone in the meantime. */
const passedOver = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/**
 * Walks a folder that exists; see `RawDisk.walk`. Costs one readdir for each folder and one lstat for
 * each entry.
 */
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
  readonly #pauses: EventLoopPauses;

  constructor(calls: RawCalls, options: WalkOptions) {
    this.#calls = calls;
    this.#options = options;
    this.#pauses = new EventLoopPauses(options.signal);
  }

  async lookInto(place: RawFolder): Promise<void> {
    await this.#pauses.pause();
    for await (const entries of entriesIn(this.#calls, place, this.#pauses)) {
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

  /** Walks a folder inside the one that is being walked. */
  async #below({ folder, real }: RawFolder, { path }: { path: VaultPath }): Promise<void> {
    const name = folder === '' ? path : path.slice(folder.length + 1);
    try {
      await this.lookInto({ folder: path, real: join(real, name) });
    } catch (error) {
      if (!passedOver.has(errnoOf(error) ?? '')) throw error;
    }
  }
}

/** How many entries are read before other work may run; this takes about 0.3 ms. */
const batchEntries = 64;

/** A folder: its vault path and its real path. */
interface RawFolder {
  readonly folder: VaultFolder;
  readonly real: string;
}

/**
 * The entries of a folder in byte order of their names, in batches; symlinks are not followed.
 * Entries that vanish in the meantime are left out. So are Vaultdoor's temporary files, and names
 * that no vault path can express, such as those that are not UTF-8. Fails with the system's errors.
 */
export async function* entriesIn(
  calls: RawCalls,
  { folder, real }: RawFolder,
  pauses: EventLoopPauses,
): AsyncGenerator<readonly RawEntry[], void> {
  let names: readonly string[] | undefined;
  for (let from = 0; from < (names?.length ?? 1); from += batchEntries) {
    await pauses.pause();
    // One handle for each batch, not for all: a walk goes into the folders below between two batches,
    // and would keep a handle open for each level.
    yield await using(openPlace(calls, real), async (held) => {
      names ??= sortByBytes(await calls.readdir(held.path));
      const paths = pathsOf(folder, names, { from, to: from + batchEntries });
      const found = await calls.lstatAll(paths.map((path) => held.at(fileNameOf(path))));
      return paths.flatMap((path, i) => {
        const stat = found[i];
        return stat === undefined ? [] : [rawEntry(path, stat)];
      });
    });
  }
}

/** Opens a folder by its real path; fails with ENOENT when that now leads to another place. */
async function openPlace(calls: RawCalls, real: string): Promise<PathHandle> {
  const held = await openHandle(calls, real, { folder: true });
  if (held.real === real) return held;
  held.close();
  throw systemError('ENOENT');
}

/** The paths of some names, each once: two names that are not UTF-8 on disk may look the same. */
function pathsOf(
  folder: VaultFolder,
  names: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly VaultPath[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return names.slice(from, to).flatMap((name, i) => {
    const path = prefix + name;
    const isListed = name !== names[from + i - 1] && !isTemporaryName(name) && isVaultPath(path);
    return isListed ? [path as VaultPath] : [];
  });
}
