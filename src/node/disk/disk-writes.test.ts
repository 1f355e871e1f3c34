import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAsNobody } from '../../../test/support/as-nobody.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { WritableDisk } from '../../engine/ports/ports.ts';
import { systemError } from '../system/disk-error.ts';
import { syncDisk } from './disk-calls.ts';
import { openDiskWrites } from './disk-writes.ts';
import { openNodeDisk } from './node-disk.ts';
import { realRoots } from './vault-roots.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const isRoot = process.getuid?.() === 0;

/** Tries to write and to move the one note of a vault. */
const forbidden = bundleProgram(
  import.meta.dirname,
  `
  import { openNodeDisk } from './node-disk.ts';
  const disk = openNodeDisk(process.argv[2]);
  const code = (call) => call.then(() => 'ok', (error) => error.code);
  const stage = await code(disk.stage('a.md', 'tok', new Uint8Array(3)));
  const move = await code(disk.move('a.md', 'b.md'));
  console.log(JSON.stringify({ stage, move }));
`,
);

async function put(disk: WritableDisk, path: string, options: { replace: boolean }): Promise<void> {
  await disk.stage(vaultPath(path), 'tok', bytes('new'));
  await disk.syncStaged(vaultPath(path), 'tok');
  await disk.place(vaultPath(path), 'tok', options);
}

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof VaultError ? error.code : error),
  );

/** Everything in a folder as text: files with their content, symlinks with where they lead. */
function contents(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length + 1).replaceAll(sep, '/');
      if (entry.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return entry.isDirectory() ? `${name}/` : `${name}: ${readFileSync(path, 'utf8')}`;
    })
    .sort();
}

/** A vault beside two folders that are not in it, one of them allowed. */
function vaultWithLinks() {
  const base = tempFolder({
    'vault/note.md': 'note',
    'vault/folder/inner.md': 'inner',
    'vault/.obsidian/app.json': '{}',
    'outside/secret.md': 'secret',
    'allowed/shared.md': 'shared',
    'single/one.md': 'one',
    'single/two.md': 'two',
  });
  const vault = join(base, 'vault');
  const link = (target: string, path: string) => symlinkSync(target, join(vault, path));
  link('../outside', 'out');
  link('../outside/secret.md', 'secret.md');
  link('../allowed', 'allowed');
  link('../allowed/shared.md', 'shared.md');
  link('../single/one.md', 'one.md');
  link('note.md', 'to-note.md');
  link('folder', 'to-folder');
  link('.obsidian', 'settings');
  link('../outside/new.md', 'dangling.md');
  const allowRoots = [join(base, 'allowed'), join(base, 'single/one.md')];
  return { base, vault, disk: openNodeDisk(vault, { allowRoots }) };
}

