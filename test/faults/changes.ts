import { vaultPath } from '../../src/base/vault-path.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { moveFolder } from '../../src/engine/operations/move/move-folder.ts';
import { renameTag } from '../../src/engine/operations/move/rename-tag.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { addTags } from '../../src/engine/operations/write/change-tags.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import {
  setNoteProperty,
  setNotesProperties,
} from '../../src/engine/operations/write/set-note-property.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import type { MemoryVault, WrittenVault } from '../support/written-vault.ts';

/** A small vault in which every kind of change has something to do. */
export const faultVault: Readonly<Record<string, string>> = {
  'Home.md': '---\ntags: [start]\n---\n[[Old]] and [[Folder/Inner]] #work\n',
  'Old.md': 'see [[Home]] #work/now\n',
  'Folder/Inner.md': '[up](../Old.md) ![[pic.png]]\n',
  'Folder/Other.md': '[[Old|Old]] [[Inner]]\n',
  'Folder/pic.png': 'pixels',
  'Board.canvas': '{"nodes":[{"id":"1","type":"file","file":"Old.md"}]}',
};

/** One change of the vault, by each kind of operation. `first` is done before faults begin. */
export interface FaultyChange {
  readonly name: string;
  readonly first?: (vault: MemoryVault) => Promise<unknown>;
  readonly run: (vault: WrittenVault) => Promise<unknown>;
}

const swap = async (draft: Draft): Promise<object> => {
  await draft.move(vaultPath('Old.md'), vaultPath('x.md'));
  await draft.move(vaultPath('Home.md'), vaultPath('Old.md'));
  await draft.move(vaultPath('x.md'), vaultPath('Home.md'));
  return {};
};

const takePlace = async (draft: Draft): Promise<object> => {
  await draft.delete(vaultPath('Folder/Other.md'));
  await draft.move(vaultPath('Folder/Inner.md'), vaultPath('Folder/Other.md'));
  await draft.create(vaultPath('Folder/Inner.md'), 'new');
  return {};
};

const several = async (draft: Draft): Promise<object> => {
  await createNote(draft, { path: 'New/Deep/Note.md', content: 'new [[Old]]\n' });
  await appendNote(draft, { name: 'Home', text: 'more' });
  await moveFile(draft, { name: 'Old', to: 'New/Old' });
  await draft.delete(vaultPath('Folder/Other.md'));
  return {};
};

const inMovedFolder = async (draft: Draft): Promise<object> => {
  await draft.create(vaultPath('Folder/New.md'), 'new');
  await draft.move(vaultPath('Folder/pic.png'), vaultPath('Folder/Deep/pic.png'));
  await draft.delete(vaultPath('Folder/Other.md'));
  await draft.moveFolder(vaultPath('Folder'), vaultPath('A/B'));
  return {};
};

export const faultyChanges: readonly FaultyChange[] = [
  { name: 'append', run: (v) => v.change(appendNote, { name: 'Home', text: 'more' }) },
  {
    name: 'create in new folders',
    run: (v) => v.change(createNote, { path: 'New/Deep/Note', content: 'x' }),
  },
  {
    name: 'create beside a note of the same name',
    run: (v) => v.change(createNote, { path: 'Other', content: 'x' }),
  },
  {
    name: 'set a property',
    run: (v) => v.change(setNoteProperty, { name: 'Old', key: 'done', value: true }),
  },
  {
    name: 'set properties of several notes',
    run: (v) =>
      v.change(setNotesProperties, {
        names: ['Old', 'Home'],
        properties: { done: 'true', a: null },
      }),
  },
  { name: 'add a tag', run: (v) => v.change(addTags, { name: 'Home', tags: ['new'] }) },
  { name: 'rename', run: (v) => v.change(moveFile, { name: 'Old', to: 'Notes/New.md' }) },
  {
    name: 'move an attachment',
    run: (v) => v.change(moveFile, { name: 'Folder/pic.png', to: 'pic.png' }),
  },
  { name: 'move a folder', run: (v) => v.change(moveFolder, { folder: 'Folder', to: 'A/B' }) },
  { name: 'delete', run: (v) => v.change(deleteFile, { name: 'Old' }) },
  {
    name: 'delete for good',
    run: (v) => v.change(deleteFile, { name: 'Old', permanent: true, links: 'unlink' }),
  },
  { name: 'rename a tag', run: (v) => v.change(renameTag, { tag: 'work', newTag: 'job' }) },
  { name: 'swap two notes', run: (v) => v.change(swap, {}) },
  { name: 'move a note into the place of another', run: (v) => v.change(takePlace, {}) },
  { name: 'change files of a folder that moves', run: (v) => v.change(inMovedFolder, {}) },
  { name: 'several operations', run: (v) => v.change(several, {}) },
  {
    name: 'undo a rename',
    first: (v) => v.change(moveFile, { name: 'Old', to: 'Notes/New.md' }),
    run: (v) => v.change(undoChanges, { last: 1 }),
  },
  {
    name: 'undo several operations',
    first: (v) => v.change(several, {}),
    run: (v) => v.change(undoChanges, { last: 1 }),
  },
];

/** The changes of these names, which must all be there. */
export function changesNamed(
  all: readonly FaultyChange[],
  names: readonly string[],
): readonly FaultyChange[] {
  return names.map((name) => {
    const found = all.find((change) => change.name === name);
    if (found === undefined) throw new Error(`There is no change "${name}".`);
    return found;
  });
}

/** A few that between them write, make, move and remove files. */
export const fewFaultyChanges = changesNamed(faultyChanges, ['append', 'rename', 'delete']);
