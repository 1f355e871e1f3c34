import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { RawDisk, RawEntry } from '../../engine/ports/raw-disk.ts';
import { openRawDisk } from './raw-disk.ts';

const ways = [
  ['without threads', true],
  ['through threads', false],
] as const;

const open = (root: string, sync: boolean): RawDisk =>
  openRawDisk(root, { check: async () => undefined, sync });

const shown = (entries: readonly RawEntry[]): string =>
  entries.map(({ path, kind }) => `${path}${marks[kind]}`).join(' ');

const marks = { file: '', folder: '/', symlink: '@' } as const;

const all = { recursive: true, entriesMax: 1_000 } as const;

function vault() {
  const base = tempFolder({
    'vault/a.md': 'a',
    'vault/a/x.md': 'x',
    'vault/a/b/y.md': 'y',
    'vault/a-b.md': '',
    'vault/.obsidian/app.json': '{}',
    'vault/.trash/old.md': '',
    'vault/Z.md': '',
    'outside/secret.md': '',
  });
  const root = join(base, 'vault');
  mkdirSync(join(root, 'empty'));
  symlinkSync('a', join(root, 'to-a'));
  symlinkSync('a.md', join(root, 'to-file'));
  symlinkSync('../outside', join(root, 'to-outside'));
  symlinkSync('absent', join(root, 'dangling'));
  symlinkSync('.', join(root, 'a/self'));
  return root;
}

/** The start, what is in it, and all that is below it. */
const starts: [folder: string, list: string, walk: string][] = [
  [
    '',
    '.obsidian/ .trash/ Z.md a/ a-b.md a.md dangling@ empty/ to-a@ to-file@ to-outside@',
    '.obsidian/ .obsidian/app.json .trash/ .trash/old.md Z.md a/ a/b/ a/b/y.md a/self@ a/x.md a-b.md a.md dangling@ empty/ to-a@ to-file@ to-outside@',
  ],
  ['a', 'a/b/ a/self@ a/x.md', 'a/b/ a/b/y.md a/self@ a/x.md'],
  ['a/b', 'a/b/y.md', 'a/b/y.md'],
  ['to-a', 'to-a/b/ to-a/self@ to-a/x.md', ''],
  ['to-a/b', 'to-a/b/y.md', 'to-a/b/y.md'],
  ['a/self/self/b', 'a/self/self/b/y.md', 'a/self/self/b/y.md'],
  ['.obsidian', '.obsidian/app.json', '.obsidian/app.json'],
  ['empty', '', ''],
  ...['absent', 'absent/absent', 'dangling'].map((path): (typeof starts)[number] => [
    path,
    'not_found',
    'not_found',
  ]),
  ...['a.md', 'to-file', 'a.md/x'].map((path): (typeof starts)[number] => [
    path,
    'not_a_folder',
    'not_a_folder',
  ]),
  ['to-outside', 'outside_vault', 'outside_vault'],
  ['to-outside/sub', 'outside_vault', 'outside_vault'],
];

let many: string | undefined;

/** A folder with 20,000 names in it, made once. */
function manyNames(): string {
  if (many !== undefined) return many;
  many = tempFolder({}, () => undefined);
  execFileSync('sh', ['-c', 'seq 20000 | xargs touch'], { cwd: many });
  return many;
}

afterAll(() => {
  if (many !== undefined) rmSync(many, { recursive: true });
});