describe.runIf(makesSymlinks)('symlinks', () => {
  const path = vaultPath;
  test.each<[string, (disk: WritableDisk) => Promise<unknown>, string, Record<string, string>?]>([
    [
      'a new file in an allowed folder',
      (disk) => put(disk, 'allowed/x.md', { replace: false }),
      'ok',
      { 'allowed/x.md': 'new' },
    ],
    [
      'a file in an allowed folder',
      (disk) => put(disk, 'allowed/shared.md', { replace: true }),
      'ok',
      { 'allowed/shared.md': 'new' },
    ],
    [
      'what a symlink leads to',
      (disk) => put(disk, 'to-note.md', { replace: true }),
      'ok',
      { 'vault/note.md': 'new' },
    ],
    [
      'what a symlink leads to in an allowed folder',
      (disk) => put(disk, 'shared.md', { replace: true }),
      'ok',
      { 'allowed/shared.md': 'new' },
    ],
    [
      'a folder in an allowed folder',
      (disk) => disk.makeFolder(path('allowed/new')),
      'ok',
      { 'allowed/new/': '' },
    ],
    // Its temporary file would have to stand beside it, where nothing is allowed.
    ['an allowed file', (disk) => put(disk, 'one.md', { replace: true }), 'outside_vault'],
    ['a file outside', (disk) => put(disk, 'secret.md', { replace: true }), 'outside_vault'],
    ['a new file outside', (disk) => put(disk, 'out/x.md', { replace: false }), 'outside_vault'],
    [
      'an allowed folder as a file',
      (disk) => put(disk, 'allowed', { replace: true }),
      'outside_vault',
    ],
    ['settings', (disk) => put(disk, 'settings/app.json', { replace: true }), 'outside_vault'],
    ['a new setting', (disk) => put(disk, 'settings/x.json', { replace: false }), 'outside_vault'],
    [
      'another folder',
      (disk) => put(disk, 'to-folder/inner.md', { replace: true }),
      'outside_vault',
    ],
    [
      'a new file there',
      (disk) => put(disk, 'to-folder/x.md', { replace: false }),
      'outside_vault',
    ],
    ['a dangling one', (disk) => put(disk, 'dangling.md', { replace: false }), 'forbidden'],
    ['a folder outside', (disk) => disk.makeFolder(path('out/new')), 'outside_vault'],
    ['a folder in settings', (disk) => disk.makeFolder(path('settings/new')), 'outside_vault'],
    [
      'a move from outside',
      (disk) => disk.move(path('out/secret.md'), path('x.md')),
      'outside_vault',
    ],
    ['a move to outside', (disk) => disk.move(path('note.md'), path('out/x.md')), 'outside_vault'],
    [
      'a move to settings',
      (disk) => disk.move(path('note.md'), path('settings/x')),
      'outside_vault',
    ],
    ['a removal outside', (disk) => disk.remove(path('out/secret.md')), 'outside_vault'],
    ['a removal in settings', (disk) => disk.remove(path('settings/app.json')), 'outside_vault'],
    ['the removal of a link outside', (disk) => disk.remove(path('secret.md')), 'outside_vault'],
    ['the removal of a link to a folder', (disk) => disk.remove(path('to-folder')), 'is_a_folder'],
    ['a folder removed outside', (disk) => disk.removeFolder(path('out/sub')), 'outside_vault'],
    ['a sync outside', (disk) => disk.syncFolder(vaultFolder('out')), 'outside_vault'],
    ['unstaging outside', (disk) => disk.unstage(path('out/x.md'), 'tok'), 'outside_vault'],
  ])('%s', async (_name, act, expected, changed = {}) => {
    const { base, disk } = vaultWithLinks();
    const before = contents(base);
    expect(await code(act(disk))).toBe(expected);
    const kept = before.filter((line) => changed[line.split(': ')[0] ?? ''] === undefined);
    const made = Object.entries(changed).map(([name, text]) =>
      name.endsWith('/') ? name : `${name}: ${text}`,
    );
    expect(contents(base)).toEqual([...kept, ...made].sort());
  });

  test('are moved and removed themselves, not what they lead to', async () => {
    const { base, vault, disk } = vaultWithLinks();
    await disk.move(vaultPath('shared.md'), vaultPath('moved.md'));
    await disk.move(vaultPath('allowed'), vaultPath('renamed'));
    expect(readlinkSync(join(vault, 'moved.md'))).toBe('../allowed/shared.md');
    expect(readlinkSync(join(vault, 'renamed'))).toBe('../allowed');
    await disk.remove(vaultPath('moved.md'));
    await disk.remove(vaultPath('to-note.md'));
    expect(contents(join(base, 'allowed'))).toEqual(['shared.md: shared']);
    expect(contents(vault)).toContain('note.md: note');
    expect(await disk.removeFolder(vaultPath('renamed'))).toBe(false);
  });
});

describe('what a replaced file keeps', () => {
  test.runIf(isRoot)('owner and group, where the process may set them', async () => {
    const vault = tempFolder({ 'a.md': 'old' });
    chmodSync(join(vault, 'a.md'), 0o640);
    chownSync(join(vault, 'a.md'), 1234, 2345);
    await put(openNodeDisk(vault), 'a.md', { replace: true });
    const { uid, gid, mode } = statSync(join(vault, 'a.md'));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 1234, gid: 2345, mode: 0o640 });
  });

  test('a file that may not be written is not replaced', () => {
    const vault = tempFolder({ 'a.md': 'old' });
    chmodSync(join(vault, 'a.md'), 0o444);
    expect(runAsNobody(forbidden, vault)).toBe('{"stage":"forbidden","move":"ok"}');
    expect(contents(vault)).toEqual(['b.md: old']);
  });

  test.skipIf(process.platform === 'win32')(
    'a file stays where it is when its folder is read-only',
    () => {
      const vault = tempFolder({ 'a.md': 'old' });
      chmodSync(vault, 0o555);
      expect(runAsNobody(forbidden, vault)).toBe('{"stage":"forbidden","move":"forbidden"}');
      expect(contents(vault)).toEqual(['a.md: old']);
    },
  );
});

