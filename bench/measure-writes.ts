import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
}

export const referrers = 1_000;
export const hubFolder = 'Hub';

/** Measures the vault in `folder`, which has `Hub/Hub.md` and notes in `Hub/` that link to it. */
export async function measureWrites(folder: string, cache: string): Promise<WriteFigures> {
  const alive = setInterval(() => undefined, 1_000);
  const vault = openVault(
    { name: 'bench', path: folder },
    {
      entryFile: fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url)),
      env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
      watch: false,
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
  let name = 'Hub.md';
  const renameMs = await median(5, async () => {
    const next = name === 'Hub.md' ? 'Renamed hub.md' : 'Hub.md';
    await bound.change(moveFile, { name: `${hubFolder}/${name}`, to: `${hubFolder}/${next}` });
    name = next;
  });
  await vault.close();
  clearInterval(alive);
  return { plainMs, appendMs, propertyMs, plainManyMs, renameMs };
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
