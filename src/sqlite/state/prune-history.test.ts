import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { change, put, write } from '../../../test/support/change-records.ts';
import {
  at,
  bounds,
  days,
  describePruning,
  noted,
} from '../../../test/support/pruning-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteState } from './sqlite-state-store.ts';

describePruning('memory', () => openSqliteState({ file: ':memory:' }));

test('what is forgotten is neither in the file nor beside it, and the file is smaller', async () => {
  const file = `${tempFolder()}/state.db`;
  // Words that are too short to be packed, in a note and in the name of a file.
  const secret = 'hidden-words-of-a-note';
  const held = () =>
    ['', '-wal', '-shm'].some(
      (end) => existsSync(file + end) && readFileSync(file + end).includes(secret),
    );
  const store = await openSqliteState({ file });
  const kept = change([write(`${secret}.md`, undefined, secret)], at(1));
  await days(store, [[kept, { contents: [put(secret)] }], ...[1, 2, 3, 4].map(noted)]);
  const full = statSync(file).size + statSync(`${file}-wal`).size;
  expect(held()).toBe(true);
  await store.prune(bounds({}));
  expect(held()).toBe(false);
  expect(statSync(`${file}-wal`).size).toBe(0);
  expect(statSync(file).size).toBeLessThan(full / 2);
  await store.close();
});

test('a file of an earlier version is written anew, without what it had forgotten', async () => {
  const file = `${tempFolder()}/state.db`;
  const secret = 'hidden-words-of-a-note';
  const store = await openSqliteState({ file });
  await days(store, [[change([], at(1)), { contents: [put(secret)] }]]);
  await store.close();
  const earlier = await openDatabase(file);
  earlier.exec(`PRAGMA secure_delete = OFF; PRAGMA application_id = 0;
    DELETE FROM content; DELETE FROM need; PRAGMA wal_checkpoint(TRUNCATE)`);
  earlier.close();
  expect(readFileSync(file).includes(secret)).toBe(true);
  const now = await openSqliteState({ file });
  await now.prune(bounds({}));
  expect(readFileSync(file).includes(secret)).toBe(false);
  await now.close();
});
