import * as diagnostics from 'node:diagnostics_channel';
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { openVault } from '../../src/cli/vaults/compose.ts';
import type { Vault } from '../../src/engine/open/vault.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { SharedThreads } from '../../src/node/threads/shared-threads.ts';
import { openDatabase } from '../../src/sqlite/connection/open-database.ts';
import { counted, soakTime } from '../support/counts.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Many vaults in one process, with the threads that they share. Those that nobody asks sleep.

/** These take seconds, because they wait until vaults sleep. */
const isFull = counted({ quick: false, full: true });
const count = counted({ quick: 4, full: 40, soak: 100 });
const shared = { entryFile: bundle, watch: true, hasOthers: true };
const patience = { timeout: 120_000, interval: 50 };

async function tagsOf(vault: Vault): Promise<readonly string[]> {
  const end = vault.use();
  try {
    await vault.check();
    await vault.wake();
    const { signal } = new AbortController();
    const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 } as const;
    const tags = await vault.bind(caller).ask('facts', (store) => store.tags(wholeVault));
    return tags.map(({ tag }) => tag);
  } finally {
    end();
  }
}

const isLinux = process.platform === 'linux';

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

it.runIf(isLinux)(
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
      const options = { ...shared, env, threads, sleepMs: 500 };
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

/** Opens vaults that sleep soon; they are closed after the test. */
function opener(home = tempFolder()) {
  const env = { XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') };
  const threads = new SharedThreads();
  return (name: string, more: { readonly poll?: boolean; readonly sleepMs?: number } = {}) => {
    const path = join(home, name);
    mkdirSync(path, { recursive: true });
    const options = { ...shared, env, threads, sleepMs: 300, ...more };
    const vault = openVault({ name, path }, options);
    onTestFinished(() => vault.close());
    return { vault, path, home };
  };
}

const patient = { timeout: soakTime(120_000) };

it.runIf(isLinux && isFull)('a vault that is polled does not sleep', patient, async () => {
  const open = opener();
  const [polled, other] = [open('polled', { poll: true }), open('other')];
  await tagsOf(polled.vault);
  for (let round = 0; round < 2; round++) {
    await tagsOf(other.vault);
    await vi.waitFor(() => expect(openIndexes()).toBe(1), patience);
  }
  expect(polled.vault.parts.keeper.isReady('text')).toBe(true);
});

it.runIf(isLinux && isFull)(
  'a vault whose folder went away while it slept says so',
  patient,
  async () => {
    const { vault, path } = opener()('vault');
    writeFileSync(join(path, 'a.md'), '#one');
    await vault.parts.keeper.settle();
    await vi.waitFor(() => expect(openIndexes()).toBe(0), patience);
    renameSync(path, `${path}-away`);
    await vault.parts.watcher?.flush();
    await expect(tagsOf(vault)).rejects.toMatchObject({ code: 'vault_not_found' });
    renameSync(`${path}-away`, path);
    await vi.waitFor(async () => expect(await tagsOf(vault)).toEqual(['#one']), patience);
  },
);

it.runIf(isLinux && isFull)(
  'of two processes on a vault one sleeps, and wakes with what the other did',
  patient,
  async () => {
    const home = tempFolder();
    const { vault: sleeper } = opener(home)('vault');
    const { vault: other } = opener(home)('vault', { sleepMs: 1e9 });
    const { signal } = new AbortController();
    const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 } as const;
    await tagsOf(other);
    await tagsOf(sleeper);
    await vi.waitFor(() => expect(sleeper.parts.keeper.isReady('names')).toBe(false), patience);
    writeFileSync(join(home, 'vault', 'a.md'), '');
    await other.parts.keeper.settle();
    await other.bind(caller).change(appendNote, { name: 'a.md', text: '#third' });
    await sleeper.parts.watcher?.flush();
    expect(await tagsOf(sleeper)).toEqual(['#third']);
    // The other one, too, after the cache was deleted under both.
    await vi.waitFor(() => expect(sleeper.parts.keeper.isReady('names')).toBe(false), patience);
    rmSync(join(home, 'cache'), { recursive: true });
    expect(await tagsOf(sleeper)).toEqual(['#third']);
    const { items } = await sleeper.parts.state.changes({}, { limit: 5, offset: 0 });
    expect(items).toHaveLength(1);
  },
);

it.runIf(isLinux)(
  'threads that die again and again come back, and no change is lost',
  patient,
  async () => {
    const live = new Set<Worker>();
    const seen = (message: unknown): void => {
      const { worker } = message as { worker: Worker };
      live.add(worker);
      worker.once('exit', () => live.delete(worker));
    };
    diagnostics.subscribe('worker_threads', seen);
    onTestFinished(() => void diagnostics.unsubscribe('worker_threads', seen));
    const open = opener();
    const vaults = ['a', 'b', 'c'].map((name) => open(name, { sleepMs: name === 'c' ? 50 : 1e9 }));
    for (const { path } of vaults) writeFileSync(join(path, 'a.md'), 'text');
    const made = vaults.map(() => new Set<string>());
    const rounds = counted({ quick: 3, full: 12, soak: 100 });
    let isOver = false;
    const working = vaults.map(async ({ vault }, at) => {
      for (let n = 0; !isOver; n++) {
        try {
          await tagsOf(vault);
          const { signal } = new AbortController();
          const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 } as const;
          await vault.bind(caller).change(appendNote, { name: 'a.md', text: `#change${n}` });
          made[at]?.add(`#change${n}`);
        } catch (error) {
          // A call that was in the thread fails. The change may have been made.
          expect(error).toMatchObject({ code: 'internal', details: { threadDied: true } });
        }
      }
    });
    for (let round = 0; round < rounds; round++) {
      // They end between two pieces of work: terminated inside SQLite, they would end this process.
      const worker = Array.from(live)[round % live.size];
      worker?.postMessage('end');
      const before = made.map(({ size }) => size);
      await vi.waitFor(
        () => expect(made.every(({ size }, at) => size > (before[at] ?? 0))).toBe(true),
        patience,
      );
    }
    isOver = true;
    await Promise.all(working);
    for (const [at, { vault }] of vaults.entries()) {
      // The thread that was ended last may end only now.
      const tags = new Set(await tagsOf(vault).catch(() => tagsOf(vault)));
      for (const tag of made[at] ?? []) expect(tags).toContain(tag);
      expect(made[at]?.size).toBeGreaterThan(0);
    }
  },
);

