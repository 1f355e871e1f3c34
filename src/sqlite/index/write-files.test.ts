import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batch, dumpOf, entry, fill, note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { assert } from '../../base/assert.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

test('a file in whose place there was a folder ends what lay in it, and the other way round', async () => {
  const store = await openSqliteIndex({ file: ':memory:' });
  const filesOf = async () => (await store.status(wholeVault)).files;
  const [a, all] = [vaultPath('A.md'), { limit: 9, offset: 0 }];
  await fill(store, {
    notes: [note('X/B.md', ['A']), note('X/y/C.md'), note('A.md', ['X/B']), note('X0.md')],
  });
  await store.seen(0, batch(entry('X')));
  expect((await store.linksFrom(wholeVault, a)).map(({ target }) => target)).toEqual([undefined]);
  expect((await store.linksTo(wholeVault, a, all)).total).toBe(0);
  expect(await filesOf()).toBe(3);
  await store.seen(0, batch(entry('X/y/D.md')));
  expect(await store.file(wholeVault, vaultPath('X'))).toBeUndefined();
  expect(await filesOf()).toBe(3);
  await store.close();
});

test('files that were just read are stored in one call as in three steps', async () => {
  const [store, other] = await Promise.all([1, 2].map(() => openSqliteIndex({ file: ':memory:' })));
  assert(store !== undefined && other !== undefined, 'two were opened');
  await fill(store, { notes: [note('A.md', ['B'])], texts: [text('A.md', 'apple')] });
  const notes = [note('A.md', ['B'], { revision: 2, tags: [['t', 1]] }), note('B.md')];
  const entries = notes.map(({ path, stat }) => ({ path, ...stat }));
  const texts = [text('A.md', 'pear', 2), text('B.md', 'plum')];
  await store.putRead(batch(...entries), packNotes(notes), packTexts(texts));
  await fill(other, { notes, texts });
  expect(await dumpOf(store)).toEqual(await dumpOf(other));
  await Promise.all([store.close(), other.close()]);
});

test('the index asks no more for a racy file that was read again and is the same', async () => {
  const store = await openSqliteIndex({ file: ':memory:' });
  await fill(store, { notes: [note('A.md', [], { racy: true })], texts: [text('A.md', 'old')] });
  const { stamp } = entry('A.md');
  const others = [
    { path: vaultPath('A.md'), stamp: 'another' },
    { path: vaultPath('B.md'), stamp },
  ];
  expect(await store.confirm(others)).toEqual(['A.md', 'B.md']);
  expect(await store.seen(2, batch(entry('A.md')))).toEqual(['A.md']);
  expect(await store.confirm([{ path: vaultPath('A.md'), stamp }])).toEqual([]);
  expect(await store.seen(3, batch(entry('A.md')))).toEqual([]);
  expect(await store.lackingText(10)).toEqual([]);
  await store.close();
});

test('the end of a walk that has to wait for another process removes only what the walk missed', async () => {
  const file = join(tempFolder(), 'index.db');
  const store = await openSqliteIndex({ file });
  await fill(store, { files: ['A.md', 'B.md', 'C.md', 'Gone.md'] });
  await store.seen(7, batch(entry('A.md'), entry('B.md'), entry('C.md')));
  const other = await openDatabase(file);
  other.exec('BEGIN IMMEDIATE');
  const ending = store.endWalk(7, '');
  await setTimeout(30);
  other.exec('COMMIT');
  other.close();
  expect(await ending).toBe(1);
  expect((await store.status(wholeVault)).files).toBe(3);
  await store.close();
});