describe.each(ways)('%s', (_, sync) => {
  test.each(starts)('"%s" lists "%s"', async (folder, list, walk) => {
    const disk = open(vault(), sync);
    const code = ({ code: it }: { code: string }) => it;
    const start = vaultFolder(folder);
    expect(await disk.list(start).then(shown, code)).toBe(list);
    expect(await disk.walk(start, all).then(({ entries }) => shown(entries), code)).toBe(walk);
    const flat = disk.walk(start, { recursive: false, entriesMax: 1_000 });
    expect(await flat.then(({ entries }) => shown(entries), code)).toBe(walk === '' ? '' : list);
  });

  test('an entry has the size and time of itself, be it a symlink, and none for folders', async () => {
    const root = vault();
    execFileSync('touch', ['-h', '-d', '2001-02-03T04:05:06.789Z', join(root, 'to-a')]);
    const disk = open(root, sync);
    const entries = await disk.list('');
    const of = (path: string) => entries.find((entry) => entry.path === path);
    const mtimeMs = Date.UTC(2001, 1, 3, 4, 5, 6, 789);
    expect(of('to-a')).toMatchObject({ kind: 'symlink', size: 1, mtimeMs });
    expect(of('a')).toMatchObject({ kind: 'folder', size: 0 });
    expect(of('.obsidian')).toEqual(await disk.entry(vaultPath('.obsidian')));
    const { entries: walked } = await disk.walk('', { recursive: false, entriesMax: 99 });
    expect(walked).toEqual(entries);
  });

  test('names are in the order of their bytes', async () => {
    const names = ['\u{1f600}', '\uff5e', 'é', 'e\u0301', 'B', 'a', '\ue000', ' b', '-'];
    const root = tempFolder(Object.fromEntries(names.map((name) => [`${name}.md`, ''])));
    const listed = (await open(root, sync).list('')).map(({ path }) => path);
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    expect(listed).toEqual(names.map((name) => `${name}.md`).sort(bytes));
  });

  test('what cannot be spelled or is being written is left out', async () => {
    const root = tempFolder({
      'a.md': '',
      'back\\slash.md': '',
      'new\nline.md': '',
      '.~vd-0123456789abcdef.tmp': '',
      '.rsh-write-1.tmp': '',
      'mine.tmp': '',
      'dir\\with/inner.md': '',
      'C:/inner.md': '',
      'bad \ufffd.md': 'a name that looks like the one below',
    });
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/bad `), Buffer.from([0xff]), Buffer.from('.md')]),
      '',
    );
    writeFileSync(Buffer.concat([Buffer.from(`${root}/other `), Buffer.from([0xff])]), '');
    const disk = open(root, sync);
    const { entries } = await disk.walk('', all);
    expect(shown(entries)).toBe('C:/ a.md bad \ufffd.md mine.tmp');
    expect(shown(await disk.list(''))).toBe(shown(entries));
  });

  test.each([
    [0, '', true],
    [3, 'a/ a/x.md b/', true],
    [4, 'a/ a/x.md b/ b/y.md', true],
    [5, 'a/ a/x.md b/ b/y.md c.md', false],
    [6, 'a/ a/x.md b/ b/y.md c.md', false],
  ])('a walk of at most %i entries', async (entriesMax, expected, truncated) => {
    const root = tempFolder({ 'a/x.md': '', 'b/y.md': '', 'c.md': '', '.~vd-1.tmp': '' });
    const walk = await open(root, sync).walk('', { recursive: true, entriesMax });
    expect([shown(walk.entries), walk.truncated]).toEqual([expected, truncated]);
  });

  test('a walk skips what it is told to, with all that is in it, and does not count it', async () => {
    const root = tempFolder({ 'a/x.md': '', 'b/y.md': '', 'c.md': '' });
    const skip = (path: string) => path === 'a' || path === 'c.md';
    const walk = await open(root, sync).walk('', { recursive: true, entriesMax: 2, skip });
    expect([shown(walk.entries), walk.truncated]).toEqual(['b/ b/y.md', false]);
  });

  test('a walk goes on when folders and files vanish before it gets to them', async () => {
    const root = tempFolder({ 'a/x.md': '', 'b/y.md': '', 'c.md': '', 'd/z.md': '' });
    const skip = (path: string) => {
      if (path === 'a') rmSync(join(root, 'b'), { recursive: true });
      if (path === 'b') writeFileSync(join(root, 'b'), 'now a file');
      if (path === 'd') unlinkSync(join(root, 'd/z.md'));
      return false;
    };
    const { entries } = await open(root, sync).walk('', { ...all, skip });
    expect(shown(entries)).toBe('a/ a/x.md b/ c.md d/');
  });

  test('a path too long for the system is passed over', async () => {
    const root = tempFolder({ 'z.md': '' });
    const name = 'd'.repeat(250);
    execFileSync('sh', ['-c', `for i in $(seq 17); do mkdir ${name} && cd -P ${name}; done`], {
      cwd: root,
    });
    const { entries } = await open(root, sync).walk('', all);
    expect(entries.at(-1)?.path).toBe('z.md');
    expect(entries.length).toBeGreaterThan(15);
    execFileSync('rm', ['-rf', join(root, name)]); // Node cannot remove it.
  });

  test('20,000 entries are listed and walked while others have their turns', async () => {
    const disk = open(manyNames(), sync);
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const { entries } = await disk.walk('', { recursive: true, entriesMax: 20_000 });
    running = false;
    expect(entries.length).toBe(20_000);
    expect(turns).toBeGreaterThan(3);
    expect(await disk.list('')).toEqual(entries);
  });

  test('a walk ends when its call does', async () => {
    const root = tempFolder(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}`, ''])),
    );
    const disk = open(root, sync);
    const ending = new AbortController();
    const skip = () => {
      ending.abort();
      return false;
    };
    const walk = disk.walk('', { ...all, skip, signal: ending.signal });
    expect(await failureOf(walk)).toMatchObject({ code: 'cancelled' });
  });
});
