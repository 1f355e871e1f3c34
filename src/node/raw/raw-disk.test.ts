import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runAsNobody } from '../../../test/support/as-nobody.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { RawDisk } from '../../engine/ports/raw-disk.ts';
import { VaultPresence } from '../disk/vault-presence.ts';
import { openRawDisk } from './raw-disk.ts';

const ways = [
  ['without threads', true],
  ['through threads', false],
] as const;

function open(root: string, sync: boolean): RawDisk {
  const presence = new VaultPresence(root);
  return openRawDisk(root, { check: () => presence.check(), sync });
}

/** A vault beside a folder that is not in it, with symlinks of every kind. */
function vaultWithLinks() {
  const base = tempFolder({
    'vault/note.md': 'note',
    'vault/folder/inner.md': 'inner',
    'vault/folder/deep/deeper.md': 'deeper',
    'vault/.obsidian/app.json': '{}',
    'outside/secret.md': 'secret',
    'outside/sub/x.md': 'x',
    'vault-2/sibling.md': 'sibling',
  });
  const vault = join(base, 'vault');
  const link = (target: string, path: string) => symlinkSync(target, join(vault, path));
  link('note.md', 'to-note.md');
  link('folder', 'to-folder');
  link('.obsidian', 'settings');
  link('../outside/secret.md', 'to-secret.md');
  link('../outside', 'to-outside');
  link('../vault-2', 'to-sibling');
  link('../vault/note.md', 'out-and-back.md');
  link('nowhere.md', 'dangling.md');
  link('../outside/nowhere.md', 'dangling-outside.md');
  link('/nowhere', 'dangling-far.md');
  link('../outside/secret.md/x', 'through-secret.md');
  link('folder/../dangling-outside.md', 'to-dangling-outside.md');
  link('../vault/nowhere.md', 'out-and-nowhere.md');
  link(join(vault, 'nowhere.md'), 'dangling-inside.md');
  link('note.md/x', 'through-note.md');
  link('..', 'folder/to-root');
  link('loop.md', 'loop.md');
  link('.', 'folder/to-itself');
  link('/dev/zero', 'device.md');
  execFileSync('mkfifo', [join(vault, 'pipe.md')]);
  return { base, vault };
}

const refused = [
  'outside_vault',
  'outside_vault',
  'outside_vault',
  'outside_vault',
  'outside_vault',
] as const;

