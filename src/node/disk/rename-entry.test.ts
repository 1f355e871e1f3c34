import { linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { errnoOf, systemError } from '../system/disk-error.ts';
import { type Attempt, renameEntry } from './rename-entry.ts';

/** Makes every call but the n-th, which fails: the first is the link, the next removes a name. */
function failing(n: number, errno: string): Attempt {
  let calls = 0;
  return async (call) => {
    calls += 1;
    if (calls === n) throw systemError(errno);
    return call();
  };
}

const outcome = (call: Promise<void>) => call.then(() => 'ok', errnoOf);

function contents(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => `${name}=${readFileSync(join(folder, name), 'utf8')}`)
    .sort();
}

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EISDIR', 'EIO'])(
  'where %s says that there are no hard links, a file is renamed after a look',
  async (errno) => {
    const folder = tempFolder({ 'a.md': 'a', 'b.md': 'b' });
    const at = (name: string) => join(folder, name);
    expect(await outcome(renameEntry(at('a.md'), at('b.md'), failing(1, errno)))).toBe('EEXIST');
    expect(contents(folder)).toEqual(['a.md=a', 'b.md=b']);
    expect(await outcome(renameEntry(at('a.md'), at('c.md'), failing(1, errno)))).toBe('ok');
    expect(contents(folder)).toEqual(['b.md=b', 'c.md=a']);
  },
);

test.each(['ENOSPC', 'EROFS', 'ENOENT'])('%s of a link is a failure', async (errno) => {
  const folder = tempFolder({ 'a.md': 'a' });
  const call = renameEntry(join(folder, 'a.md'), join(folder, 'c.md'), failing(1, errno));
  expect(await outcome(call)).toBe(errno);
  expect(contents(folder)).toEqual(['a.md=a']);
});

test('a file that cannot lose its old name does not get the new one', async () => {
  const folder = tempFolder({ 'a.md': 'a' });
  const call = renameEntry(join(folder, 'a.md'), join(folder, 'c.md'), failing(2, 'EACCES'));
  expect(await outcome(call)).toBe('EACCES');
  expect(contents(folder)).toEqual(['a.md=a']);
});

test('of two names of one file, spelled alike or not, the old one goes', async () => {
  const folder = tempFolder({ 'a.md': 'a' });
  // Other platforms cannot hold both spellings.
  for (const name of process.platform === 'linux' ? ['A.md', 'b.md'] : ['b.md']) {
    linkSync(join(folder, 'a.md'), join(folder, name));
    await renameEntry(join(folder, 'a.md'), join(folder, name), (call) => call());
    expect(contents(folder)).toEqual([`${name}=a`]);
    await renameEntry(join(folder, name), join(folder, 'a.md'), (call) => call());
  }
});

test.runIf(makesSymlinks)('a symlink that leads nowhere is something that is there', async () => {
  const folder = tempFolder({ 'a.md': 'a' });
  symlinkSync('nowhere', join(folder, 'link'));
  const call = renameEntry(join(folder, 'a.md'), join(folder, 'link'), (run) => run());
  expect(await outcome(call)).toBe('EEXIST');
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('a');
});
