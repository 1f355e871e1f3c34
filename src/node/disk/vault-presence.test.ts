import { pbkdf2 } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { placeOf } from '../place/vault-mount.ts';
import { systemError } from '../system/disk-error.ts';
import { VaultPresence } from './vault-presence.ts';

const pbkdf2Later = promisify(pbkdf2);

// Mounts themselves are for scripts/test-mount.mjs: they need rights that tests do not have.

const away = { code: 'vault_not_found', message: expect.stringMatching(/then try again\.$/) };

test('a folder is there until it is gone, and again when it is back', async () => {
  const base = tempFolder({ 'vault/a.md': '' });
  const root = join(base, 'vault');
  const presence = new VaultPresence(root);
  await presence.check();
  renameSync(root, join(base, 'elsewhere'));
  await expect(presence.check()).rejects.toMatchObject(away);
  renameSync(join(base, 'elsewhere'), root);
  await presence.check();
});

test('a file in its place is no vault', async () => {
  const root = join(tempFolder({ 'vault/a.md': '' }), 'vault');
  const presence = new VaultPresence(root);
  rmSync(root, { recursive: true });
  writeFileSync(root, '');
  await expect(presence.check()).rejects.toMatchObject(away);
});

test('another folder in its place is the vault from then on, and is told once', async () => {
  const base = tempFolder({ 'vault/a.md': '' });
  const root = join(base, 'vault');
  let told = 0;
  const onReplaced = (): void => {
    told += 1;
  };
  const presence = new VaultPresence(root, { onReplaced });
  renameSync(root, join(base, 'before'));
  mkdirSync(root);
  await presence.check();
  await presence.check();
  expect(told).toBe(1);
});

test('calls at the same time share one look, and a later one looks anew', async () => {
  const base = tempFolder({ 'vault/a.md': '' });
  const presence = new VaultPresence(join(base, 'vault'));
  const first = presence.check();
  expect(presence.check()).toBe(first);
  await first;
  rmSync(join(base, 'vault'), { recursive: true });
  await expect(presence.check()).rejects.toMatchObject(away);
});

test('a drive that does not answer in time is away, and nobody waits for it again', async () => {
  const presence = new VaultPresence(tempFolder(), { answerMs: 1 });
  // Every thread that could look has something else to do first.
  const busy = Array.from({ length: 8 }, () => pbkdf2Later('', '', 200_000, 32, 'sha256'));
  await expect(presence.check()).rejects.toMatchObject({
    code: 'vault_not_found',
    message: expect.stringMatching(/does not answer/),
  });
  await Promise.all(busy);
});

test('an answer that came while the program was held up counts', async () => {
  const presence = new VaultPresence(tempFolder(), { answerMs: 20 });
  const looking = presence.check();
  for (const endMs = Date.now() + 100; Date.now() < endMs; );
  await expect(looking).resolves.toBeUndefined();
});

test.runIf(process.platform === 'linux')('the mount that holds a folder is found', () => {
  expect(placeOf('/').mount).toBeUndefined();
  expect(placeOf('/proc').mount).toBe('/proc');
  expect(placeOf('/proc/self/task').mount).toBe('/proc');
});

test.runIf(process.platform !== 'win32')(
  'folders around a vault that are closed to us do not keep it from being opened',
  () => {
    const drives: Record<string, bigint> = { '/a/b/vault': 2n, '/a': 1n, '/': 1n };
    const look = (path: string): { dev: bigint; ino: bigint } => {
      const dev = drives[path];
      if (dev === undefined) throw systemError('EACCES');
      return { dev, ino: 7n };
    };
    expect(placeOf('/a/b/vault', look)).toEqual({ identity: '2:7' });
    expect(() => placeOf('/a/b', look)).toThrow('EACCES');
    drives['/a/b'] = 2n;
    expect(placeOf('/a/b/vault', look)).toEqual({ identity: '2:7', mount: '/a/b' });
  },
);
