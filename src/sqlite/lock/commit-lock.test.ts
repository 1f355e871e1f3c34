import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { ProcessLock } from '../../engine/ports/state-store.ts';
import { openCommitLock } from './commit-lock.ts';

// Between processes: see test/processes/commit-lock.test.ts.

async function open(file: string, outer: readonly string[] = []): Promise<ProcessLock> {
  const lock = await openCommitLock({ file, outer: () => outer });
  onTestFinished(() => lock.close());
  return lock;
}

test('a lock that is held is not free, not even for its holder', async () => {
  const lock = await open(join(tempFolder(), 'deep', 'lock.db'));
  expect([await lock.tryTake(), await lock.tryTake()]).toEqual([true, false]);
  await lock.release();
  await lock.release();
  expect(await lock.tryTake()).toBe(true);
});

test('of two tries at once one has it', async () => {
  const lock = await open(join(tempFolder(), 'lock.db'));
  const answers = await Promise.all([lock.tryTake(), lock.tryTake()]);
  expect(answers.toSorted()).toEqual([false, true]);
});

test('two locks in one process exclude each other as two processes do', async () => {
  const folder = tempFolder();
  const outer = await open(join(folder, 'outer.db'));
  const one = await open(join(folder, 'one.db'), [join(folder, 'outer.db')]);
  const two = await open(join(folder, 'two.db'), [join(folder, 'outer.db')]);
  expect([await one.tryTake(), await two.tryTake(), await outer.tryTake()]).toEqual([
    true,
    true,
    false,
  ]);
  await one.close();
  expect(await outer.tryTake()).toBe(false);
  await two.release();
  expect(await outer.tryTake()).toBe(true);
});

test('vaults around are asked for at every try', async () => {
  const folder = tempFolder();
  const files: string[] = [];
  const outer = await open(join(folder, 'outer.db'));
  const lock = await openCommitLock({ file: join(folder, 'lock.db'), outer: () => files });
  onTestFinished(() => lock.close());
  expect([await outer.tryTake(), await lock.tryTake()]).toEqual([true, true]);
  await lock.release();
  files.push(join(folder, 'outer.db'));
  expect(await lock.tryTake()).toBe(false);
  files.pop();
  expect(await lock.tryTake()).toBe(true);
});

test('a lock that was closed is free, and can be taken anew', async () => {
  const file = join(tempFolder(), 'lock.db');
  const one = await open(file);
  const two = await open(file);
  expect(await one.tryTake()).toBe(true);
  await one.close();
  expect(await two.tryTake()).toBe(true);
  await two.release();
  expect(await one.tryTake()).toBe(true);
});

test('a file that is no lock is left alone, and the failure names it', async () => {
  const file = join(tempFolder(), 'lock.db');
  writeFileSync(file, 'something else\n'.repeat(500));
  const lock = await open(file);
  await expect(lock.tryTake()).rejects.toMatchObject({ code: 'io_failed', details: { file } });
  await expect(lock.tryTake()).rejects.toMatchObject({ code: 'io_failed' });
});
