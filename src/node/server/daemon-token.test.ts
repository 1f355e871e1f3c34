import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { newDaemonToken, publishToken } from './daemon-token.ts';

it('is 64 hexadecimal digits, others each time', () => {
  expect(newDaemonToken()).toMatch(/^[0-9a-f]{64}$/);
  expect(newDaemonToken()).not.toBe(newDaemonToken());
});

it('is published as it is, for its owner alone, in place of an older one', async () => {
  const file = join(tempFolder({ token: 'older' }), 'token');
  await publishToken(file, 'newer');
  expect(readFileSync(file, 'utf8')).toBe('newer');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is removed with nothing left', async () => {
  const folder = tempFolder();
  const remove = await publishToken(join(folder, 'token'), 'ours');
  await remove();
  expect(readdirSync(folder)).toEqual([]);
});

it('is not removed once it is that of another daemon', async () => {
  const file = join(tempFolder(), 'token');
  const removeFirst = await publishToken(file, 'first');
  await publishToken(file, 'second');
  await removeFirst();
  expect(readFileSync(file, 'utf8')).toBe('second');
});

it('leaves no temporary file behind when it cannot be published', async () => {
  const folder = tempFolder({ 'token/in-the-way': '' });
  await expect(publishToken(join(folder, 'token'), 'ours')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['token']);
});
