import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { batch, dumpOf, entry, fill, note, text } from '../../../test/support/index-records.ts';
import { packNotes } from '../../../test/support/pack-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { isIndexDamage, isIndexUnusable } from '../../engine/ports/index-store.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openDatabase } from '../connection/open-database.ts';
import { releaseClosedFiles } from '../connection/release-closed-files.ts';
import { discardIndex, indexFailure } from './open-index-database.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  file = join(folder, 'deep', 'index.db');
});

const vault = { notes: [note('A.md', ['B']), note('B.md')], texts: [text('A.md', 'apple')] };

async function filled(): Promise<void> {
  const store = await openSqliteIndex({ file, vault: 'mine' });
  await fill(store, vault);
  await store.close();
}

async function filesIn(identity: string): Promise<number> {
  const store = await openSqliteIndex({ file, vault: identity });
  const { files } = await store.status(wholeVault);
  await store.close();
  return files;
}

async function spoil(sql: string): Promise<void> {
  const database = await openDatabase(file);
  database.exec(sql);
  database.close();
}

describe('openSqliteIndex', () => {
  it('keeps what was stored', async () => {
    await filled();
    const kept = await openSqliteIndex({ file, vault: 'mine' });
    const fresh = await openSqliteIndex({ file: ':memory:' });
    await fill(fresh, vault);
    expect(await dumpOf(kept)).toEqual(await dumpOf(fresh));
    expect(await kept.seen(2, batch(entry('A.md'), entry('B.md')))).toEqual([]);
    await kept.close();
    await fresh.close();
  });

  const reasons: readonly [why: string, how: () => Promise<void> | void, identity: string][] = [
    ['it is no database', () => writeFileSync(file, 'x'.repeat(5_000)), 'mine'],
    ['it is cut short', () => writeFileSync(file, readFileSync(file).subarray(0, 5_000)), 'mine'],
    ['it has another schema', () => spoil('PRAGMA user_version = 999'), 'mine'],
    ['it has no version', () => spoil('PRAGMA user_version = 0'), 'mine'],
    ['it is another vault’s', () => undefined, 'another'],
  ];
  it.each(reasons)('begins anew when %s', async (_, how, identity) => {
    await filled();
    await how();
    expect(await filesIn(identity)).toBe(0);
    expect(await filesIn(identity)).toBe(0);
  });

  it('begins anew after discardIndex', async () => {
    await filled();
    await discardIndex(file);
    expect(await filesIn('mine')).toBe(0);
  });

  it('says that the index is damaged when a later call finds it so', async () => {
    await filled();
    const store = await openSqliteIndex({ file, vault: 'mine' });
    const handle = openSync(file, 'r+');
    // All but the first page, which opening reads.
    writeSync(handle, Buffer.alloc(readFileSync(file).length - 4_096, 0x5a), 0, null, 4_096);
    closeSync(handle);
    await expect(store.dump(() => undefined)).rejects.toMatchObject({
      code: 'io_failed',
      details: { damaged: true },
    });
    await store.close();
  });

  it('leaves everything in one file when it is closed', async () => {
    await filled();
    await releaseClosedFiles();
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    expect(await filesIn('mine')).toBe(2);
  });
});

describe('two stores on one file', () => {
  it('wait for each other when both create it', async () => {
    const other = await openDatabase(join(folder, 'index.db'));
    other.exec('BEGIN IMMEDIATE'); // As a process does that turns on the log of the new file.
    setTimeout(() => other.close(), 50);
    const store = await openSqliteIndex({ file: join(folder, 'index.db') });
    await store.close();
  });

  it('see and resolve what the other wrote', async () => {
    const one = await openSqliteIndex({ file });
    const two = await openSqliteIndex({ file });
    await fill(one, vault);
    await two.seen(2, batch(entry('x/C.md')));
    await two.putNotes(packNotes([note('x/C.md', ['A', 'D'])]));
    await one.putNotes(packNotes([note('D.md', ['C'])]));
    await two.forget([vaultPath('A.md')]);
    await one.putNotes(packNotes([note('E.md', ['A', 'C', 'D'])]));
    for (const store of [one, two]) {
      const links = await store.linksFrom(wholeVault, vaultPath('E.md'));
      expect(links.map(({ target }) => target)).toEqual([undefined, 'x/C.md', 'D.md']);
      const [first, second] = await store.linksFrom(wholeVault, vaultPath('x/C.md'));
      expect([first?.target, second?.target]).toEqual([undefined, 'D.md']);
    }
    await one.close();
    await two.close();
  });

  it('never hold the build lease both', async () => {
    const one = await openSqliteIndex({ file });
    const two = await openSqliteIndex({ file });
    expect(await one.tryLease()).toBe(true);
    expect(await one.tryLease()).toBe(true);
    expect(await two.tryLease()).toBe(false);
    await one.releaseLease();
    expect(await two.tryLease()).toBe(true);
    expect(await one.tryLease()).toBe(false);
    await two.close();
    expect(await one.tryLease()).toBe(true);
    await one.close();
  });

  it('get the lease of a process that was killed', async () => {
    const leaseFile = join(folder, 'lease.db');
    const store = await openSqliteIndex({ file, leaseFile });
    const holder = spawn(
      process.execPath,
      ['--input-type=module', '--eval', holdLease, leaseFile],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(holder.stdout, 'data');
    expect(await store.tryLease()).toBe(false);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await store.tryLease()).toBe(true);
    await store.close();
  });
});

/** Another process: it takes the lease, says so, and stays. */
const holdLease = `
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(process.argv.at(-1));
  database.exec('BEGIN IMMEDIATE');
  console.log('held');
  setInterval(() => database.isOpen, 1_000);
`;

it('an index whose disk is full is told to be unusable, not damaged', async () => {
  const database = await openDatabase(join(folder, 'index.db'));
  database.exec('PRAGMA max_page_count = 1');
  let failure: unknown;
  try {
    database.exec('CREATE TABLE some (text); CREATE TABLE more (text)');
  } catch (error) {
    failure = indexFailure(error);
  }
  expect(failure).toMatchObject({ code: 'io_failed', details: { unusable: true } });
  expect([isIndexUnusable(failure), isIndexDamage(failure)]).toEqual([true, false]);
  database.close();
});
