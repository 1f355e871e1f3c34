import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { openVault } from '../../src/cli/vaults/compose.ts';
import { checkIndex } from '../../src/engine/operations/vault/check-index.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { counted } from '../support/counts.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Another process creates, changes, renames and deletes thousands of files while our main thread is
// busy. Afterwards the index must equal a rebuilt one without a walk that would mend it.

const files = counted({ quick: 500, full: 5_000 });

const storm = `
const fs = require('node:fs'), path = require('node:path');
const [vault, count] = [process.argv[1], Number(process.argv[2])];
const at = (i) => path.join(vault, 'storm' + (i % 20), 'n' + i + '.md');
for (let d = 0; d < 20; d++) fs.mkdirSync(path.join(vault, 'storm' + d));
for (let i = 0; i < count; i++) fs.writeFileSync(at(i), '#t' + (i % 7) + ' [[n' + (i + 1) + ']]');
for (let i = 0; i < count; i += 3) fs.appendFileSync(at(i), ' #changed');
for (let i = 1; i < count; i += 3) fs.renameSync(at(i), at(i).replace('.md', ' moved.md'));
for (let i = 2; i < count; i += 6) fs.unlinkSync(at(i));
fs.renameSync(path.join(vault, 'storm0'), path.join(vault, 'calm'));
fs.writeFileSync(path.join(vault, 'calm', 'n0.md'), '#after [[n1 moved]]');
fs.rmSync(path.join(vault, 'storm1'), { recursive: true });
fs.mkdirSync(path.join(vault, 'storm1', 'deep'), { recursive: true });
fs.writeFileSync(path.join(vault, 'storm1', 'deep', 'again.md'), '#again');
`;

it('survives a burst of changes while the main thread is busy', { timeout: 240_000 }, async () => {
  const folder = tempFolder();
  const cache = tempFolder();
  mkdirSync(join(folder, 'Notes'));
  for (let i = 0; i < 300; i++) writeFileSync(join(folder, 'Notes', `k${i}.md`), `[[n${i}]] #keep`);
  const vault = openVault(
    { name: 'burst', path: folder },
    {
      entryFile: bundle,
      env: { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
      watch: true,
    },
  );
  const { keeper } = vault.parts;
  try {
    await keeper.settle();
    const child = spawn(process.execPath, ['-e', storm, folder, String(files)], {
      stdio: 'inherit',
    });
    let running = true;
    child.once('exit', () => {
      running = false;
    });
    while (running) {
      spin(150);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await keeper.settle();
    expect(await checkIndex(vault.parts, { reconcile: false })).toEqual([]);
    const tags = (await (await keeper.store()).tags(wholeVault)).map((row) => row.tag);
    expect(tags).toEqual(expect.arrayContaining(['#after', '#again', '#changed', '#keep']));
  } finally {
    await vault.close();
  }
});

// What a checkout of git does: files are written anew under another name and put in place.
const checkout = `
const fs = require('node:fs'), path = require('node:path');
const [vault, count] = [process.argv[1], Number(process.argv[2])];
for (let i = 0; i < count; i++) {
  const file = path.join(vault, 'F' + (i % 10), 'n' + i + '.md');
  fs.writeFileSync(file + '.new', '#changed [[n' + (i + 7) + ']]');
  fs.renameSync(file + '.new', file);
}
`;

it('answers calls while a burst is taken up, without a walk', { timeout: 240_000 }, async () => {
  const count = 1_500; // Fewer events than the kernel keeps, should nobody fetch them meanwhile.
  const folder = tempFolder();
  const cache = tempFolder();
  for (let d = 0; d < 10; d++) mkdirSync(join(folder, `F${d}`));
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `F${i % 10}`, `n${i}.md`), '[[mine]]');
  writeFileSync(join(folder, 'mine.md'), '#mine\n');
  const vault = openVault(
    { name: 'burst', path: folder },
    { entryFile: bundle, env: { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache }, watch: true },
  );
  const { keeper, scanner } = vault.parts;
  try {
    expect(await keeper.wait('text', { waitMs: 120_000 })).toBe(true);
    const walk = vi.spyOn(scanner, 'walk');
    const { signal } = new AbortController();
    const bound = vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 120_000 });
    const changed = async (): Promise<number> => {
      const tags = await bound.ask('text', (store) => store.tags(wholeVault));
      return tags.find(({ tag }) => tag === '#changed')?.files ?? 0;
    };
    // Nothing is taken up while this thread waits.
    execFileSync(process.execPath, ['-e', checkout, folder, String(count)]);
    // Each is answered long before the burst is: what the index has grows from call to call.
    const seen: number[] = [];
    do {
      await bound.change(appendNote, { name: 'mine.md', text: `line ${seen.length}` });
      seen.push(await changed());
    } while ((seen.at(-1) ?? 0) < count);
    expect(new Set(seen).size).toBeGreaterThan(5);
    // On Windows such a burst is more than the system keeps, and then the vault is walked.
    if (process.platform !== 'win32') expect(walk).not.toHaveBeenCalled();
    await keeper.settle();
    expect(await checkIndex(vault.parts, { reconcile: false })).toEqual([]);
  } finally {
    await vault.close();
  }
});

/** Holds the thread, as a large answer would. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