/** Path, what `stat` says, what `entry` says, what `read` says, what `canonical` and `real` say. */
const places: [string, string, string, string, string, string][] = [
  ['note.md', 'file', 'file', 'note', 'note.md', 'note.md'],
  ['to-note.md', 'file', 'symlink', 'note', 'to-note.md', 'note.md'],
  ['out-and-back.md', 'file', 'symlink', 'note', 'out-and-back.md', 'note.md'],
  ['folder', 'folder', 'folder', 'is_a_folder', 'folder', 'folder'],
  ['to-folder', 'folder', 'symlink', 'is_a_folder', 'to-folder', 'folder'],
  ['to-folder/inner.md', 'file', 'file', 'inner', 'folder/inner.md', 'folder/inner.md'],
  ['to-folder/deep/new.md', 'none', 'none', 'not_found', 'folder/deep/new.md', 'none'],
  ['to-folder/a/b/new.md', 'none', 'none', 'not_found', 'folder/a/b/new.md', 'none'],
  [
    'folder/to-itself/to-itself/inner.md',
    ...(['file', 'file', 'inner', 'folder/inner.md', 'folder/inner.md'] as const),
  ],
  ['.obsidian/app.json', 'file', 'file', '{}', '.obsidian/app.json', '.obsidian/app.json'],
  ['settings/app.json', 'file', 'file', '{}', '.obsidian/app.json', '.obsidian/app.json'],
  ['to-secret.md', 'outside_vault', 'symlink', 'outside_vault', 'to-secret.md', 'outside_vault'],
  ['to-outside', 'outside_vault', 'symlink', 'outside_vault', 'to-outside', 'outside_vault'],
  ['device.md', 'outside_vault', 'symlink', 'outside_vault', 'device.md', 'outside_vault'],
  ...[
    'to-outside/secret.md',
    'to-outside/sub/x.md',
    'to-outside/absent.md',
    'to-outside/absent/absent.md',
    'to-outside/secret.md/below',
    'to-outside/secret.md/below/it',
    'to-sibling/sibling.md',
  ].map((path): (typeof places)[number] => [path, ...refused]),
  ['dangling.md', 'none', 'symlink', 'not_found', 'dangling.md', 'none'],
  // Nobody is told what there is outside: these are refused as those that lead to something.
  ...[
    'dangling-outside.md',
    'dangling-far.md',
    'through-secret.md',
    'to-dangling-outside.md',
  ].flatMap((path): (typeof places)[number][] => [
    [path, 'outside_vault', 'symlink', 'outside_vault', path, 'outside_vault'],
    [`${path}/x`, ...refused],
    [`${path}/x/y`, ...refused],
  ]),
  ['out-and-nowhere.md', 'none', 'symlink', 'not_found', 'out-and-nowhere.md', 'none'],
  ['dangling-inside.md', 'none', 'symlink', 'not_found', 'dangling-inside.md', 'none'],
  [
    'through-note.md',
    ...(['not_a_folder', 'symlink', 'not_a_folder', 'through-note.md', 'not_a_folder'] as const),
  ],
  ['folder/to-root', 'folder', 'symlink', 'is_a_folder', 'folder/to-root', ''],
  ['loop.md', 'none', 'symlink', 'not_found', 'loop.md', 'none'],
  ['dangling.md/x', 'none', 'none', 'not_found', 'not_a_folder', 'none'],
  ['dangling.md/x/y', 'none', 'none', 'not_found', 'not_a_folder', 'none'],
  ['loop.md/x/y', 'none', 'none', 'not_found', 'not_a_folder', 'none'],
  ['absent.md', 'none', 'none', 'not_found', 'absent.md', 'none'],
  ['absent/absent/absent.md', 'none', 'none', 'not_found', 'absent/absent/absent.md', 'none'],
  ...['note.md/below', 'note.md/below/it', 'to-note.md/below', 'pipe.md/below'].map(
    (path): (typeof places)[number] => [
      path,
      'not_a_folder',
      'not_a_folder',
      'not_a_folder',
      'not_a_folder',
      'not_a_folder',
    ],
  ),
  ['NOTE.md', 'none', 'none', 'not_found', 'NOTE.md', 'none'],
  ['pipe.md', 'file', 'file', 'forbidden', 'pipe.md', 'pipe.md'],
];

/** An answer, or the code of a failure, which never tells where the vault is. */
async function outcome(base: string, call: Promise<string | undefined>): Promise<string> {
  try {
    return (await call) ?? 'none';
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain(base);
    return error.code;
  }
}

describe.each(ways)('a path %s', (_, sync) => {
  test.each(places)('%s', async (input, stat, entry, read, canonical, real) => {
    const { base, vault } = vaultWithLinks();
    const disk = open(vault, sync);
    const path = vaultPath(input);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    const seen = await Promise.all([
      outcome(
        base,
        disk.stat(path).then((found) => found?.kind),
      ),
      outcome(
        base,
        disk.entry(path).then((found) => found?.kind),
      ),
      outcome(
        base,
        disk.read(path, { bytesMax: 100 }).then(({ bytes }) => text(bytes)),
      ),
      outcome(base, disk.canonical(path)),
      outcome(base, disk.real(path)),
    ]);
    expect(seen).toEqual([stat, entry, read, canonical, real]);
    const ranged = disk
      .readRange(path, { offset: 0, length: 100 })
      .then(({ bytes }) => text(bytes));
    expect(await outcome(base, ranged)).toBe(read);
    const { signal } = new AbortController();
    const hashed = disk.hash(path, { signal }).then(() => read);
    expect(await outcome(base, hashed)).toBe(read);
  });

  test('what a link to an unspellable name leads to cannot be named', async () => {
    const vault = tempFolder({ 'a\\b/x.md': 'x' });
    symlinkSync('a\\b', join(vault, 'link'));
    const disk = open(vault, sync);
    expect((await disk.stat(vaultPath('link/x.md')))?.kind).toBe('file');
    expect(await failureOf(disk.canonical(vaultPath('link/x.md')))).toMatchObject({
      code: 'outside_vault',
    });
  });

  test('a name that the disk cannot hold is refused, not missing', async () => {
    const deep = Array.from({ length: 20 }, () => 'd'.repeat(200)).join('/');
    const disk = open(tempFolder(), sync);
    const path = vaultPath(`${deep}/${'e'.repeat(70)}`);
    expect(await failureOf(disk.stat(path))).toMatchObject({ code: 'invalid_input' });
    expect(await failureOf(disk.entry(path))).toMatchObject({ code: 'invalid_input' });
  });
});

