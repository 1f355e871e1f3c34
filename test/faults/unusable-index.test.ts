import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { readNote } from '../../src/engine/operations/read/read-note.ts';
import { searchNotes } from '../../src/engine/operations/search/search-notes.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import { upsertNote } from '../../src/engine/operations/write/upsert-note.ts';
import { openWrittenVault } from '../support/written-vault.ts';

// An index whose disk is full: what needs no index works, the rest says why it does not.

const full = 'The index cannot be used.';
const unlisted = expect.objectContaining({ code: 'io_failed', message: full });

/** A vault whose index fails from now on, until `mend` is called. */
async function withoutIndex(files: Readonly<Record<string, string>>) {
  const vault = await openWrittenVault(files);
  const { walk } = vault.disk.source;
  vault.disk.source.walk = () => {
    throw new VaultError('io_failed', full, { details: { unusable: true } });
  };
  await expect(vault.keeper.reconcile()).rejects.toThrow(full);
  const mend = () => {
    vault.disk.source.walk = walk;
  };
  return { ...vault, mend };
}

it('a note is read, made, changed and deleted by its path', async () => {
  const { change, vault, text, files, close } = await withoutIndex({
    'a.md': 'Alpha.',
    'sub/B.md': 'Beta.',
  });
  expect(await readNote(vault, { name: 'a' })).toMatchObject({ text: 'Alpha.' });
  expect(await change(appendNote, { name: 'sub/B', text: 'more' })).toMatchObject({ change: 1 });
  expect(await change(createNote, { path: 'new/C', content: 'Gamma.' })).toMatchObject({
    path: 'new/C.md',
    others: [],
    warnings: [`${full} Links that may lead to "new/C.md" now were not looked for.`],
  });
  expect(await change(upsertNote, { path: 'new/D', text: 'Delta.' })).toMatchObject({
    did: 'created',
  });
  expect(await change(createNote, { path: 'a.md', content: 'A.', overwrite: true })).toMatchObject({
    path: 'a.md',
  });
  const counted = { path: 'a.md', content: 'A1.', counted: true };
  expect(await change(createNote, counted)).toMatchObject({ path: 'a 1.md' });
  expect(await change(deleteFile, { name: 'sub/B' })).toMatchObject({
    linkedFrom: [],
    warnings: [`${full} Links that lead to "sub/B.md" are not listed.`],
  });
  expect(text('new/C.md')).toBe('Gamma.');
  expect(Object.keys(files()).sort()).toEqual(
    ['.trash/B.md', 'a 1.md', 'a.md', 'new/C.md', 'new/D.md'].sort(),
  );
  await close();
});

it('a note is not made beside one whose name differs in case', async () => {
  const { change, close } = await withoutIndex({ 'sub/Note.md': '' });
  const made = change(createNote, { path: 'SUB/note', content: '' });
  await expect(made).rejects.toMatchObject({
    code: 'already_exists',
    details: { path: 'sub/Note.md' },
  });
  await close();
});

it('what needs the index says why it fails, and works again once there is room', async () => {
  const { change, vault, disk, mend, close } = await withoutIndex({
    'a.md': 'Alpha.',
    'b.md': '[[a]]',
  });
  const search = () => searchNotes(vault, { query: 'Alpha', folder: '', limit: 5, offset: 0 });
  await expect(search()).rejects.toEqual(unlisted);
  await expect(change(moveFile, { name: 'a', to: 'c' })).rejects.toEqual(unlisted);
  mend();
  await expect(search()).rejects.toEqual(unlisted); // It is not tried again with every call.
  for (let second = 0; second < 5; second++) disk.write('other.md', `${second}`); // Time passes.
  expect((await search()).hits).toHaveLength(1);
  await change(moveFile, { name: 'a', to: 'c' });
  await close();
});
