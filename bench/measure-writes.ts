import { closeSync, fsync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { allScopes } from '../src/base/caller.ts';
import { openVault } from '../src/cli/vaults/compose.ts';
import { moveFile } from '../src/engine/operations/move/move-file.ts';
import { appendNote } from '../src/engine/operations/write/append-note.ts';
import { setNoteProperty } from '../src/engine/operations/write/set-note-property.ts';
import { replacePlainly } from './replace-plainly.ts';

/** Times of writes on an open and indexed vault, and of the least that a safe write must do. */
export interface WriteFigures {
  /**
   * The least that a safe write must do: temporary file, write, fsync, rename, fsync of the folder.
   */
  readonly plainMs: number;
  readonly appendMs: number;
  readonly propertyMs: number;
  /** The same for as many files as the rename rewrites, one after the other. */
  readonly plainManyMs: number;
  /** The rename of a note that `referrers` notes link to. */
  readonly renameMs: number;
  /** The same for a note that `fewReferrers` notes link to. */
  readonly plainFewMs: number;
  readonly renameFewMs: number;
  /** Appends per second by `writers` callers at once, each to a note of its own. */
  readonly appendsPerSecond: number;
  /** The same number of safe writes per second, `writers` at a time; see `writeGrouped`. */
  readonly groupedPerSecond: number;
}

export const referrers = 1_000;
export const fewReferrers = 100;
export const writers = 10;
const appendsEach = 40;
export const hubFolder = 'Hub';

/** Measures the vault in `folder`, which has `Hub/Hub.md` and notes in `Hub/` that link to it. */
export async function measureWrites(folder: string, cache: string): Promise<WriteFigures> {
  const alive = setInterval(() => undefined, 1_000);
  const vault = openVault(
    { name: 'bench', path: folder },
    {
      entryFile: fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url)),
      env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
      watch: true, // As a server does: history and lock are elsewhere in a command that ends at once.
    },
  );
  await vault.parts.keeper.wait('text', { waitMs: 3_600_000 });
  const { signal } = new AbortController();
  const bound = vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 3_600_000 });
  const note = `${hubFolder}/note 1.md`;
  const plain = join(folder, hubFolder, 'note 2.md');
  await bound.change(appendNote, { name: note, text: 'first' }); // Starts a thread.
  const plainMs = await median(50, () => rewrite(plain));
  const appendMs = await median(50, () => bound.change(appendNote, { name: note, text: 'a line' }));
  let value = 0;
  const propertyMs = await median(50, () =>
    bound.change(setNoteProperty, { name: note, key: 'count', value: ++value }),
  );
  const many = Array.from({ length: referrers }, (_, n) => join(folder, hubFolder, `note ${n}.md`));
  const plainManyMs = await median(3, () => many.forEach(rewrite));
  const plainFewMs = await median(3, () => many.slice(0, fewReferrers).forEach(rewrite));
  const renames = (hub: string): Promise<number> => {
    let isRenamed = false;
    return median(5, async () => {
      const [from, to] = isRenamed ? [`Renamed ${hub}`, hub] : [hub, `Renamed ${hub}`];
      isRenamed = !isRenamed;
      await bound.change(moveFile, { name: `${hubFolder}/${from}`, to: `${hubFolder}/${to}` });
    });
  };
  const renameFewMs = await renames('Small hub.md');
  const renameMs = await renames('Hub.md');
  const append = (writer: number): Promise<unknown> =>
    bound.change(appendNote, { name: `${hubFolder}/note ${writer}.md`, text: 'a line' });
  const appendsPerSecond = await perSecond(async () => {
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let n = 0; n < appendsEach; n++) await append(writer);
      }),
    );
  });
  const groupedPerSecond = await perSecond(async () => {
    for (let n = 0; n < appendsEach; n++) await writeGrouped(many.slice(0, writers), cache);
  });
  await vault.close();
  clearInterval(alive);
  const few = { plainFewMs, renameFewMs, appendsPerSecond, groupedPerSecond };
  return { plainMs, appendMs, propertyMs, plainManyMs, renameMs, ...few };
}

const sync = promisify(fsync);

/**
 * The least that safe writes of several files at once must do: sync one record of all, write and sync
 * the temporary files in parallel, rename them, sync the folder once.
 */
async function writeGrouped(files: readonly string[], cache: string): Promise<void> {
  const contents = files.map((file) => readFileSync(file));
  const record = openSync(join(cache, 'record'), 'a');
  for (const bytes of contents) writeSync(record, bytes);
  await sync(record);
  closeSync(record);
  const opened = files.map((file, at) => {
    const temporary = openSync(`${file}.tmp`, 'w');
    writeSync(temporary, contents[at] ?? Buffer.alloc(0));
    return temporary;
  });
  await Promise.all(opened.map((temporary) => sync(temporary)));
  for (const temporary of opened) closeSync(temporary);
  for (const file of files) renameSync(`${file}.tmp`, file);
  const folder = openSync(join(files[0] ?? '', '..'), 'r');
  await sync(folder);
  closeSync(folder);
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (1_000 * writers * appendsEach) / (performance.now() - start);
}

/** Writes the same bytes again, without any history. */
function rewrite(file: string): void {
  replacePlainly(file, readFileSync(file));
}

async function median(times: number, work: () => unknown): Promise<number> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return all.sort((a, b) => a - b)[times >> 1] ?? 0;
}

export async function main([folder = '', cache = '']: readonly string[]): Promise<void> {
  console.log(JSON.stringify(await measureWrites(folder, cache)));
}
