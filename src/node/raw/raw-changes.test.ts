import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import {
  openWrittenFolder,
  testCaller,
  type WrittenVault,
} from '../../../test/support/written-vault.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { undoChanges } from '../../engine/operations/history/undo-changes.ts';
import type { Draft } from '../../engine/vault/draft.ts';
import type { RawDraft } from '../../engine/vault/raw-draft.ts';

// Raw changes where names are not only files and folders: what no disk in memory has.

const p = vaultPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const start = [
  'F/',
  'F/deep/',
  'F/deep/up -> ../../a.md',
  'F/note.md: note',
  'a.md: a',
  'dangling -> nowhere',
  'folder -> F',
  'link.md -> a.md',
  'out -> outside',
  'out.md -> secret',
];

async function opened() {
  const outside = join(tempFolder(), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  const root = tempFolder();
  writeFiles(root, { 'a.md': 'a', 'F/note.md': 'note' });
  mkdirSync(join(root, 'F/deep'));
  for (const [name, to] of [
    ['F/deep/up', '../../a.md'],
    ['dangling', 'nowhere'],
    ['folder', 'F'],
    ['link.md', 'a.md'],
    ['out', outside],
    ['out.md', join(outside, 'secret')],
  ] as const) {
    symlinkSync(to, join(root, name));
  }
  const vault = await openWrittenFolder(root);
  onTestFinished(() => vault.close());
  return { root, vault, outside };
}

/** Everything as text: files with their content, symlinks with where they lead. */
function contents(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(root.length + 1);
      if (entry.isSymbolicLink())
        return `${name} -> ${readlinkSync(path).replace(/.*\/(secret|outside)/, '$1')}`;
      if (entry.isFIFO()) return `${name}|`;
      return entry.isDirectory() ? `${name}/` : `${name}: ${readFileSync(path, 'utf8')}`;
    })
    .sort();
}

const make = ({ whole }: WrittenVault, plan: (raw: RawDraft) => Promise<void>) =>
  whole
    .bind(testCaller({ door: 'remote' }), { tool: 'fs', args: {}, raw: true })
    .change(async (draft: Draft) => {
      await plan(draft.raw);
      return {};
    }, {});

const undo = ({ whole }: WrittenVault) =>
  whole.bind(testCaller(), { tool: 'undo', args: {}, raw: true }).change(undoChanges, {});

const rows: readonly (readonly [
  does: string,
  plan: (raw: RawDraft) => Promise<void>,
  change: Readonly<Record<string, string | undefined>>,
])[] = [
  [
    'puts a file in the place of a symlink, not of what it leads to',
    (raw) => raw.put(p('link.md'), bytes('new')),
    { 'link.md -> a.md': 'link.md: new' },
  ],
  [
    'puts a file in the place of a symlink that leads nowhere',
    (raw) => raw.put(p('dangling'), bytes('new')),
    { 'dangling -> nowhere': 'dangling: new' },
  ],
  ['removes a symlink', (raw) => raw.remove(p('link.md')), { 'link.md -> a.md': undefined }],
  [
    'removes a symlink that leads nowhere',
    (raw) => raw.remove(p('dangling')),
    { 'dangling -> nowhere': undefined },
  ],
  [
    'removes a symlink that leads outside',
    (raw) => raw.remove(p('out.md')),
    { 'out.md -> secret': undefined },
  ],
  [
    'removes a symlink to a folder alone',
    (raw) => raw.removeFolder(p('folder'), { recursive: true }),
    { 'folder -> F': undefined },
  ],
  [
    'renames a symlink that leads nowhere',
    (raw) => raw.move(p('dangling'), p('new/name')),
    { 'dangling -> nowhere': 'new/name -> nowhere', '': 'new/' },
  ],
  [
    'renames a file over a symlink',
    (raw) => raw.move(p('F/note.md'), p('out.md')),
    { 'F/note.md: note': 'out.md: note', 'out.md -> secret': undefined },
  ],
  [
    'renames a symlink over a file',
    (raw) => raw.move(p('dangling'), p('F/note.md')),
    { 'dangling -> nowhere': 'F/note.md -> nowhere', 'F/note.md: note': undefined },
  ],
  [
    'removes a folder with the symlinks in it',
    (raw) => raw.removeFolder(p('F'), { recursive: true }),
    {
      'F/': undefined,
      'F/deep/': undefined,
      'F/deep/up -> ../../a.md': undefined,
      'F/note.md: note': undefined,
    },
  ],
];

