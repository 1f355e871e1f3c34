import { afterEach, beforeEach, expect, it } from 'vitest';
import { batch, entry, fill, note, paths } from '../../../test/support/index-records.ts';
import { packNotes } from '../../../test/support/pack-records.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

const withoutSecret: View = { folders: [''], hide: ['Secret'], exclude: [] };

let store: IndexStore;
beforeEach(async () => {
  store = await openSqliteIndex({ file: ':memory:' });
});
afterEach(() => store.close());

it('links are found by the last name they write, whatever they lead to', async () => {
  await fill(store, {
    notes: [
      note('c.md', ['Deep/Target', 'Target']),
      note('a.md', ['../TARGET.md#h', 'other']),
      note('b.md', ['targets', 'Target/']),
      note('d.md', ['']),
    ],
  });
  expect(await store.sourcesNaming(['target'])).toEqual(['c.md']);
  expect(await store.sourcesNaming(['target', 'target.md#h', 'none'])).toEqual(['a.md', 'c.md']);
  expect(await store.sourcesNaming([])).toEqual([]);
});

it('links to a file that is gone are counted, as far as they lead to none', async () => {
  const notes = [
    note('a.md', ['Gone', 'Gone', 'F/gone.md']),
    note('F/b.md', ['./Gone', 'G/Gone', 'Other']),
    note('Secret/c.md', ['Gone']),
  ];
  await fill(store, { notes });
  const gone = ['F/Gone.md', 'None.md'].map(vaultPath);
  expect(await store.linksMissing(wholeVault, gone)).toEqual([5, 0]);
  expect(await store.linksMissing(withoutSecret, gone)).toEqual([4, 0]);
  // Links to the bare name lead to another file now.
  await fill(store, { notes: [...notes, note('Gone.md', [])] });
  expect(await store.linksMissing(wholeVault, gone)).toEqual([2, 0]);
});

it('files that could not be read are told with the reason, as far as they are seen', async () => {
  const files = [
    entry('Secret/Cloud.canvas', 1, { present: false }),
    entry('Huge.md', 1, { size: limits.noteBytesMax + 1 }),
    entry('Locked.base'),
    entry('Read.md'),
    entry('cloud.png', 1, { present: false }),
  ];
  await store.seen(2, batch(...files));
  await store.putNotes(packNotes([note('Read.md'), note('Locked.base')]));
  expect(await store.unparsed(withoutSecret)).toEqual([
    { path: 'Huge.md', reason: 'too large to read' },
  ]);
  await store.forgetContents(paths('Locked.base'));
  expect(await store.unparsed(wholeVault)).toEqual([
    { path: 'Huge.md', reason: 'too large to read' },
    { path: 'Locked.base', reason: 'could not be read' },
    { path: 'Secret/Cloud.canvas', reason: 'not downloaded' },
  ]);
});
