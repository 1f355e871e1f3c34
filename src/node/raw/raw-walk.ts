import type { VaultPath } from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { FairTurns } from '../disk/fair-turns.ts';
import { errnoOf } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { entriesIn, type RawFolder } from './raw-folder.ts';

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
