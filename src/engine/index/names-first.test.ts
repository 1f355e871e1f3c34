import { afterEach, describe, expect, it } from 'vitest';
import { openColdVault } from '../../../test/support/cold-vault.ts';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { listTags } from '../operations/list/list-tags.ts';
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

let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

/** A vault whose files have been walked and not read, until `go`; with `unwalked` not even walked. */
async function openUnread(
  files: Readonly<Record<string, string>>,
  options: { clock?: Clock; timers?: Timers; caller?: Partial<Caller>; unwalked?: boolean } = {},
): Promise<{ vault: BoundVault; go: () => void }> {
  const { vault, go, close } = await openColdVault(files, options);
  end = async () => {
    end = () => Promise.resolve();
    await close();
  };
  return { vault, go };
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
  ['a rename', (vault) => vault.change(renameFile, { name: 'A', newName: 'D' })],
  ['a move', (vault) => vault.change(moveFile, { name: 'A', to: 'Else/' })],
  ['a delete', (vault) => vault.change(deleteFile, { name: 'A', links: 'unlink' })],
])(
  '%s finds the links by reading the notes, and does not wait for the index',
  async (_, change) => {
    const { vault } = await openUnread({ ...files, 'D.md': 'nothing' });
    await change(vault);
    const { keeper } = vault.vault.parts;
    expect(keeper.isReady('facts')).toBe(false);
    // Only the note that names the other was parsed.
    expect(await (await keeper.store()).lacking('facts')).toContain('C.md');
  },
);

it('a delete that leaves links as they are lists them', async () => {
  const { vault } = await openUnread(files);
  const answer = await vault.change(deleteFile, { name: 'A' });
  expect(answer).toMatchObject({ path: 'Sub/A.md', linkedFrom: [{ path: 'B.md', line: 1 }] });
  expect(answer.warnings).toEqual([]);
});

it('a list over all notes waits until they are read, and then has all of them', async () => {
  const { vault, go } = await openUnread({ 'A.md': '#one', 'B.md': '#two' });
  await vault.waitForIndex('names');
  const listed = listTags(vault);
  go();
  expect((await listed).map(({ tag }) => tag)).toEqual(['#one', '#two']);
});

it('says how far the index is when that takes too long', async () => {
  const { vault } = await openUnread(files, { caller: { indexWaitMs: 50 } });
  await expect(listTags(vault)).rejects.toMatchObject({ code: 'timeout' });
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

  it('for names, where the vault has not been walked', async () => {
    for (const [what, change] of patient) {
      expect(await waitedMs(change, true), what).toBe(limits.indexWaitMs);
    }
  });

  it('for all notes, only where the change is about all of them', async () => {
    for (const [what, change] of patient) {
      // The clock also moves while the build pauses for the call.
      const isPatient = (await waitedMs(change, false)) === limits.indexWaitMs;
      expect(isPatient, what).toBe(what === 'rename tag');
    }
  });
});
