import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { recoverChanges } from '../../src/engine/change/recover-changes.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { counted } from '../support/counts.ts';
import {
  chooseBySeed,
  crashingDisk,
  dropAll,
  dyingWith,
  keepAll,
  keepNames,
} from '../support/crashing-disk.ts';
import type { CrashChoice } from '../support/durable-tree.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { type MemoryDisk, memoryDisk } from '../support/memory-disk.ts';
import { type MemoryState, memoryState, type StateFault } from '../support/memory-state.ts';
import { openWrittenVault, type WrittenVault } from '../support/written-vault.ts';
import { faultVault } from './changes.ts';
import { rawChange } from './raw-changes.ts';
import { snapshot } from './snapshot.ts';

// Changes of several callers that are committed together. Whatever happens, each of them is whole or
// not there, history has those that are there and no others, and what was answered has happened.

const names = ['Home.md', 'Old.md', 'Folder/Inner.md', 'Folder/Other.md'];
const seeds = counted({ quick: 1, full: 4, soak: 40 });
const momentStep = counted({ quick: 2, full: 1 });

/** The one of them that a raw file tool writes. */
const rawName = 'Folder/Other.md';

/** Appends to all files at once; answers which of them have succeeded as long as someone listened. */
async function appendToAll(
  vault: WrittenVault,
  isHeard: () => boolean = () => true,
): Promise<readonly string[]> {
  const heard = new Set<string>();
  await Promise.allSettled(
    names.map(async (name) => {
      const text = `more in ${name}`;
      if (name !== rawName) await vault.change(appendNote, { name, text });
      else {
        await rawChange(vault, async (raw, draft) => {
          const { bytes } = await draft.readBytes(vaultPath(name), 1_000);
          await raw.put(vaultPath(name), Buffer.concat([bytes, Buffer.from(`${text}\n`)]));
        });
      }
      if (isHeard()) heard.add(name);
    }),
  );
  return names.filter((name) => heard.has(name));
}

/** Recovers, and checks that each change is whole or not there. Answers the names of those there. */
async function made(disk: MemoryDisk, shared: MemoryState, where: string) {
  const { state } = shared.open();
  await recoverChanges({ disk, state });
  expect(await state.unfinished(), where).toEqual([]);
  const files = snapshot(disk);
  const old = snapshot(memoryDisk(faultVault));
  expect(Object.keys(files), where).toEqual(Object.keys(old));
  const changed = names.filter((name) => files[name] !== old[name]);
  const expected = changed.map((name) => [name, `${old[name]}more in ${name}\n`]);
  expect(files, where).toEqual({ ...old, ...Object.fromEntries(expected) });
  const { items } = await state.changes({}, { limit: 100, offset: 0 });
  const recorded = items.flatMap(({ steps }) => steps.map(({ path }) => path));
  expect(recorded.toSorted(), where).toEqual(changed.toSorted());
  return changed;
}

it('are recorded together, and are each a change of their own', async () => {
  const shared = await memoryState();
  const process = shared.open();
  const begun: number[] = [];
  const { beginSingles } = process.state;
  Object.assign(process.state, {
    beginSingles: (changes: Parameters<typeof beginSingles>[0]) => {
      begun.push(changes.length);
      return beginSingles(changes);
    },
  });
  const vault = await openWrittenVault(faultVault, { process });
  expect(await appendToAll(vault)).toEqual(names);
  expect(begun).toEqual([names.length]);
  expect(await made(vault.disk, shared, 'all is well')).toEqual(names);
  expect(await vault.indexFaults()).toEqual([]);
});

it('are each whole or not there when the power goes out at any moment', async () => {
  const start = async (crashAt?: number) => {
    const disk = memoryDisk(faultVault);
    const shared = await memoryState();
    const crashing = crashingDisk(disk, crashAt === undefined ? {} : { crashAt });
    const vault = await openWrittenVault(disk, { process: dyingWith(crashing, shared.open()) });
    Object.assign(vault.whole.parts, { disk: crashing });
    const answered = await appendToAll(vault, () => !crashing.crashed);
    return { shared, crashing, answered };
  };
  const { moments } = (await start()).crashing;
  const fixed: readonly CrashChoice[] = [keepAll, dropAll, keepNames];
  const results = new Set<number>();
  for (let crashAt = 1; crashAt <= moments; crashAt += momentStep) {
    const mixed = Array.from({ length: seeds }, (_, n) => chooseBySeed(crashAt * 1_000 + n));
    for (const [n, choice] of [...fixed, ...mixed].entries()) {
      const { shared, crashing, answered } = await start(crashAt);
      const where = `moment ${crashAt} of ${moments}, choice ${n}`;
      await shared.cutPower({ lose: crashAt % 2 === 0 ? 'unsynced' : 'nothing' });
      const changed = await made(crashing.afterCrash(choice), shared, where);
      expect(changed, where).toEqual(expect.arrayContaining(answered as string[]));
      results.add(changed.length);
    }
  }
  expect(results.size).toBeGreaterThan(2); // Not only none and all.
});

