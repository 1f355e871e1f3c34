import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import { type VaultFolder, vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { WalkSummary } from '../../engine/ports/ports.ts';
import type { FileEntry } from '../../engine/ports/records.ts';
import { openNodeDisk } from '../disk/node-disk.ts';
import { openScanSource } from './scan-source.ts';

interface Walked extends WalkSummary {
  readonly entries: readonly FileEntry[];
  readonly paths: readonly string[];
  readonly batches: readonly number[];
}

function walk(root: string, options: { folder?: VaultFolder; allowRoots?: string[] } = {}): Walked {
  const walking = openScanSource(root, { allowRoots: options.allowRoots ?? [] }).walk(
    options.folder ?? '',
  );
  const entries: FileEntry[] = [];
  const batches: number[] = [];
  for (;;) {
    const step = walking.next();
    if (step.done) {
      return { ...step.value, entries, batches, paths: entries.map(({ path }) => path).sort() };
    }
    entries.push(...step.value);
    batches.push(step.value.length);
  }
}

function makeEmpty(folder: string, names: readonly string[]): void {
  for (const name of names) writeFileSync(join(folder, name), '');
}

/**
 * For tests of what Windows does not have: `find`, pipes in folders, file modes, holes in files,
 * names with a line break or a backslash, and paths that are too long to be removed by Node.
 */
const testPosix = test.skipIf(process.platform === 'win32');

testPosix('a walk finds the files that `find` does, dot names left out', () => {
  const vault = tempFolder({
    'Ünï – 日本.md': '',
    '.obsidian/app.json': '{}',
    'a/.hidden/b.md': '',
    '.dot.md': '',
    '.~vd-1.tmp': '',
  });
  const files = Array.from({ length: 4_500 }, (_, i) => `f${i % 7}/g${i % 11}/note ${i}.md`);
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    mkdirSync(join(vault, folder), { recursive: true });
  }
  makeEmpty(vault, files);
  const found = execFileSync(
    'find',
    ['.', '-name', '.?*', '-prune', '-o', '-type', 'f', '-print'],
    {
      cwd: vault,
      encoding: 'utf8',
    },
  );
  const expected = found
    .trim()
    .split('\n')
    .map((line) => line.slice(2))
    .sort();
  const { paths, batches, folders, refused, unreachable } = walk(vault);
  expect(paths).toEqual(expected);
  expect(paths).toHaveLength(4_501);
  expect(folders).toBe(1 + 7 + 77 + 1);
  expect([refused, unreachable]).toEqual([[], []]);
  expect(batches.length).toBe(3);
});

test('an entry is what a stat of the file says', async () => {
  const vault = tempFolder({ 'a/b.md': 'text' });
  const stat = await openNodeDisk(vault).stat(vaultPath('a/b.md'));
  expect(walk(vault).entries).toEqual([{ path: 'a/b.md', ...stat }]);
});

test('a walk of a folder sees that folder only', () => {
  const vault = tempFolder({ 'a/1.md': '', 'a/b/2.md': '', 'ab/3.md': '' });
  expect(walk(vault, { folder: vaultFolder('a') }).paths).toEqual(['a/1.md', 'a/b/2.md']);
  expect(walk(vault, { folder: vaultFolder('gone') })).toMatchObject({ paths: [], refused: [] });
});

/** A vault with symlinks; `ext` lies outside. */
function linkedVault() {
  const base = tempFolder({
    'vault/note.md': '',
    'vault/folder/inner.md': '',
    'ext/one.md': '',
    'ext/deep/two.md': '',
  });
  const vault = join(base, 'vault');
  symlinkSync('note.md', join(vault, 'file link.md'));
  symlinkSync('folder', join(vault, 'folder link'));
  symlinkSync('..', join(vault, 'folder/up'));
  symlinkSync('../ext', join(vault, 'out'));
  symlinkSync('../ext/deep', join(vault, 'out-deep'));
  symlinkSync('../ext/one.md', join(vault, 'out.md'));
  symlinkSync('nowhere', join(vault, 'dangling'));
  symlinkSync('loop', join(vault, 'loop'));
  symlinkSync('.', join(base, 'ext/self'));
  symlinkSync('../vault', join(base, 'ext/vault'));
  return { base, vault };
}

const insideRefused = [
  { path: 'dangling', reason: 'is a symlink that leads nowhere' },
  { path: 'folder link', reason: 'is a symlink to a folder inside the vault' },
  { path: 'folder/up', reason: 'is a symlink to a folder inside the vault' },
  { path: 'loop', reason: 'is a symlink that leads nowhere' },
];

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);

test.runIf(makesSymlinks)(
  'symlinks to files inside are files; those to folders, outside and nowhere are refused',
  () => {
    const { vault } = linkedVault();
    const { paths, refused } = walk(vault);
    expect(paths).toEqual(['file link.md', 'folder/inner.md', 'note.md']);
    expect([...refused].sort(byPath)).toEqual([
      ...insideRefused,
      { path: 'out', reason: 'leads outside the vault through a symlink' },
      { path: 'out-deep', reason: 'leads outside the vault through a symlink' },
      { path: 'out.md', reason: 'leads outside the vault through a symlink' },
    ]);
  },
);

test.runIf(makesSymlinks)(
  'an allowed root is walked once, whatever links lead into it or around in it',
  () => {
    const { base, vault } = linkedVault();
    const { paths, refused } = walk(vault, { allowRoots: [join(base, 'ext')] });
    expect(paths).toEqual([
      'file link.md',
      'folder/inner.md',
      'note.md',
      'out.md',
      'out/deep/two.md',
      'out/one.md',
    ]);
    expect([...refused].sort(byPath)).toEqual([
      ...insideRefused,
      { path: 'out-deep', reason: 'is a symlink to a folder that another symlink shows' },
      { path: 'out/self', reason: 'is a symlink to a folder that another symlink shows' },
      { path: 'out/vault', reason: 'is a symlink to a folder inside the vault' },
    ]);
  },
);

