import { mkdirSync, readdirSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { openVault } from '../../src/cli/vaults/compose.ts';
import type { Vault } from '../../src/engine/open/vault.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { SharedThreads } from '../../src/node/threads/shared-threads.ts';
import { counted } from '../support/counts.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Many vaults in one process, with the threads that they share. Those that nobody asks sleep.

const count = counted({ quick: 20, full: 100 });
const patience = { timeout: 120_000, interval: 50 };

async function tagsOf(vault: Vault): Promise<readonly string[]> {
  const end = vault.use();
  try {
    const { signal } = new AbortController();
    const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 } as const;
    const tags = await vault.bind(caller).ask('facts', (store) => store.tags(wholeVault));
    return tags.map(({ tag }) => tag);
  } finally {
    end();
  }
}

/** How many indexes this process has open. */
function openIndexes(): number {
  const files = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return new Set(files.filter((file) => file.endsWith('index.db'))).size;
}

it.runIf(process.platform === 'linux')(
  'vaults that share threads sleep, wake with the truth, and close',
  { timeout: 240_000 },
  async () => {
    const home = tempFolder();
    const threads = new SharedThreads();
    const vaults = Array.from({ length: count }, (_, at) => {
      const path = join(home, `vault${at}`);
      mkdirSync(path);
      writeFileSync(join(path, 'a.md'), `#first${at} [[b]]`);
      writeFileSync(join(path, 'b.md'), 'text');
      const env = { XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') };
      const options = { entryFile: bundle, env, watch: true, threads, sleepMs: 500 };
      return { at, path, vault: openVault({ name: `vault${at}`, path }, options) };
    });
    try {
      for (const { at, vault } of vaults) expect(await tagsOf(vault)).toEqual([`#first${at}`]);
      await vi.waitFor(() => expect(openIndexes()).toBe(0), patience);
      for (const { at, path } of vaults) {
        writeFileSync(join(path, 'a.md'), `#second${at}`);
        if (at % 2 === 0) unlinkSync(join(path, 'b.md'));
        else writeFileSync(join(path, 'c.md'), '#new');
      }
      // As every test that writes beside the program: events need a moment to arrive.
      for (const { vault } of vaults) await vault.parts.watcher?.flush();
      for (const { at, vault } of vaults) {
        const expected = at % 2 === 0 ? [`#second${at}`] : ['#new', `#second${at}`];
        expect((await tagsOf(vault)).toSorted()).toEqual(expected);
      }
      // One that is closed takes nothing from the others.
      await vaults[0]?.vault.close();
      const other = vaults[1]?.vault as Vault;
      const { signal } = new AbortController();
      const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 } as const;
      await other.bind(caller).change(appendNote, { name: 'a.md', text: '#third' });
      expect(await tagsOf(other)).toContain('#third');
    } finally {
      await Promise.all(vaults.map(({ vault }) => vault.close()));
    }
    expect(openIndexes()).toBe(0);
  },
);
