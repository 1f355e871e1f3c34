import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { idsOf, save } from '../../../test/support/change-records.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { describeStateStore } from '../../../test/support/state-store-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteState } from './sqlite-state-store.ts';

describeStateStore('a file', () =>
  openSqliteState({ file: join(tempFolder(), 'deep', 'state.db') }),
);
describeStateStore('memory', async () => (await memoryState()).open().state);

test('a checkpoint that meets a reader leaves the log, and the next one lets it begin anew', async () => {
  const file = join(tempFolder(), 'state.db');
  const store = await openSqliteState({ file });
  onTestFinished(() => store.close());
  const saved = (text: string) =>
    save(store, { before: undefined, after: text, path: `${text}.md` });
  await saved('one');
  const reader = await openDatabase(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM change').get();
  await saved('two');
  await store.checkpoint();
  await saved('three');
  const before = statSync(`${file}-wal`).size;
  reader.exec('COMMIT');
  reader.close();
  await store.checkpoint();
  await saved('four');
  expect(statSync(`${file}-wal`).size).toBe(before); // Written from its beginning, not at its end.
  expect(await idsOf(store)).toHaveLength(4);
});