test.runIf(makesSymlinks)(
  'a link to a folder that holds the vault is refused even when that is allowed',
  () => {
    const { base, vault } = linkedVault();
    symlinkSync('..', join(vault, 'parent'));
    const { refused } = walk(vault, { allowRoots: [base] });
    expect(refused).toContainEqual({
      path: 'parent',
      reason: 'is a symlink to a folder that holds the vault',
    });
  },
);

testPosix('names that no path can spell are unreachable, and stop nothing', () => {
  const vault = tempFolder({ 'a.md': '', 'back\\slash/b.md': '', 'line\nbreak.md': '' });
  writeFileSync(
    Buffer.concat([Buffer.from(`${vault}/latin-`), Buffer.from([0xe9]), Buffer.from('.md')]),
    '',
  );
  const { paths, unreachable } = walk(vault);
  expect(paths).toEqual(['a.md']);
  expect([...unreachable].sort()).toEqual(['back\\\\slash', 'latin-\ufffd.md', 'line\\nbreak.md']);
});

testPosix('placeholders are listed as the files they stand for', () => {
  const vault = tempFolder({
    'sub/.Far.md.icloud': 'bplist',
    '.Both.md.icloud': 'bplist',
    'Both.md': 'here',
    '.icloud': '',
    '..hidden.icloud': '',
    'hole.md': '',
  });
  truncateSync(join(vault, 'hole.md'), 5_000);
  const { entries } = walk(vault);
  expect(Object.fromEntries(entries.map(({ path, present }) => [path, present]))).toEqual({
    'sub/Far.md': false,
    'Both.md': true,
    'hole.md': false,
  });
});

testPosix('pipes and sockets are refused without being opened', () => {
  const vault = tempFolder({ 'a.md': '' });
  execFileSync('mkfifo', [join(vault, 'pipe.md')]);
  expect(walk(vault)).toMatchObject({
    paths: ['a.md'],
    refused: [{ path: 'pipe.md', reason: 'is neither a file nor a folder' }],
  });
});

/** Runs as a user whom permissions bind: root may read all. */
function asOrdinaryUser<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.('nobody');
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

testPosix('a folder that may not be read is refused, and stops nothing', () => {
  const vault = tempFolder({ 'a.md': '', 'closed/b.md': '' });
  chmodSync(vault, 0o755);
  chmodSync(join(vault, 'closed'), 0o000);
  const walked = asOrdinaryUser(() => walk(vault));
  chmodSync(join(vault, 'closed'), 0o700);
  expect(walked).toMatchObject({
    paths: ['a.md'],
    refused: [{ path: 'closed', reason: 'may not be read', unread: true }],
  });
});

testPosix('a path that is too long for the system is refused, and stops nothing', () => {
  const vault = tempFolder({ 'a.md': '' });
  // Built from the inside out: no single call may name more than 4,096 bytes.
  const name = 'd'.repeat(250);
  writeFiles(vault, { 'part/leaf.md': '' });
  for (let i = 0; i < 17; i++) {
    mkdirSync(join(vault, 'next'));
    renameSync(join(vault, 'part'), join(vault, 'next', name));
    renameSync(join(vault, 'next'), join(vault, 'part'));
  }
  const { paths, unreachable } = walk(vault);
  execFileSync('rm', ['-rf', join(vault, 'part')]); // Node cannot: it names whole paths.
  expect(paths).toEqual(['a.md']);
  expect(unreachable).toHaveLength(1);
});

test('a folder that vanishes during the walk is skipped', () => {
  const vault = tempFolder({ 'a/1.md': '', 'b/2.md': '' });
  const names = Array.from({ length: 2_100 }, (_, i) => `${i}.md`);
  for (const folder of ['a', 'b']) makeEmpty(join(vault, folder), names);
  const walking = openScanSource(vault).walk('');
  const first = walking.next();
  const seen = !first.done && first.value[0]?.path.startsWith('a/') ? 'b' : 'a';
  rmSync(join(vault, seen), { recursive: true });
  expect(walking.next()).toEqual({
    done: true,
    value: { folders: 2, unreachable: [], refused: [] },
  });
});

test('a vault that is gone is not an empty vault', () => {
  const base = tempFolder({ 'vault/a.md': '' });
  const source = openScanSource(join(base, 'vault'));
  rmSync(join(base, 'vault'), { recursive: true });
  expect(() => source.walk('').next()).toThrow(
    expect.objectContaining({
      code: 'vault_not_found',
      message: expect.stringMatching(/cannot be reached any more\. Connect its drive/),
    }),
  );
});

test('a vault that becomes another folder on the way is not half of each', () => {
  const base = tempFolder({ 'vault/a.md': '', 'vault/b/c.md': '' });
  const walk = openScanSource(join(base, 'vault')).walk('');
  const step = (): unknown => {
    const walked = walk.next();
    renameSync(join(base, 'vault'), join(base, 'before'));
    mkdirSync(join(base, 'vault'));
    return walked.done === true ? walked : walk.next();
  };
  expect(step).toThrow(expect.objectContaining({ code: 'vault_not_found' }));
});

test('a scanner works again when its vault is back, though it began without', () => {
  const base = tempFolder({ 'away/a.md': 'text' });
  const source = openScanSource(join(base, 'vault'));
  expect(() => source.walk('').next()).toThrow(
    expect.objectContaining({ code: 'vault_not_found' }),
  );
  renameSync(join(base, 'away'), join(base, 'vault'));
  expect(source.walk('').next().value).toMatchObject([{ path: 'a.md' }]);
});
