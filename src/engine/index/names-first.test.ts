import { afterEach, expect, it } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import {
  nodeBase64,
  nodeClock,
  nodeHash,
  nodeRandom,
  nodeTimers,
  nodeTurn,
} from '../../node/system/node-ports.ts';
import { openSqliteIndex } from '../../sqlite/index/sqlite-index-store.ts';
import { Vault } from '../open/vault.ts';
import { deleteFile } from '../operations/move/delete-file.ts';
import { renameFile } from '../operations/move/rename-file.ts';
import { readNote } from '../operations/read/read-note.ts';
import { createNote } from '../operations/write/create-note.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { IndexKeeper } from './index-keeper.ts';

let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

/** A vault whose files have been walked and not read, until `go`. */
async function openUnread(
  files: Readonly<Record<string, string>>,
): Promise<{ vault: BoundVault; go: () => void }> {
  const disk = memoryDisk(files);
  const scanner = memoryScanner(disk);
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const keeper = new IndexKeeper({
    disk,
    scanner: {
      ...scanner,
      walk: (folder, onBatch) => scanner.walk(folder, onBatch),
      scan: async (...args) => {
        await gate;
        return scanner.scan(...args);
      },
      close: () => scanner.close(),
    },
    clock: nodeClock,
    timers: nodeTimers,
    openStore: () => openSqliteIndex({ file: ':memory:' }),
  });
  keeper.start();
  const { state, lock } = (await memoryState()).open();
  const vault = new Vault({
    name: 'test',
    location: 'test',
    disk,
    scanner,
    keeper,
    clock: nodeClock,
    timers: nodeTimers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock,
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
  end = async () => {
    go();
    await vault.close();
  };
  return { vault: vault.bind(testCaller({ indexWaitMs: 50 })), go };
}

const files = { 'Sub/A.md': 'a', 'B.md': '[[A]]', 'C.md': '' };

it('a note is found by its name before any note has been read', async () => {
  const { vault } = await openUnread(files);
  await vault.waitForIndex('names', { waitMs: 5_000 });
  expect(await readNote(vault, { name: 'a' })).toMatchObject({ path: 'Sub/A.md', text: 'a' });
  await expect(readNote(vault, { name: 'Nobody' })).rejects.toMatchObject({ code: 'not_found' });
});

it('a note of a new name is made, since no link can lead elsewhere because of it', async () => {
  const { vault } = await openUnread(files);
  await vault.waitForIndex('names', { waitMs: 5_000 });
  expect(await vault.change(createNote, { path: 'New' })).toMatchObject({ path: 'New.md' });
});

it.each<[string, (vault: BoundVault) => Promise<unknown>]>([
  ['a note of a name that another has', (vault) => vault.change(createNote, { path: 'A' })],
  ['a rename', (vault) => vault.change(renameFile, { name: 'C', newName: 'D' })],
])('%s waits for links, and says how far they are', async (_what, change) => {
  const { vault, go } = await openUnread(files);
  await vault.waitForIndex('names', { waitMs: 5_000 });
  await expect(change(vault)).rejects.toMatchObject({ code: 'timeout' });
  go();
  await vault.waitForIndex('facts', { waitMs: 5_000 });
  await change(vault);
});

it('a delete that leaves links as they are does without their list', async () => {
  const { vault } = await openUnread(files);
  await vault.waitForIndex('names', { waitMs: 5_000 });
  const answer = await vault.change(deleteFile, { name: 'C' });
  expect(answer).toMatchObject({ path: 'C.md', linkedFrom: [] });
  expect(answer.warnings).toEqual([expect.stringContaining('still being indexed')]);
});
