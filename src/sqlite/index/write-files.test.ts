import { expect, test } from 'vitest';
import { batch, entry, fill, note } from '../../../test/support/index-records.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { wholeVault } from '../../engine/ports/view.ts';
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
