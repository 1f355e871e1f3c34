import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { withLockFile } from './lock-file.ts';

it('lets one work at a time, in any order, and nobody starve', async () => {
  const file = join(tempFolder(), 'lock.db');
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running++;
    most = Math.max(most, running);
    await setImmediate();
    running--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLockFile(file, work)));
  expect({ running, most }).toEqual({ running: 0, most: 1 });
  // Windows has no file modes.
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is free again after a failure', async () => {
  const file = join(tempFolder(), 'lock.db');
  const broken = withLockFile(file, async () => {
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  expect(await withLockFile(file, async () => 'done')).toBe('done');
});

it('says which file is none of ours', async () => {
  const file = join(tempFolder({ 'lock.db': 'text '.repeat(2_000) }), 'lock.db');
  const error = await failureOf(withLockFile(file, async () => undefined));
  expect(error).toMatchObject({ code: 'io_failed', details: { file } });
});
