import { afterEach, describe, expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
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
import { moveFile } from '../operations/move/move-file.ts';
import { moveFolder } from '../operations/move/move-folder.ts';
import { renameBlock } from '../operations/move/rename-block.ts';
import { renameFile } from '../operations/move/rename-file.ts';
import { renameHeading } from '../operations/move/rename-heading.ts';
import { renameTag } from '../operations/move/rename-tag.ts';
import { readNote } from '../operations/read/read-note.ts';
import { createNote } from '../operations/write/create-note.ts';
import type { Clock, Timers } from '../ports/ports.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { IndexKeeper } from './index-keeper.ts';

let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

/** A vault whose files have been walked and not read, until `go`; with `unwalked` not even walked. */
async function openUnread(
  files: Readonly<Record<string, string>>,
  options: { clock?: Clock; timers?: Timers; caller?: Partial<Caller>; unwalked?: boolean } = {},
): Promise<{ vault: BoundVault; go: () => void }> {
  const { clock = nodeClock, timers = nodeTimers, caller = { indexWaitMs: 50 } } = options;
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
      walk: async (folder, onBatch) => {
        if (options.unwalked === true) await gate;
        return scanner.walk(folder, onBatch);
      },
      scan: async (...args) => {
        await gate;
        return scanner.scan(...args);
      },
      close: () => scanner.close(),
    },
    clock,
    timers,
    openStore: () => openSqliteIndex({ file: ':memory:' }),
  });
  keeper.start();
  const { state, lock, questions, proposals, dayTotals } = (await memoryState()).open();
  const vault = new Vault({
    name: 'test',
    location: 'test',
    disk,
    scanner,
    keeper,
    clock,
    timers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock,
    questions,
    proposals,
    dayTotals,
    openScratchIndex: () => openSqliteIndex({ file: ':memory:' }),
  });
  end = async () => {
    end = () => Promise.resolve();
    go();
    await vault.close();
  };
  return { vault: vault.bind(testCaller(caller)), go };
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

describe('a call waits for the index once', () => {
  const notes = { 'Sub/A.md': '# H\n\ntext #t ^b', 'B.md': '[[A]]', 'C.md': '' };

  /** Runs a change on a vault that is never indexed, with a clock that only waiting moves. */
  async function waitedMs(
    change: (vault: BoundVault) => Promise<unknown>,
    unwalked: boolean,
  ): Promise<number> {
    const manual = manualTimers();
    let nowMs = 1_000;
    let waiting = 0;
    const timers: Timers = {
      after: (ms, call) => {
        waiting++;
        const cancel = manual.after(ms, call);
        return () => {
          waiting--;
          cancel();
        };
      },
    };
    const clock = { nowMs: () => nowMs };
    const caller = { indexWaitMs: limits.indexWaitMs };
    const { vault } = await openUnread(notes, { clock, timers, caller, unwalked });
    if (!unwalked) await vault.vault.parts.keeper.wait('names', { waitMs: 5_000 });
    let isOver = false;
    const outcome = change(vault).finally(() => {
      isOver = true;
    });
    outcome.catch(() => undefined);
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting === 0) continue;
      nowMs += 50;
      manual.advance(50);
    }
    await outcome.catch((error: unknown) => expect(error).toMatchObject({ code: 'timeout' }));
    await end();
    return nowMs - 1_000;
  }

  type Row = readonly [string, (vault: BoundVault) => Promise<unknown>];
  const patient: readonly Row[] = [
    ['rename', (vault) => vault.change(renameFile, { name: 'Sub/A.md', newName: 'D' })],
    ['rename by name', (vault) => vault.change(renameFile, { name: 'A', newName: 'D' })],
    ['move', (vault) => vault.change(moveFile, { name: 'Sub/A.md', to: 'Else/' })],
    ['move folder', (vault) => vault.change(moveFolder, { folder: 'Sub', to: 'Else' })],
    [
      'delete and unlink',
      (vault) => vault.change(deleteFile, { name: 'Sub/A.md', links: 'unlink' }),
    ],
    ['rename tag', (vault) => vault.change(renameTag, { tag: 't', newTag: 'u' })],
    [
      'rename heading',
      (vault) => vault.change(renameHeading, { name: 'Sub/A.md', heading: 'H', newHeading: 'I' }),
    ],
    [
      'rename block',
      (vault) => vault.change(renameBlock, { name: 'Sub/A.md', block: 'b', newBlock: 'c' }),
    ],
    ['create a twin', (vault) => vault.change(createNote, { path: 'A' })],
  ];
  const delayed: readonly Row[] = [
    ['delete', (vault) => vault.change(deleteFile, { name: 'Sub/A.md' })],
  ];

  it.each([true, false])('where the vault has not been walked: %s', async (unwalked) => {
    for (const [what, change] of patient) {
      expect(await waitedMs(change, unwalked), what).toBe(limits.indexWaitMs);
    }
    for (const [what, change] of delayed) {
      expect(await waitedMs(change, unwalked), what).toBe(limits.courtesyWaitMs);
    }
  });
});
