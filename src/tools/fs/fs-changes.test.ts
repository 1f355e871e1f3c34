import { chmodSync, lstatSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FsVault,
  fileMtime,
  fsHistory,
  openFsVault,
  withFsVault,
} from '../../../test/support/fs-vault.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { undoChanges } from '../../engine/operations/history/undo-changes.ts';

type Tree = Readonly<Record<string, string | undefined>>;

/** What a method does to the tree: what is new or other, and `undefined` for what is gone. */
const changes: readonly [method: string, params: object, differs: Tree, at?: string][] = [
  ['fs.write', { path: 'Notes/a.md', content: 'x' }, { 'Notes/a.md': 'x' }, 'Notes/a.md'],
  ['fs.write', { path: 'zero.md', content: 'a\ud800' }, { 'zero.md': 'a\xef\xbf\xbd' }, 'zero.md'],
  ['fs.write', { path: 'old.md' }, { 'old.md': '' }, 'old.md'],
  [
    'fs.write',
    { path: 'old.md', content: 'x', expectedMtime: fileMtime },
    { 'old.md': 'x' },
    'old.md',
  ],
  ['fs.write', { path: 'new.md', content: 'x', expectedMtime: 5 }, { 'new.md': 'x' }, 'new.md'],
  [
    'fs.write',
    { path: 'p/q/new.md', content: 'x' },
    { p: '/', 'p/q': '/', 'p/q/new.md': 'x' },
    'p/q/new.md',
  ],
  [
    'fs.write',
    { path: '.obsidian/x.json', content: '1' },
    { '.obsidian/x.json': '1' },
    '.obsidian/x.json',
  ],
  ['fs.write', { path: 'linked/n.md', content: 'x' }, { 'Notes/n.md': 'x' }, 'Notes/n.md'],
  [
    'fs.writeBinary',
    { path: 'bytes.bin', contentBase64: 'AP8=' },
    { 'bytes.bin': '\x00\xff' },
    'bytes.bin',
  ],
  [
    'fs.writeBinary',
    { path: 'n.bin', contentBase64: 'AP\r\n8=' },
    { 'n.bin': '\x00\xff' },
    'n.bin',
  ],
  ['fs.append', { path: 'Notes/a.md', content: 'x' }, { 'Notes/a.md': 'alpha\nx' }, 'Notes/a.md'],
  ['fs.append', { path: 'link.md', content: 'x' }, { 'Notes/a.md': 'alpha\nx' }, 'Notes/a.md'],
  ['fs.append', { path: 'empty/n.md', content: 'x' }, { 'empty/n.md': 'x' }, 'empty/n.md'],
  ['fs.append', { path: 'n.md' }, { 'n.md': '' }, 'n.md'],
  [
    'fs.appendBinary',
    { path: '.obsidian/app.json', contentBase64: 'AP8=' },
    { '.obsidian/app.json': '{}\x00\xff' },
    '.obsidian/app.json',
  ],
  ['fs.mkdir', { path: 'new' }, { new: '/' }],
  ['fs.mkdir', { path: 'linked/new' }, { 'Notes/new': '/' }],
  ['fs.mkdir', { path: 'p/q', recursive: true }, { p: '/', 'p/q': '/' }],
  ['fs.remove', { path: 'Notes/a.md' }, { 'Notes/a.md': undefined }],
  ['fs.remove', { path: '.obsidian/app.json' }, { '.obsidian/app.json': undefined }],
  ['fs.rmdir', { path: 'empty' }, { empty: undefined }],
  [
    'fs.rmdir',
    { path: 'Notes', recursive: true },
    {
      Notes: undefined,
      'Notes/a.md': undefined,
      'Notes/deep': undefined,
      'Notes/deep/b.md': undefined,
    },
  ],
  [
    'fs.rename',
    { oldPath: 'Notes/a.md', newPath: 'p/b.md' },
    { 'Notes/a.md': undefined, p: '/', 'p/b.md': 'alpha\n' },
    'p/b.md',
  ],
  [
    'fs.rename',
    { oldPath: 'Notes/a.md', newPath: 'old.md' },
    { 'Notes/a.md': undefined, 'old.md': 'alpha\n' },
    'old.md',
  ],
  [
    'fs.rename',
    { oldPath: 'Notes/deep', newPath: '.hidden' },
    {
      'Notes/deep': undefined,
      'Notes/deep/b.md': undefined,
      '.hidden': '/',
      '.hidden/b.md': '# Beta\nbanana\n',
    },
    '.hidden',
  ],
  [
    'fs.copy',
    { srcPath: 'Notes/a.md', destPath: 'p/c.md' },
    { p: '/', 'p/c.md': 'alpha\n' },
    'p/c.md',
  ],
  ['fs.copy', { srcPath: 'link.md', destPath: 'old.md' }, { 'old.md': 'alpha\n' }, 'old.md'],
  [
    'fs.trashLocal',
    { path: 'Notes/a.md' },
    { 'Notes/a.md': undefined, '.trash/Notes': '/', '.trash/Notes/a.md': 'alpha\n' },
  ],
  ['fs.trashLocal', { path: 'old.md' }, { 'old.md': undefined, '.trash/old 2.md': 'new' }],
  [
    'fs.trashLocal',
    { path: 'Old' },
    { Old: undefined, 'Old/y.md': undefined, '.trash/Old 2': '/', '.trash/Old 2/y.md': 'y' },
  ],
];