describe.each(ways)('a stat %s', (_, sync) => {
  test.each([
    [0o100644, 0o644],
    [0o600, 0o600],
    [0o4755, 0o4755],
  ])('has the permission bits of mode %o', async (mode, expected) => {
    const vault = tempFolder({ 'a.md': 'text' });
    chmodSync(join(vault, 'a.md'), mode & 0o7777);
    const stat = await open(vault, sync).stat(vaultPath('a.md'));
    expect(stat).toMatchObject({ kind: 'file', size: 4, mode: expected });
  });

  test('of a folder, and of the vault itself, has no size', async () => {
    const vault = tempFolder({ 'folder/a.md': 'text' });
    chmodSync(join(vault, 'folder'), 0o750);
    const disk = open(vault, sync);
    expect(await disk.stat(vaultPath('folder'))).toMatchObject({
      kind: 'folder',
      size: 0,
      mode: 0o750,
    });
    expect(await disk.stat('')).toMatchObject({ kind: 'folder', size: 0 });
  });

  test('has whole milliseconds, the same in every answer', async () => {
    const vault = tempFolder({ 'a.md': 'text' });
    // A nanosecond before the next millisecond, which Node's own number rounds up.
    execFileSync('touch', ['-d', '2026-05-05T12:00:00.123999999Z', join(vault, 'a.md')]);
    const disk = open(vault, sync);
    const path = vaultPath('a.md');
    const mtimeMs = Date.UTC(2026, 4, 5, 12, 0, 0, 123);
    expect(Math.floor(lstatSync(join(vault, 'a.md')).mtimeMs)).toBe(mtimeMs + 1);
    expect((await disk.stat(path))?.mtimeMs).toBe(mtimeMs);
    expect((await disk.entry(path))?.mtimeMs).toBe(mtimeMs);
    expect((await disk.list(''))[0]?.mtimeMs).toBe(mtimeMs);
    expect((await disk.read(path, { bytesMax: 10 })).stat).toEqual(await disk.stat(path));
  });

  test('before 1970 is cut off towards the past as well', async () => {
    const vault = tempFolder({ 'a.md': 'text' });
    execFileSync('touch', ['-d', '1969-12-31T23:59:59.499500000Z', join(vault, 'a.md')]);
    expect((await open(vault, sync).stat(vaultPath('a.md')))?.mtimeMs).toBe(-501);
  });

  test('of an entry has a stamp that changes with the content, not with mode or name', async () => {
    const vault = tempFolder({ 'a.md': 'text' });
    const disk = open(vault, sync);
    const before = await disk.entry(vaultPath('a.md'));
    chmodSync(join(vault, 'a.md'), 0o600);
    renameSync(join(vault, 'a.md'), join(vault, 'b.md'));
    expect((await disk.entry(vaultPath('b.md')))?.stamp).toBe(before?.stamp);
    utimesSync(join(vault, 'b.md'), 7, 7);
    expect((await disk.entry(vaultPath('b.md')))?.stamp).not.toBe(before?.stamp);
  });
});

/** Looks at a vault as someone who may not read all of it. */
const bound = bundleProgram(
  import.meta.dirname,
  `
  import { openRawDisk } from './raw-disk.ts';
  const says = (call) => call.then((value) => value ?? 'none', (error) => error.code);
  const answers = [];
  for (const sync of [true, false]) {
    const disk = openRawDisk(process.argv[2], { check: async () => undefined, sync });
    const walk = disk.walk('', { recursive: true, entriesMax: 100 });
    answers.push({
      stat: await says(disk.stat('closed/a.md')),
      missing: await says(disk.stat('closed/sub/absent.md')),
      entry: await says(disk.entry('closed/a.md')),
      canonical: await says(disk.canonical('closed/sub/a.md')),
      list: await says(disk.list('closed')),
      listUnsearchable: await says(disk.list('unsearchable')),
      read: await says(disk.read('secret.md', { bytesMax: 10 })),
      walkClosed: await says(disk.walk('closed', { recursive: true, entriesMax: 9 })),
      walk: (await walk).entries.map(({ path }) => path).join(' '),
    });
  }
  console.log(JSON.stringify(answers));
`,
);

