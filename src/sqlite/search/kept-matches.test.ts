import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batch, entry, note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import * as q from '../../../test/support/search-queries.ts';
import { foundPaths } from '../../../test/support/searched-vault.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openIndexDatabase } from '../index/open-index-database.ts';
import { openSqliteIndex } from '../index/sqlite-index-store.ts';
import { noIds } from '../tables/id-set.ts';
import { KeptMatches } from './kept-matches.ts';

const words = q.words('word');
const put = (store: IndexStore, path: string) =>
  store.putRead(batch(entry(path)), packNotes([note(path)]), packTexts([text(path, 'word')]));

it('a search finds what was written since the last one, by this process and by others', async () => {
  const file = join(tempFolder(), 'index.db');
  const [one, other] = [await openSqliteIndex({ file }), await openSqliteIndex({ file })];
  await put(one, 'a.md');
  expect(await foundPaths(one, words)).toEqual(['a.md']);
  await put(other, 'b.md');
  expect(await foundPaths(one, words)).toEqual(['a.md', 'b.md']);
  expect(await foundPaths(other, words)).toEqual(['a.md', 'b.md']);
  await put(other, 'c.md');
  expect(await foundPaths(other, words)).toEqual(['a.md', 'b.md', 'c.md']);
  await one.forget([vaultPath('a.md')]);
  expect(await foundPaths(other, words)).toEqual(['b.md', 'c.md']);
  await one.close();
  await other.close();
});

it('the same search answers the same again, with the same scores', async () => {
  const store = await openSqliteIndex({ file: ':memory:' });
  for (const path of ['a.md', 'b.md', 'word.md']) await put(store, path);
  const ask = () => store.search(wholeVault, q.words('words'), { limit: 10, offset: 0 });
  expect(await ask()).toEqual(await ask());
  await store.close();
});

it('expressions that match nothing do not fill the memory', async () => {
  const connection = await openIndexDatabase(':memory:', '');
  const kept = new KeptMatches();
  const ask = (match: string) => kept.during(connection, () => kept.ids(match, () => noIds));
  ask('first');
  expect(kept.has('first')).toBe(true);
  for (let i = 0; i < 20_000; i++) ask(`phrase ${i}`);
  expect(kept.has('first')).toBe(false);
  connection.close();
});