/** The same, where undo cannot bring all back: symlinks, and a folder that was empty. */
const notUndone: typeof changes = [
  ['fs.write', { path: 'link.md', content: 'x' }, { 'link.md': 'x' }, 'link.md'],
  ['fs.write', { path: 'dangling', content: 'x' }, { dangling: 'x' }, 'dangling'],
  ['fs.remove', { path: 'link.md' }, { 'link.md': undefined }],
  ['fs.remove', { path: 'dangling' }, { dangling: undefined }],
  ['fs.remove', { path: 'out.md' }, { 'out.md': undefined }],
  ['fs.remove', { path: 'outdir' }, { outdir: undefined }],
  ['fs.rmdir', { path: 'linked' }, { linked: undefined }],
  ['fs.rmdir', { path: 'linked', recursive: true }, { linked: undefined }],
  [
    'fs.rename',
    { oldPath: 'Notes/deep', newPath: 'empty' },
    { 'Notes/deep': undefined, 'Notes/deep/b.md': undefined, 'empty/b.md': '# Beta\nbanana\n' },
    'empty',
  ],
  [
    'fs.rename',
    { oldPath: 'out.md', newPath: 'away.md' },
    { 'out.md': undefined, 'away.md': '-> ../outside/secret.md' },
    'away.md',
  ],
];

/** What succeeds and changes nothing. */
const idle: readonly [method: string, params: object, answer: object][] = [
  ['fs.mkdir', {}, {}],
  ['fs.mkdir', { path: '', recursive: true }, {}],
  ['fs.mkdir', { path: '/' }, {}],
  ['fs.mkdir', { path: 'Notes' }, {}],
  ['fs.mkdir', { path: 'Notes', recursive: true }, {}],
  ['fs.mkdir', { path: 'linked' }, {}],
  ['fs.rename', { oldPath: 'old.md', newPath: 'old.md' }, { mtime: fileMtime }],
  ['fs.rename', { oldPath: 'Notes/a.md', newPath: 'linked/a.md' }, { mtime: fileMtime }],
  ['fs.copy', { srcPath: 'old.md', destPath: './old.md' }, { mtime: fileMtime }],
  ['fs.append', { path: 'old.md', content: '' }, { mtime: fileMtime }],
];

type Failure = [method: string, params: object, code: string];