test.each(rows)('%s', async (_, plan, change) => {
  const { root, vault, outside } = await opened();
  expect(contents(root)).toEqual([...start].sort());
  await make(vault, plan);
  const kept = start.filter((line) => !(line in change));
  const added = Object.values(change).filter((line) => line !== undefined);
  expect(contents(root)).toEqual([...kept, ...added].sort());
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(await vault.whole.parts.state.unfinished()).toEqual([]);
});

test.each<[string, (raw: RawDraft) => Promise<void>]>([
  ['outside_vault', (raw) => raw.put(p('out.md'), bytes('x'))],
  ['outside_vault', (raw) => raw.put(p('out/x'), bytes('x'))],
  ['outside_vault', (raw) => raw.makeFolder(p('out/x'))],
  ['outside_vault', (raw) => raw.move(p('a.md'), p('out/x'))],
  ['outside_vault', (raw) => raw.remove(p('out/secret'))],
  ['outside_vault', (raw) => raw.removeFolder(p('out'), { recursive: true })],
  ['already_exists', (raw) => raw.put(p('folder'), bytes('x'))],
  ['not_a_folder', (raw) => raw.removeFolder(p('link.md'), { recursive: true })],
])('answers %s and touches nothing', async (code, plan) => {
  const { root, vault, outside } = await opened();
  await expect(make(vault, plan)).rejects.toMatchObject({ code });
  expect(contents(root)).toEqual([...start].sort());
  expect(readdirSync(outside)).toEqual(['secret']);
});

test('undo brings back the text of a replaced symlink, and of a removed folder all but its symlinks', async () => {
  const { root, vault } = await opened();
  await make(vault, (raw) => raw.put(p('link.md'), bytes('new')));
  await undo(vault);
  expect(readFileSync(join(root, 'link.md'), 'utf8')).toBe('a');
  expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('a');
  await make(vault, (raw) => raw.removeFolder(p('F'), { recursive: true }));
  expect((await undo(vault)).left).toEqual([
    { path: 'F/deep/up', reason: 'nothing was kept of it' },
  ]);
  expect(contents(root).filter((line) => line.startsWith('F'))).toEqual([
    'F/',
    'F/deep/',
    'F/note.md: note',
  ]);
});

test.skipIf(process.platform === 'win32')('removes a pipe without opening it', async () => {
  const { root, vault } = await opened();
  execFileSync('mkfifo', [join(root, 'F/pipe')]);
  await make(vault, (raw) => raw.removeFolder(p('F'), { recursive: true }));
  expect(contents(root).filter((line) => line.startsWith('F'))).toEqual([]);
});

test.skipIf(process.platform === 'win32').each([
  ['a backslash', Buffer.from('a\\b')],
  ['a control character', Buffer.from('a\nb')],
  ['bytes that are no text', Buffer.from([0x61, 0xff])],
])('removes nothing of a folder with %s in a name', async (_, name) => {
  const { root, vault } = await opened();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/F/deep/`), name]), 'x');
  const removal = make(vault, (raw) => raw.removeFolder(p('F'), { recursive: true }));
  await expect(removal).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('"F/deep"'),
  });
  expect(readFileSync(join(root, 'F/note.md'), 'utf8')).toBe('note');
});

test('keeps mode and time of a renamed file, and the mode of one that is written', async () => {
  const { root, vault } = await opened();
  execFileSync('chmod', ['600', join(root, 'a.md')]);
  const before = statSync(join(root, 'a.md'));
  await make(vault, (raw) => raw.move(p('a.md'), p('F/note.md')));
  const after = statSync(join(root, 'F/note.md'));
  expect([after.ino, after.mtimeMs, after.mode]).toEqual([before.ino, before.mtimeMs, before.mode]);
  await make(vault, (raw) => raw.put(p('F/note.md'), bytes('new')));
  expect(statSync(join(root, 'F/note.md')).mode).toBe(before.mode);
});

test('renames a file over another name of itself', async () => {
  const { root, vault } = await opened();
  linkSync(join(root, 'a.md'), join(root, 'b.md'));
  await make(vault, (raw) => raw.move(p('a.md'), p('b.md')));
  expect(readFileSync(join(root, 'b.md'), 'utf8')).toBe('a');
  expect(() => lstatSync(join(root, 'a.md'))).toThrow('ENOENT');
});