describe('a move', () => {
  test.each([
    ['again', 'a.md', 'F/b.md', ['F/', 'F/b.md: text']],
    ['the other way', 'F/b.md', 'a.md', ['F/', 'a.md: text']],
  ])('that a crash left half done is finished by moving %s', async (_, from, to, expected) => {
    const vault = tempFolder({ 'a.md': 'text' });
    mkdirSync(join(vault, 'F'));
    linkSync(join(vault, 'a.md'), join(vault, 'F/b.md'));
    await openNodeDisk(vault).move(vaultPath(from), vaultPath(to));
    expect(contents(vault)).toEqual(expected);
  });

  test('keeps the file: the same inode, with the bytes and the time it had', async () => {
    const vault = tempFolder({ 'a.md': 'text' });
    utimesSync(join(vault, 'a.md'), 5, 5);
    const before = lstatSync(join(vault, 'a.md'));
    await openNodeDisk(vault).move(vaultPath('a.md'), vaultPath('b.md'));
    const after = lstatSync(join(vault, 'b.md'));
    expect([after.ino, after.mtimeMs, after.nlink]).toEqual([before.ino, 5_000, 1]);
  });

  test('of many files to one path has one winner, and nothing is lost', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `${i}.md`);
    const vault = tempFolder();
    writeFiles(vault, Object.fromEntries(names.map((name) => [name, name])));
    const disk = openNodeDisk(vault);
    const outcomes = await Promise.all(
      names.map((name) => code(disk.move(vaultPath(name), vaultPath('z.md')))),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'already_exists']));
    const texts = readdirSync(vault).map((name) => readFileSync(join(vault, name), 'utf8'));
    expect(texts.sort()).toEqual(names.sort());
  });
});

test('a failed stage leaves nothing behind', async () => {
  const vault = tempFolder({ 'a.md': 'old' });
  mkdirSync(join(vault, '.~vd-tok.tmp'));
  await expect(openNodeDisk(vault).stage(vaultPath('a.md'), 'tok', bytes('new'))).rejects.toThrow(
    VaultError,
  );
  expect(contents(vault)).toEqual(['.~vd-tok.tmp/', 'a.md: old']);
});

test('a file that is not downloaded is there', async () => {
  const vault = tempFolder({ '.Note.md.icloud': 'bplist' });
  expect(await openNodeDisk(vault).kind(vaultPath('Note.md'))).toBe('file');
});

test('no failure names a path of the machine', async () => {
  const { base, disk } = vaultWithLinks();
  writeFileSync(join(base, 'vault/file'), '');
  const failures = [
    disk.stage(vaultPath('none/a.md'), 'tok', bytes('')),
    disk.stage(vaultPath('file/a.md'), 'tok', bytes('')),
    disk.move(vaultPath('note.md'), vaultPath('file')),
    disk.move(vaultPath('folder'), vaultPath('folder/x')),
    disk.makeFolder(vaultPath('out/x')),
    disk.makeFolder(vaultPath(`${'x'.repeat(255)}/y`)),
  ].map((call) => call.then(() => 'ok', String));
  for (const text of await Promise.all(failures)) {
    expect(text).toMatch(/^VaultError: ".+\.$/);
    expect(text).not.toContain(base);
  }
});

test('on a read-only disk, removing what is not there has nothing to do', async () => {
  const vault = tempFolder({ 'a.md': 'old', 'empty/b.md': '' });
  // Linux refuses `unlink` and `rmdir` on such a disk before it looks whether there is anything.
  const refuse = () => {
    throw systemError('EROFS');
  };
  const calls = { ...syncDisk, unlink: refuse, rmdir: refuse };
  const disk = openDiskWrites({ ...realRoots(vault), calls }, process.platform);
  expect(await code(disk.unstage(vaultPath('a.md'), 'tok'))).toBe('ok');
  expect(await code(disk.removeFolder(vaultPath('new')))).toBe('ok');
  writeFileSync(join(vault, '.~vd-tok.tmp'), '');
  expect(await code(disk.unstage(vaultPath('a.md'), 'tok'))).toBe('forbidden');
  expect(await code(disk.removeFolder(vaultPath('empty')))).toBe('forbidden');
});
