import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import {
  closePrivateFolder,
  keptText,
  makeFolders,
  makePrivateFolder,
  readSecretFile,
  replacePrivateFile,
  WatchedFile,
} from './private-files.ts';

it('a text is there after it was kept, and only its owner may read it', async () => {
  const file = join(tempFolder(), 'a/b/text.json');
  expect(await keptText(file).load()).toBeUndefined();
  await keptText(file).save('ä\n');
  expect(await keptText(file).load()).toBe('ä\n');
  await keptText(file).save('next');
  expect(await keptText(file).load()).toBe('next');
  if (process.platform === 'win32') return;
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(dirname(file)).mode & 0o777).toString(8)).toBe('700');
});

it('what cannot be read is a failure, and no absence', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(keptText(folder).load()).rejects.toThrow('EISDIR');
  await expect(keptText(join(folder, 'file/text')).save('')).rejects.toThrow();
});

it.runIf(process.platform === 'linux')('a folder that cannot be made is a failure', async () => {
  for (const folder of ['/proc/vaultdoor', '/proc/vaultdoor/a/b', '/dev/null/a']) {
    await expect(makeFolders(folder)).rejects.toThrow(/ENOENT|ENOTDIR/);
  }
});

describe.skipIf(process.platform === 'win32')('what is not a regular file', () => {
  it.each<[string, string, (path: string) => unknown]>([
    ['a folder', 'EISDIR', (path) => mkdirSync(path)],
    ['a pipe', 'is not a regular file', (path) => execFileSync('mkfifo', [path])],
    ['a symlink to a device', 'is not a regular file', (path) => symlinkSync('/dev/zero', path)],
  ])('%s is neither replaced nor read', async (_what, says, make) => {
    const folder = tempFolder();
    const path = join(folder, 'x');
    make(path);
    const seen = (): unknown => {
      const { ino, mode, mtimeMs, ctimeMs } = lstatSync(path);
      return { ino, mode, mtimeMs, ctimeMs };
    };
    const before = seen();
    await expect(replacePrivateFile(path, 'new')).rejects.toThrow('is not a regular file');
    await expect(keptText(path).save('new')).rejects.toThrow('is not a regular file');
    await expect(keptText(path).load()).rejects.toThrow(says);
    const read = says === 'EISDIR' ? 'is a folder' : says;
    await expect(new WatchedFile(path, String).read()).rejects.toThrow(read);
    expect(() => readSecretFile(path, '--key-file')).toThrow(`--key-file: "${path}" ${read}`);
    expect(seen()).toEqual(before);
    expect(readdirSync(folder)).toEqual(['x']);
  });
});

it('a file that is too large for a secret is not read', () => {
  const folder = tempFolder({ key: 'k'.repeat(limits.secretFileBytesMax + 1) });
  expect(() => readSecretFile(join(folder, 'key'), '--key-file')).toThrow('is too large');
});

const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

describe.skipIf(process.platform === 'win32')('a folder of our own', () => {
  it.each([
    ['made', makePrivateFolder],
    ['made and closed', closePrivateFolder],
  ])('is for its owner alone when it is %s', async (_how, make) => {
    const folder = join(tempFolder(), 'a', 'b');
    await make(folder);
    expect([modeOf(join(folder, '..')), modeOf(folder)]).toEqual([0o700, 0o700]);
  });

  it.each([
    ['stays open where others may use it', makePrivateFolder, 0o755],
    ['is closed where nobody else has a use for it', closePrivateFolder, 0o700],
  ])('that was open %s', async (_what, make, mode) => {
    const folder = join(tempFolder(), 'a');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await make(folder);
    expect(modeOf(folder)).toBe(mode);
  });
});