it.runIf(isLinux && isFull)('a vault sleeps again, whatever has woken it', patient, async () => {
  // Long enough to be seen awake on a machine that is busy.
  const { vault, path } = opener()('vault', { sleepMs: 1_000 });
  writeFileSync(join(path, 'a.md'), '#one');
  await vault.parts.keeper.settle();
  const wakers = [
    () => tagsOf(vault),
    async () => vault.parts.keeper.wake(),
    () => vault.parts.keeper.reconcile(),
  ];
  for (const wake of wakers) {
    await vi.waitFor(() => expect(openIndexes()).toBe(0), patience);
    await wake();
    await vi.waitFor(() => expect(openIndexes()).toBe(1), patience);
  }
  await vi.waitFor(() => expect(openIndexes()).toBe(0), patience);
});

it.runIf(isLinux)(
  'while another process writes to the index and the history of a vault, the others answer',
  patient,
  async () => {
    const home = tempFolder();
    const open = opener(home);
    const awake = { sleepMs: 1e9 };
    const a = open('a', awake);
    writeFileSync(join(a.path, 'a.md'), '#one');
    await a.vault.parts.keeper.settle();
    await a.vault.parts.state.wordKey('reader');
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(index|state)\.db$/.test(file))
      .map((file) => join(home, file));
    expect(files).toHaveLength(2);
    const b = open('b', awake);
    writeFileSync(join(b.path, 'b.md'), '#b');
    await b.vault.parts.keeper.settle();
    const others = await Promise.all(files.map((file) => openDatabase(file)));
    for (const other of others) other.exec('BEGIN IMMEDIATE');
    writeFileSync(join(a.path, 'a.md'), '#two');
    let done = 0;
    const waiting = [
      a.vault.parts.keeper.refresh([vaultPath('a.md')]),
      a.vault.parts.state.wordKey('another'),
    ].map((each) => each.then(() => (done += 1)));
    // For a while, until both of these have certainly got there.
    for (let round = 0; round < 30; round++) {
      expect(await tagsOf(b.vault)).toEqual(['#b']);
      await b.vault.parts.state.wordKey('reader');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(done).toBe(0);
    for (const other of others) other.close();
    await Promise.all(waiting);
    expect(await tagsOf(a.vault)).toEqual(['#two']);
    expect((await a.vault.parts.state.wordKey('reader')).readers).toEqual(['another', 'reader']);
  },
);
