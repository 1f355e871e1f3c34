import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { change, idsOf, make, put, textOf, write } from '../../../test/support/change-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openDatabase } from '../connection/open-database.ts';
import { releaseClosedFiles } from '../connection/release-closed-files.ts';
import { openSqliteState } from './sqlite-state-store.ts';

/** Windows has no file modes. */
const hasModes = process.platform !== 'win32';

async function filled(): Promise<string> {
  const file = join(tempFolder(), 'deep', 'state.db');
  const store = await openSqliteState({ file });
  for (let i = 0; i < 20; i++) {
    await make(store, change([write('a.md', undefined, `text ${i}`)]), {
      contents: [put(`text ${i}`)],
    });
  }
  await store.close();
  return file;
}

async function spoil(file: string, sql: string): Promise<void> {
  const database = await openDatabase(file);
  database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

test('history outlives the process, in one file that only its owner may enter', async () => {
  const file = await filled();
  await releaseClosedFiles();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  if (hasModes) expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  const store = await openSqliteState({ file });
  expect(await store.latest()).toBe(20);
  expect(await textOf(store, 'text 7')).toBe('text 7');
  await store.close();
});

test('processes that create it at the same moment wait for each other', async () => {
  const file = join(tempFolder(), 'state.db');
  const other = await openDatabase(file);
  // As a process does that turns on the log of the new file.
  other.exec('PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE');
  setTimeout(() => other.close(), 50);
  const store = await openSqliteState({ file });
  await store.close();
});

test.runIf(hasModes)(
  'only its owner may read the files, also those that others could read before',
  async () => {
    const file = join(tempFolder(), 'state.db');
    const modes = () =>
      ['', '-wal', '-shm'].map((end) => (statSync(file + end).mode & 0o777).toString(8));
    const store = await openSqliteState({ file });
    expect(modes()).toEqual(['600', '600', '600']);
    // As SQLite makes them by itself.
    for (const end of ['', '-wal', '-shm']) chmodSync(file + end, 0o644);
    const again = await openSqliteState({ file });
    expect(modes()).toEqual(['600', '600', '600']);
    await store.close();
    await again.close();
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
);

test('two stores on one file see what the other did', async () => {
  const file = await filled();
  const one = await openSqliteState({ file });
  const two = await openSqliteState({ file });
  const id = await one.begin(change([]), 'staging', []);
  expect(await two.unfinished()).toMatchObject([{ id }]);
  await two.drop(id);
  expect(await one.unfinished()).toEqual([]);
  expect(await make(two, change([]))).toBe(id + 1);
  expect((await idsOf(one)).slice(0, 2)).toEqual([id + 1, 20]);
  await one.close();
  await two.close();
});

test.each<[what: string, damage: (file: string) => Promise<void> | void, code: string]>([
  ['no database', (file) => writeFileSync(file, 'x'.repeat(5_000)), 'io_failed'],
  ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 5_000)), 'io_failed'],
  ['of something else', (file) => spoil(file, 'PRAGMA user_version = 0'), 'io_failed'],
  ['of a newer Vaultdoor', (file) => spoil(file, 'PRAGMA user_version = 99'), 'unavailable'],
])('a file that is %s is refused and left as it is', async (_, damage, code) => {
  const file = await filled();
  await damage(file);
  const before = readFileSync(file);
  const opening = openSqliteState({ file }).then(async (store) => {
    // Some damage shows only where it is.
    await idsOf(store);
  });
  await expect(opening).rejects.toMatchObject({ code, details: { file } });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('damage that is found later is told with the file to move away', async () => {
  const file = await filled();
  const store = await openSqliteState({ file });
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(statSync(file).size - 4_096, 0x5a), 0, null, 4_096);
  closeSync(handle);
  await expect(idsOf(store)).rejects.toMatchObject({
    code: 'io_failed',
    message: expect.stringContaining(file),
    details: { damaged: true },
  });
  await store.close();
});

test('a folder that cannot be written to is told', async () => {
  const file = join(tempFolder({ 'a file': '' }), 'a file', 'state.db');
  await expect(openSqliteState({ file })).rejects.toMatchObject({ code: 'io_failed' });
});