const failures: readonly Failure[] = [
  ['fs.write', { path: 'Notes' }, 'already_exists'],
  ['fs.write', { path: 'linked' }, 'already_exists'],
  ['fs.write', {}, 'already_exists'],
  ['fs.write', { path: '.' }, 'already_exists'],
  ['fs.write', { path: 'old.md/x' }, 'not_a_folder'],
  ['fs.write', { path: 'old.md', expectedMtime: fileMtime + 1 }, 'conflict'],
  ['fs.write', { path: 'old.md', content: 'new', expectedMtime: 1 }, 'conflict'],
  ['fs.write', { path: 'old.md', expectedMtime: -1 }, 'conflict'],
  ['fs.write', { path: 'old.md', expectedMtime: 1.5 }, 'invalid_input'],
  ['fs.write', { path: 'old.md', content: 1 }, 'invalid_input'],
  ['fs.write', { path: 'out.md' }, 'outside_vault'],
  ['fs.write', { path: 'outdir/x.md' }, 'outside_vault'],
  ['fs.write', { path: '../x.md' }, 'outside_vault'],
  ['fs.write', { path: 'a\ud800.md' }, 'invalid_input'],
  ...['AP8', 'A', '_-8=', 'AP 8=', 'AP8=AP8='].map(
    (contentBase64): Failure => [
      'fs.writeBinary',
      { path: '../x', contentBase64 },
      'invalid_input',
    ],
  ),
  ['fs.writeBinary', { path: '../x', contentBase64: 'AP8=' }, 'outside_vault'],
  ['fs.writeBinary', { path: 'Notes', contentBase64: 'AP8=' }, 'already_exists'],
  ['fs.append', { path: 'missing/x.md' }, 'not_found'],
  ['fs.append', { path: 'Notes' }, 'is_a_folder'],
  ['fs.append', { path: 'linked' }, 'is_a_folder'],
  ['fs.append', {}, 'is_a_folder'],
  ['fs.append', { path: 'old.md/x' }, 'not_a_folder'],
  ['fs.append', { path: 'dangling' }, 'not_found'],
  ['fs.append', { path: 'out.md' }, 'outside_vault'],
  ['fs.appendBinary', { path: 'old.md', contentBase64: '*' }, 'invalid_input'],
  ['fs.mkdir', { path: 'old.md' }, 'already_exists'],
  ['fs.mkdir', { path: 'old.md', recursive: true }, 'not_a_folder'],
  ['fs.mkdir', { path: 'old.md/x' }, 'not_a_folder'],
  ['fs.mkdir', { path: 'old.md/x', recursive: true }, 'not_a_folder'],
  ['fs.mkdir', { path: 'missing/x' }, 'not_found'],
  ['fs.mkdir', { path: 'dangling' }, 'already_exists'],
  ['fs.mkdir', { path: 'outdir/x' }, 'outside_vault'],
  ['fs.remove', { path: 'missing' }, 'not_found'],
  ['fs.remove', { path: 'Notes' }, 'is_a_folder'],
  ['fs.remove', { path: 'linked' }, 'is_a_folder'],
  ['fs.remove', {}, 'is_a_folder'],
  ['fs.remove', { path: 'outdir/secret.md' }, 'outside_vault'],
  ...['', '/', '.', './', './.'].flatMap((path) =>
    [true, false].map((recursive): Failure => ['fs.rmdir', { path, recursive }, 'invalid_input']),
  ),
  ['fs.rmdir', { path: 'Notes/..', recursive: true }, 'outside_vault'],
  ['fs.rmdir', { path: 'old.md' }, 'not_a_folder'],
  ['fs.rmdir', { path: 'link.md' }, 'not_a_folder'],
  ['fs.rmdir', { path: 'missing' }, 'not_found'],
  ['fs.rmdir', { path: 'Notes' }, 'already_exists'],
  ['fs.rename', { oldPath: 'missing', newPath: 'x' }, 'not_found'],
  ['fs.rename', { oldPath: 'missing', newPath: 'missing' }, 'not_found'],
  ['fs.rename', { oldPath: 'Notes', newPath: 'old.md' }, 'not_a_folder'],
  ['fs.rename', { oldPath: 'old.md', newPath: 'Notes' }, 'already_exists'],
  ['fs.rename', { oldPath: 'Notes', newPath: 'Old' }, 'already_exists'],
  ['fs.rename', { oldPath: 'Notes', newPath: 'Notes/x' }, 'io_failed'],
  ['fs.rename', { oldPath: '', newPath: 'x' }, 'io_failed'],
  ['fs.rename', { oldPath: 'old.md', newPath: '' }, 'already_exists'],
  ['fs.rename', { oldPath: 'Notes', newPath: '/' }, 'io_failed'],
  ['fs.rename', { oldPath: 'Notes/a.md', newPath: 'old.md/x' }, 'not_a_folder'],
  ['fs.rename', { oldPath: 'old.md', newPath: 'outdir/x' }, 'outside_vault'],
  ['fs.copy', { srcPath: 'missing', destPath: 'x' }, 'not_found'],
  ['fs.copy', { srcPath: 'Notes', destPath: 'x' }, 'is_a_folder'],
  ['fs.copy', { srcPath: '', destPath: 'x' }, 'is_a_folder'],
  ['fs.copy', { srcPath: 'old.md', destPath: 'Notes' }, 'already_exists'],
  ['fs.copy', { srcPath: 'old.md', destPath: '' }, 'already_exists'],
  ['fs.copy', { srcPath: 'old.md', destPath: 'zero.md/x' }, 'not_a_folder'],
  ['fs.copy', { srcPath: 'out.md', destPath: 'x' }, 'outside_vault'],
  ['fs.copy', { srcPath: 'old.md', destPath: 'out.md' }, 'outside_vault'],
  ['fs.trashLocal', { path: 'missing' }, 'not_found'],
  ['fs.trashLocal', {}, 'invalid_input'],
  ['fs.trashLocal', { path: './' }, 'invalid_input'],
  ['fs.trashLocal', { path: '.trash' }, 'io_failed'],
  ['fs.trashLocal', { path: '.trash/old.md' }, 'io_failed'],
  ['fs.thumbnail', { path: 'old.md', maxDim: 9 }, 'unavailable'],
];

