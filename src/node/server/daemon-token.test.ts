import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { newDaemonToken, publishToken } from './daemon-token.ts';

it('is 64 hexadecimal digits, others each time', () => {
  expect(newDaemonToken()).toMatch(/^[0-9a-f]{64}$/);
  expect(newDaemonToken()).not.toBe(newDaemonToken());
});

it('is published as it is, for its owner alone, in place of an older one', async () => {
  const file = join(tempFolder(), 'token');
  await publishToken(file, newDaemonToken());
  const newer = newDaemonToken();
  await publishToken(file, newer);
  expect(readFileSync(file, 'utf8')).toBe(newer);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is removed with nothing left', async () => {
  const folder = tempFolder();
  const remove = await publishToken(join(folder, 'token'), 'ours');
  await remove();
  expect(readdirSync(folder)).toEqual([]);
});

const ours = newDaemonToken();

it.each<[string, string, (file: string) => unknown]>([
  ['it is that of another daemon', 'ef'.repeat(32), (file) => publishToken(file, 'ef'.repeat(32))],
  ['it has another text', 'mine', (file) => writeFileSync(file, 'mine')],
  [
    'it is another file, though with the same text',
    ours,
    (file) => {
      renameSync(file, `${file}-1`);
      writeFileSync(file, ours);
    },
  ],
  [
    'it is a symlink to what was written',
    ours,
    (file) => {
      renameSync(file, `${file}-1`);
      symlinkSync(`${file}-1`, file);
    },
  ],
])('is not removed once %s', async (_what, text, change) => {
  const file = join(tempFolder(), 'token');
  const remove = await publishToken(file, ours);
  await change(file);
  await remove();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it.each([
  ['a key', 'secret', 0o600],
  ['an empty file', '', 0o600],
  ['a token that others may read', ours, 0o640],
  ['a hash of 64 digits in capital letters', 'AB'.repeat(32), 0o600],
  ['a token with something behind it', `${ours}\nx`, 0o600],
])('does not take the place of %s', async (_what, text, mode) => {
  const file = join(tempFolder({ token: text }), 'token');
  chmodSync(file, mode);
  const failure = await failureOf(publishToken(file, newDaemonToken()));
  expect(failure).toMatchObject({ code: 'already_exists' });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('leaves no temporary file behind when it cannot be published', async () => {
  const folder = tempFolder({ 'token/in-the-way': '' });
  await expect(publishToken(join(folder, 'token'), 'ours')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['token']);
});