test('what may not be read is forbidden, never missing, and walks pass over it', () => {
  const vault = tempFolder({
    'closed/a.md': '',
    'open/a.md': '',
    'secret.md': '',
    'unsearchable/a.md': '',
  });
  chmodSync(join(vault, 'closed'), 0);
  chmodSync(join(vault, 'unsearchable'), 0o400);
  chmodSync(join(vault, 'secret.md'), 0);
  const expected = {
    stat: 'forbidden',
    missing: 'forbidden',
    entry: 'forbidden',
    canonical: 'forbidden',
    list: 'forbidden',
    listUnsearchable: 'forbidden',
    read: 'forbidden',
    walkClosed: 'forbidden',
    walk: 'closed open open/a.md secret.md unsearchable',
  };
  expect(JSON.parse(runAsNobody(bound, vault))).toEqual([expected, expected]);
});

describe.each(ways)('a vault %s', (_, sync) => {
  const calls: [string, (disk: RawDisk) => Promise<unknown>][] = [
    ['stat', (disk) => disk.stat(vaultPath('a.md'))],
    ['stat of the root', (disk) => disk.stat('')],
    ['entry', (disk) => disk.entry(vaultPath('a.md'))],
    ['list', (disk) => disk.list('')],
    ['walk', (disk) => disk.walk('', { recursive: true, entriesMax: 9 })],
    ['read', (disk) => disk.read(vaultPath('a.md'), { bytesMax: 9 })],
    ['readRange', (disk) => disk.readRange(vaultPath('a.md'), { offset: 0, length: 9 })],
    ['hash', (disk) => disk.hash(vaultPath('a.md'), { signal: new AbortController().signal })],
    ['canonical', (disk) => disk.canonical(vaultPath('x/a.md'))],
    ['real', (disk) => disk.real(vaultPath('a.md'))],
  ];

  test.each(calls)(
    'that is away is away for %s, and there again afterwards',
    async (_name, call) => {
      const base = tempFolder({ 'vault/a.md': 'text' });
      const root = join(base, 'vault');
      const disk = open(root, sync);
      const before = await call(disk);
      // In the same turn of the event loop: what was known a moment ago is not believed.
      renameSync(root, join(base, 'elsewhere'));
      expect(await failureOf(call(disk))).toMatchObject({ code: 'vault_not_found' });
      writeFileSync(root, 'a file in its place');
      expect(await failureOf(call(disk))).toMatchObject({ code: 'vault_not_found' });
      rmSync(root);
      renameSync(join(base, 'elsewhere'), root);
      expect(await call(disk)).toEqual(before);
    },
  );

  test('in whose place another folder is put is that folder', async () => {
    const base = tempFolder({ 'vault/a.md': 'text' });
    const root = join(base, 'vault');
    const disk = open(root, sync);
    expect(await disk.stat(vaultPath('a.md'))).toBeDefined();
    renameSync(root, join(base, 'elsewhere'));
    mkdirSync(root);
    writeFiles(root, { 'b.md': '' });
    for (let i = 0; i < 2; i++) {
      expect(await disk.stat(vaultPath('a.md'))).toBeUndefined();
      expect(await disk.stat(vaultPath('b.md'))).toBeDefined();
    }
  });

  test('beneath whose mount nothing is to be found is away, not empty', async () => {
    const base = tempFolder({ 'vault/a.md': 'text' });
    const root = join(base, 'vault');
    let mounted = true;
    const check = async () => {
      if (!mounted) throw new VaultError('vault_not_found', 'Mount it again.');
    };
    const disk = openRawDisk(root, { check, sync });
    expect(await disk.list(vaultFolder(''))).toHaveLength(1);
    mounted = false;
    renameSync(root, join(base, 'elsewhere'));
    mkdirSync(root);
    await setImmediate(); // Within one turn of the event loop, one look is enough.
    for (const [, call] of calls) {
      expect(await failureOf(call(disk))).toMatchObject({ code: 'vault_not_found' });
    }
  });

  test('that is not there cannot be opened', () => {
    const root = join(tempFolder(), 'absent');
    expect(() => openRawDisk(root, { check: async () => undefined, sync })).toThrow(VaultError);
  });
});
