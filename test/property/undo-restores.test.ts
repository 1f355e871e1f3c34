import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { redoChange } from '../../src/engine/operations/history/redo-change.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { undoSelection } from '../../src/engine/operations/history/undo-selection.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { moveFolder } from '../../src/engine/operations/move/move-folder.ts';
import { renameFile } from '../../src/engine/operations/move/rename-file.ts';
import { renameTag } from '../../src/engine/operations/move/rename-tag.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import {
  setNoteProperty,
  setNotesProperties,
} from '../../src/engine/operations/write/set-note-property.ts';
import { counted, soakTime } from '../support/counts.ts';
import { type MemoryVault, openWrittenVault } from '../support/written-vault.ts';

// Promise 6: undo of any sequence of changes restores every byte, and redo brings it all back.

const start: Readonly<Record<string, string | Uint8Array>> = {
  'a.md': '# A\r\n\r\n[[b]] ![[pic.png]] #tag\r\n',
  'b.md': '---\ntags: [tag, other] # kept\nup: "[[a]]"\n---\nsee [[F/c|c]] and [c](F/c.md)',
  'F/c.md': '\ufeff[[a]] #tag/sub\n\n[[d]] ^id\n',
  'F/G/d.md': '',
  'F/pic.png': new Uint8Array([137, 80, 0, 255]),
  'board.canvas': '{"nodes":[{"id":"1","type":"file","file":"F/c.md","x":0,"y":0}]}',
};

const note = fc.constantFrom(
  'a.md',
  'b.md',
  'F/c.md',
  'd',
  'pic.png',
  'n.md',
  'F/n.md',
  'X/Y/n.md',
);
const name = fc.constantFrom('a', 'b', 'c', 'B', 'n', 'F/n', 'X/Y/n', 'Z/moved');
const folder = fc.constantFrom('F', 'F/G', 'X', 'X/Y', 'Z', 'F/X');
const tag = fc.constantFrom('tag', 'tag/sub', 'other', 'new');
const text = fc.constantFrom('more', '[[a]]\n', '- [[F/c]] #tag', 'x\r\n');

const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), path: name, content: text }),
  fc.record({ do: fc.constant('append' as const), name: note, text }),
  fc.record({ do: fc.constant('set' as const), name: note, key: tag, value: text }),
  fc.record({
    do: fc.constant('set all' as const),
    names: fc.array(note, { minLength: 1, maxLength: 3 }),
    properties: fc.dictionary(tag, fc.option(text), { minKeys: 1, maxKeys: 2 }),
  }),
  fc.record({ do: fc.constant('rename' as const), name: note, newName: name }),
  fc.record({ do: fc.constant('move folder' as const), folder, to: folder }),
  fc.record({ do: fc.constant('delete' as const), name: note, permanent: fc.boolean() }),
  fc.record({ do: fc.constant('rename tag' as const), tag, newTag: tag }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Makes a change; answers whether there was something to change. */
function make({ change }: MemoryVault, request: Step): Promise<boolean> {
  switch (request.do) {
    case 'create':
      return wasMade(change(createNote, request));
    case 'append':
      return wasMade(change(appendNote, request));
    case 'set':
      return wasMade(change(setNoteProperty, request));
    case 'set all':
      return wasMade(change(setNotesProperties, request));
    case 'rename':
      return wasMade(change(renameFile, request));
    case 'move folder':
      return wasMade(change(moveFolder, request));
    case 'delete':
      return wasMade(change(deleteFile, request));
    case 'rename tag':
      return wasMade(change(renameTag, request));
  }
}

/** Whether a change was made; a refusal is as good an answer as any here, a bug is not. */
async function wasMade(change: Promise<{ readonly change?: number | string }>): Promise<boolean> {
  try {
    return (await change).change !== undefined;
  } catch (error) {
    if (error instanceof VaultError && error.code !== 'internal') return false;
    throw error;
  }
}

/** Every file with its bytes, and every folder. */
async function snapshot({ disk }: MemoryVault): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const folderPath of disk.folders()) all[`${folderPath}/`] = '';
  for (const path of disk.paths()) {
    const { bytes } = await disk.read(path, { bytesMax: Number.MAX_SAFE_INTEGER });
    all[path] = Buffer.from(bytes).toString('latin1');
  }
  return all;
}

/** Undoes the last so many at once; answers how many changes that made. */
async function undoAll({ vault }: MemoryVault, last: number): Promise<number> {
  const plan = await undoSelection(vault, { last, dryRun: true });
  const answer = await undoSelection(vault, { last });
  expect(answer).toMatchObject({ merged: [], left: [], undone: plan.undone });
  expect(plan).toMatchObject({ merged: [], left: [] });
  return answer.changes.length;
}

/** Without folders: those that were left empty on the way are not made again. */
function filesOf(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([path]) => !path.endsWith('/')));
}

async function count(again: () => Promise<boolean>): Promise<number> {
  let times = 0;
  while (await again()) times++;
  return times;
}

const runs = counted({ quick: 8, full: 40, soak: 1_000 });
const steps = fc.array(step, { minLength: 1, maxLength: 12 });

it('restores every byte one change after the other, and brings every byte back', {
  timeout: soakTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (doings) => {
      const vault = await openWrittenVault(start);
      try {
        const states = [await snapshot(vault)];
        for (const doing of doings) {
          if (await make(vault, doing)) states.push(await snapshot(vault));
        }
        const changes = states.length - 1;
        for (const state of states.slice(0, -1).toReversed()) {
          expect(await vault.change(undoChanges, {})).toMatchObject({ merged: [], left: [] });
          expect(await snapshot(vault)).toEqual(state);
        }
        expect(await wasMade(vault.change(undoChanges, {}))).toBe(false);
        for (const state of states.slice(1)) {
          expect(await vault.change(redoChange, {})).toMatchObject({ merged: [], left: [] });
          expect(await snapshot(vault)).toEqual(state);
        }
        expect(await wasMade(vault.change(redoChange, {}))).toBe(false);
        // Once more: what was redone can be undone.
        expect(await count(() => wasMade(vault.change(undoChanges, {})))).toBe(changes);
        expect(await snapshot(vault)).toEqual(states[0]);
        expect(await vault.indexFaults()).toEqual([]);
      } finally {
        await vault.close();
      }
    }),
    { numRuns: runs },
  );
});

it('restores every byte all at once, and brings every byte back', {
  timeout: soakTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (doings) => {
      const vault = await openWrittenVault(start);
      try {
        const first = await snapshot(vault);
        let changes = 0;
        for (const doing of doings) if (await make(vault, doing)) changes++;
        fc.pre(changes > 0);
        const last = await snapshot(vault);
        const undos = await undoAll(vault, changes);
        expect(await snapshot(vault)).toEqual(first);
        for (let i = 0; i < undos; i++) {
          const { merged, left } = await vault.change(redoChange, {});
          // A folder that was empty, and so went with the undo, has nothing to be moved again.
          const files = left.filter(({ path }) => filesOf(last)[path] !== undefined);
          expect([merged, files]).toEqual([[], []]);
        }
        expect(filesOf(await snapshot(vault))).toEqual(filesOf(last));
        expect(await vault.indexFaults()).toEqual([]);
      } finally {
        await vault.close();
      }
    }),
    { numRuns: runs },
  );
});