async function undo({ whole }: FsVault): Promise<void> {
  const vault = whole.bind(testCaller(), { tool: 'undo', args: {}, raw: true });
  await vault.change(undoChanges, { last: 1 });
}

function without(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, text]) => text !== undefined));
}

/** The change, what it did and answered, and that nothing else happened. */
async function change(vault: FsVault, [method, params, differs, at]: (typeof changes)[number]) {
  const before = vault.tree();
  const answer = await vault.call(method, params);
  expect(vault.tree()).toEqual(without({ ...before, ...differs }));
  const mtime = at === undefined ? undefined : Math.floor(lstatSync(join(vault.root, at)).mtimeMs);
  expect(answer).toEqual(mtime === undefined ? {} : { mtime });
  expect(await fsHistory(vault)).toMatchObject([
    { tool: method, door: 'remote', connection: 'r1' },
  ]);
  return before;
}

describe('the changing methods of the fs toolset', () => {
  it.each(changes)('%s %j makes one change, which undo takes back', async (...row) => {
    await withFsVault(async (vault) => {
      const before = await change(vault, row);
      await undo(vault);
      expect(vault.tree()).toEqual(before);
    });
  });

  it.each(notUndone)('%s %j makes one change', async (...row) => {
    await withFsVault(async (vault) => {
      await change(vault, row);
    });
  });

  it('bring every file back when a folder that took the place of an empty one is undone', async () => {
    await withFsVault(async (vault) => {
      const before = vault.tree();
      await vault.call('fs.rename', { oldPath: 'Notes/deep', newPath: 'empty' });
      await undo(vault);
      expect({ empty: '/', ...vault.tree() }).toEqual(before);
    });
  });

  describe('without a change', () => {
    let vault: FsVault;
    let before: Tree;
    beforeAll(async () => {
      vault = await openFsVault({ onFinished: afterAll });
      before = vault.tree();
    });
    afterAll(() => vault.close());

    it.each(idle)('%s %j succeeds', async (method, params, answer) => {
      expect(await vault.call(method, params)).toEqual(answer);
      expect(vault.tree()).toEqual(before);
      expect(await fsHistory(vault)).toEqual([]);
    });

    it.each(failures)('%s %j fails with %s', async (method, params, code) => {
      expect(await vault.call(method, params)).toBe(`!${code}`);
      expect(vault.tree()).toEqual(before);
      expect(await fsHistory(vault)).toEqual([]);
    });
  });

  it('keep the mode of a file, and the time of one that is renamed', async () => {
    await withFsVault(async (vault) => {
      chmodSync(join(vault.root, 'old.md'), 0o600);
      await vault.call('fs.write', { path: 'old.md', content: 'private' });
      await vault.call('fs.append', { path: 'old.md', content: '!' });
      expect(statSync(join(vault.root, 'old.md')).mode & 0o777).toBe(0o600);
      const renamed = { oldPath: 'Notes/a.md', newPath: 'old.md' };
      expect(await vault.call('fs.rename', renamed)).toEqual({ mtime: fileMtime });
    });
  });

  it('do the same with a symlink out of the vault, whether or not it leads to something', async () => {
    await withFsVault(async (vault) => {
      symlinkSync('../outside/nowhere.md', join(vault.root, 'away.md'));
      const answers = async (path: string) => [
        await vault.call('fs.write', { path }),
        await vault.call('fs.append', { path }),
        await vault.call('fs.mkdir', { path }),
        await vault.call('fs.mkdir', { path: `${path}/x/y`, recursive: true }),
        await vault.call('fs.rmdir', { path, recursive: true }),
        await vault.call('fs.copy', { srcPath: path, destPath: 'x' }),
        await vault.call('fs.copy', { srcPath: 'old.md', destPath: path }),
        await vault.call('fs.rename', { oldPath: 'old.md', newPath: `${path}/x` }),
      ];
      const all = Array.from({ length: 8 }, () => '!outside_vault');
      expect([await answers('out.md'), await answers('away.md')]).toEqual([all, all]);
      expect(await vault.call('fs.remove', { path: 'away.md' })).toEqual({});
    });
  });

  it('know a symlink to the vault itself, and remove one that leads through a file', async () => {
    await withFsVault(async (vault) => {
      symlinkSync('.', join(vault.root, 'root'));
      symlinkSync('old.md/x', join(vault.root, 'through'));
      expect(await vault.call('fs.append', { path: 'root', content: 'x' })).toBe('!is_a_folder');
      expect(await vault.call('fs.rmdir', { path: 'root', recursive: true })).toEqual({});
      expect(await vault.call('fs.remove', { path: 'through' })).toEqual({});
      expect(vault.tree()).toMatchObject({ 'old.md': 'new', 'Notes/a.md': 'alpha\n' });
    });
  });
});