it('are each whole or not there when the process is killed at any call of its state', async () => {
  for (let crashAt = 1; ; crashAt++) {
    for (const when of ['before', 'after'] as const) {
      const { answered, disk, shared, faulted } = await withState({ crashAt, when });
      const where = `call ${crashAt}, ${when}`;
      const changed = await made(disk, shared, where);
      expect(changed, where).toEqual(expect.arrayContaining(answered as string[]));
      if (!faulted) return;
    }
  }
});

it('succeed or fail as they are told when any call of the state fails', async () => {
  for (let failAt = 1; ; failAt++) {
    for (const when of ['before', 'after'] as const) {
      if (failAt === 1 && when === 'after') continue; // A lock that is held, and nobody knows it.
      const { answered, disk, shared, faulted } = await withState({ failAt, when });
      const where = `call ${failAt}, ${when}`;
      expect(await made(disk, shared, where), where).toEqual(answered);
      if (!faulted) return;
    }
  }
});

async function withState(fault: StateFault) {
  const disk = memoryDisk(faultVault);
  const shared = await memoryState();
  const process = shared.open(fault);
  const vault = await openWrittenVault(disk, { process });
  const answered = await appendToAll(vault);
  process.kill();
  return { answered, disk, shared, faulted: process.faulted() };
}

it.each(['before', 'after'] as const)(
  'do not take each other down when the disk fails %s any of its calls',
  async (when) => {
    for (let failAt = 1; ; failAt++) {
      const disk = memoryDisk(faultVault);
      const shared = await memoryState();
      const process = shared.open();
      const vault = await openWrittenVault(disk, { process });
      const failing = failingDisk(disk, { failAt, errno: 'EIO', when });
      Object.assign(vault.whole.parts, { disk: failing });
      const answered = await appendToAll(vault);
      process.kill();
      const where = `call ${failAt}, ${failing.failed?.method} of ${failing.failed?.path}`;
      const changed = await made(disk, shared, where);
      expect(changed, where).toEqual(expect.arrayContaining(answered as string[]));
      expect(answered.length, where).toBeGreaterThanOrEqual(names.length - 1);
      if (failing.failed === undefined) return;
    }
  },
);

it('keep the order on one file, and one that fails leaves the others', async () => {
  const vault = await openWrittenVault(faultVault);
  const append = (name: string, text: string) => vault.change(appendNote, { name, text });
  const outcomes = await Promise.allSettled([
    append('Home.md', 'one'),
    append('Nowhere.md', 'x'),
    append('Old.md', 'two'),
    append('Home.md', 'three'),
    append('Old.md', 'four'),
    append('Home.md', 'five'),
  ]);
  expect(outcomes.map(({ status }) => status[0])).toEqual(['f', 'r', 'f', 'f', 'f', 'f']);
  expect(vault.text('Home.md')).toBe(`${faultVault['Home.md']}one\nthree\nfive\n`);
  expect(vault.text('Old.md')).toBe(`${faultVault['Old.md']}two\nfour\n`);
  expect(await vault.indexFaults()).toEqual([]);
});

it('are planned again when an editor saves a file meanwhile', async () => {
  const vault = await openWrittenVault(faultVault);
  const stage = vault.disk.stage.bind(vault.disk);
  let isSaved = false;
  const editor: typeof stage = async (path, ...rest) => {
    if (path === 'Old.md' && !isSaved) {
      isSaved = true;
      vault.disk.write('Old.md', 'saved by an editor\n');
    }
    return stage(path, ...rest);
  };
  Object.assign(vault.whole.parts, {
    disk: Object.assign(Object.create(vault.disk), { stage: editor }),
  });
  expect(await appendToAll(vault)).toEqual(names);
  expect(vault.text('Old.md')).toBe('saved by an editor\nmore in Old.md\n');
});

it('leave out a change whose caller gives up before its file is replaced', async () => {
  const vault = await openWrittenVault(faultVault);
  const controller = new AbortController();
  const given = vault.as({ signal: controller.signal });
  const stage = vault.disk.stage.bind(vault.disk);
  const leaving: typeof stage = async (path, ...rest) => {
    await stage(path, ...rest);
    if (path === 'Old.md') controller.abort(new VaultError('cancelled', 'gave up'));
  };
  Object.assign(vault.whole.parts, {
    disk: Object.assign(Object.create(vault.disk), { stage: leaving }),
  });
  const outcomes = await Promise.allSettled([
    vault.change(appendNote, { name: 'Home.md', text: 'one' }),
    given.change(appendNote, { name: 'Old.md', text: 'two' }),
    vault.change(appendNote, { name: 'Folder/Inner.md', text: 'three' }),
  ]);
  expect(outcomes.map(({ status }) => status[0])).toEqual(['f', 'r', 'f']);
  expect(vault.text('Old.md')).toBe(faultVault['Old.md']);
  expect(vault.disk.paths().filter((path) => path.includes('.~vd-'))).toEqual([]);
});
