import { createHash } from 'node:crypto';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FsVault, fileMtime as mtime, openFsVault } from '../../../test/support/fs-vault.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { Thumbnails } from '../../engine/ports/thumbnails.ts';
import { fsToolset } from './fs-toolset.ts';

/** Says what it was asked for, as the picture. */
const thumbnails: Thumbnails = {
  make: async ({ path, size }, { maxDim }, read) => {
    const { length } = await read();
    const bytes = new TextEncoder().encode(`${path} ${size} ${length} ${maxDim}`);
    return { bytes, format: 'png', width: 3, height: 2 };
  },
  close: async () => undefined,
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const file = (size: number) => ({ type: 'file', mtime, size, mode: 0o644 });
const folder = { type: 'folder', mtime: expect.any(Number), size: 0, mode: expect.any(Number) };
const link = { type: 'symlink', mtime: expect.any(Number), size: expect.any(Number) };
const anyFolder = { type: 'folder', mtime: expect.any(Number), size: 0 };

let vault: FsVault;

beforeAll(async () => {
  vault = await openFsVault({ parts: { thumbnails }, onFinished: afterAll });
  writeFileSync(join(vault.root, 'big.bin'), '');
  truncateSync(join(vault.root, 'big.bin'), limits.remoteReadBytesMax + 5);
});
afterAll(() => vault.close());

type Row = [method: string, params: object, expected: unknown];

const looking: readonly Row[] = [
  ['fs.stat', {}, folder],
  ['fs.stat', { path: '/' }, folder],
  ['fs.stat', { path: '.' }, folder],
  ['fs.stat', { path: 'Notes/a.md' }, file(6)],
  ['fs.stat', { path: 'Notes//a.md/' }, file(6)],
  ['fs.stat', { path: 'Notes/a.md', more: 1 }, file(6)],
  ['fs.stat', { path: 'link.md' }, file(6)],
  ['fs.stat', { path: 'linked' }, folder],
  ['fs.stat', { path: 'linked/a.md' }, file(6)],
  ['fs.stat', { path: '.obsidian/app.json' }, file(2)],
  ['fs.stat', { path: 'missing' }, null],
  ['fs.stat', { path: 'missing/x' }, null],
  ['fs.stat', { path: 'dangling' }, null],
  ['fs.stat', { path: 'old.md/x' }, '!not_a_folder'],
  ['fs.stat', { path: 'out.md' }, '!outside_vault'],
  ['fs.stat', { path: 'outdir/secret.md' }, '!outside_vault'],
  ['fs.stat', { path: '/etc' }, '!outside_vault'],
  ['fs.stat', { path: 'Notes/../old.md' }, '!outside_vault'],
  ['fs.stat', { path: 'a\\b' }, '!outside_vault'],
  ['fs.stat', { path: 'a\0' }, '!invalid_input'],
  ['fs.stat', { path: 'a\ud800' }, '!invalid_input'],
  ['fs.stat', { path: 5 }, '!invalid_input'],
  ['fs.exists', {}, { exists: true }],
  ['fs.exists', { path: 'link.md' }, { exists: true }],
  ['fs.exists', { path: 'missing' }, { exists: false }],
  ['fs.exists', { path: 'dangling' }, { exists: false }],
  ['fs.exists', { path: 'old.md/x' }, '!not_a_folder'],
  ['fs.exists', { path: 'out.md' }, '!outside_vault'],
  [
    'fs.list',
    { path: 'Notes' },
    {
      entries: [
        { name: 'a.md', type: 'file', mtime, size: 6 },
        { name: 'deep', ...anyFolder },
      ],
    },
  ],
  [
    'fs.list',
    { path: 'linked/deep' },
    { entries: [{ name: 'b.md', type: 'file', mtime, size: 14 }] },
  ],
  ['fs.list', { path: 'empty' }, { entries: [] }],
  ['fs.list', { path: 'missing' }, '!not_found'],
  ['fs.list', { path: 'old.md' }, '!not_a_folder'],
  ['fs.list', { path: 'outdir' }, '!outside_vault'],
  [
    'fs.walk',
    { path: 'Notes', recursive: true },
    {
      entries: [
        { path: 'Notes/a.md', type: 'file', mtime, size: 6 },
        { path: 'Notes/deep', ...anyFolder },
        { path: 'Notes/deep/b.md', type: 'file', mtime, size: 14 },
      ],
      truncated: false,
    },
  ],
  [
    'fs.walk',
    { path: 'Notes', recursive: true, maxEntries: 1 },
    { entries: [{ path: 'Notes/a.md', type: 'file', mtime, size: 6 }], truncated: true },
  ],
  [
    'fs.walk',
    { path: 'Notes', maxEntries: 2 },
    { entries: [expect.anything(), expect.anything()], truncated: false },
  ],
  [
    'fs.walk',
    { path: 'Notes', maxEntries: -1 },
    { entries: [expect.anything(), expect.anything()], truncated: false },
  ],
  ['fs.walk', { path: 'linked', recursive: true }, { entries: [], truncated: false }],
  ['fs.walk', { path: 'missing' }, '!not_found'],
  ['fs.walk', { path: 'old.md' }, '!not_a_folder'],
  ['fs.walk', { path: 'Notes', maxEntries: 1.5 }, '!invalid_input'],
];

const reading: readonly Row[] = [
  ['fs.readText', { path: 'Notes/a.md' }, { content: 'alpha\n', mtime, size: 6, encoding: 'utf8' }],
  ['fs.readText', { path: 'bom.md' }, { content: '\ufeffx', mtime, size: 4, encoding: 'utf8' }],
  [
    'fs.readText',
    { path: 'zero.md', encoding: 'utf8' },
    { content: '', mtime, size: 0, encoding: 'utf8' },
  ],
  ['fs.readText', { path: 'zero.md', encoding: 'utf-8' }, '!invalid_input'],
  ['fs.readText', { path: 'bytes.bin' }, '!invalid_input'],
  ['fs.readText', { path: 'missing' }, '!not_found'],
  ['fs.readText', { path: 'Notes' }, '!is_a_folder'],
  ['fs.readText', {}, '!is_a_folder'],
  ['fs.readText', { path: 'out.md' }, '!outside_vault'],
  ['fs.readBinary', { path: 'bytes.bin' }, { contentBase64: '/wABAg==', mtime, size: 4 }],
  ['fs.readBinary', { path: 'link.md' }, { contentBase64: base64('alpha\n'), mtime, size: 6 }],
  ['fs.readBinary', { path: 'zero.md' }, { contentBase64: '', mtime, size: 0 }],
  ['fs.readBinary', { path: 'missing' }, '!not_found'],
  ['fs.readBinary', { path: 'Notes' }, '!is_a_folder'],
  ['fs.readBinary', { path: '' }, '!is_a_folder'],
  ['fs.readBinary', { path: 'outdir/secret.md' }, '!outside_vault'],
  ['fs.readBinary', { path: 'big.bin' }, '!too_large'],
  ...(
    [
      [{ offset: 1, length: 3 }, 'lph'],
      [{ offset: 4, length: 9 }, 'a\n'],
      [{ offset: 4, length: 2 ** 63 }, 'a\n'],
      [{ offset: 6, length: 1 }, ''],
      [{ offset: 2 ** 63, length: 1 }, ''],
      [{ offset: 1 }, ''],
      [{ length: 2, expectedMtime: mtime }, 'al'],
      [{ length: 2, expectedMtime: 0 }, 'al'],
    ] as const
  ).map(([range, text]): Row => {
    const value = { contentBase64: base64(text), mtime, size: 6 };
    return ['fs.readBinaryRange', { path: 'Notes/a.md', ...range }, value];
  }),
  ['fs.readBinaryRange', { path: 'Notes/a.md', expectedMtime: mtime + 1 }, '!conflict'],
  ['fs.readBinaryRange', { path: 'Notes/a.md', expectedMtime: -1 }, '!conflict'],
  ['fs.readBinaryRange', { path: 'Notes/a.md', offset: -1 }, '!invalid_input'],
  ['fs.readBinaryRange', { path: 'Notes/a.md', length: -1 }, '!invalid_input'],
  ['fs.readBinaryRange', { path: 'Notes/a.md', length: 0.5 }, '!invalid_input'],
  ['fs.readBinaryRange', { path: 'missing' }, '!not_found'],
  ['fs.readBinaryRange', { path: 'Notes' }, '!is_a_folder'],
  ['fs.readBinaryRange', { path: '/' }, '!is_a_folder'],
  ['fs.readBinaryRange', { path: 'big.bin', length: limits.remoteReadBytesMax + 1 }, '!too_large'],
  [
    'fs.thumbnail',
    { path: 'bytes.bin', maxDim: 1_000_000 },
    {
      contentBase64: base64(`bytes.bin 4 4 ${limits.thumbnailSideMax}`),
      mtime,
      sourceSize: 4,
      format: 'png',
      width: 3,
      height: 2,
    },
  ],
  ['fs.thumbnail', { path: 'bytes.bin' }, '!invalid_input'],
  ['fs.thumbnail', { path: 'bytes.bin', maxDim: 0 }, '!invalid_input'],
  ['fs.thumbnail', { path: 'bytes.bin', maxDim: 1.5 }, '!invalid_input'],
  ['fs.thumbnail', { path: 'missing', maxDim: 9 }, '!not_found'],
  ['fs.thumbnail', { path: 'Notes', maxDim: 9 }, '!is_a_folder'],
  ['fs.thumbnail', { path: '', maxDim: 9 }, '!is_a_folder'],
];

const additions: readonly Row[] = [
  [
    'fs.hash',
    { path: 'link.md' },
    { sha256: createHash('sha256').update('alpha\n').digest('hex'), mtime, size: 6 },
  ],
  [
    'fs.hash',
    { path: 'big.bin' },
    {
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      mtime: expect.any(Number),
      size: limits.remoteReadBytesMax + 5,
    },
  ],
  ['fs.hash', { path: 'missing' }, '!not_found'],
  ['fs.hash', { path: 'Notes' }, '!is_a_folder'],
  ['fs.hash', { path: '' }, '!is_a_folder'],
  ['fs.hash', { path: 'out.md' }, '!outside_vault'],
  [
    'fs.batchStat',
    { paths: ['Notes/a.md', 'missing', '', '../x', 'old.md/x'] },
    {
      stats: [
        file(6),
        null,
        folder,
        { error: { code: 'outside_vault', message: expect.any(String) } },
        { error: { code: 'not_a_folder', message: expect.any(String) } },
      ],
    },
  ],
  ['fs.batchStat', { paths: Array(1_000).fill('zero.md') }, { stats: Array(1_000).fill(file(0)) }],
  ['fs.batchStat', { paths: Array(limits.batchStatMax + 1).fill('') }, '!invalid_input'],
  ['fs.batchStat', {}, '!invalid_input'],
  [
    'fs.search',
    { query: 'banana' },
    {
      results: [{ path: 'Notes/deep/b.md', title: 'b', lines: [{ line: 2, text: 'banana' }] }],
      total: 1,
      complete: true,
    },
  ],
  ['fs.search', { query: 'nothing-like-it' }, { results: [], total: 0, complete: true }],
  ['fs.search', { query: '' }, '!invalid_input'],
  ['fs.search', {}, '!invalid_input'],
];

describe('the fs toolset', () => {
  it.each([...looking, ...reading, ...additions])(
    'answers %s %j',
    async (method, params, expected) => {
      expect(await vault.call(method, params)).toEqual(expected);
    },
  );

  it('lists the root with its dot names, symlinks as such, and nothing followed', async () => {
    const { entries } = (await vault.call('fs.list')) as {
      entries: { name: string; type: string }[];
    };
    expect(entries.map(({ name }) => name)).toEqual(
      Object.keys(vault.tree()).filter((path) => !path.includes('/')),
    );
    expect(entries.filter(({ type }) => type === 'symlink')).toEqual(
      ['dangling', 'link.md', 'linked', 'out.md', 'outdir'].map((name) => ({ name, ...link })),
    );
  });

  it('walks everything, as it is on disk', async () => {
    const { entries } = (await vault.call('fs.walk', { recursive: true })) as {
      entries: { path: string; mtime: number }[];
    };
    expect(entries.map(({ path }) => path).toSorted()).toEqual(Object.keys(vault.tree()));
  });

  it('says how a file that is too large can be read, and reads it so', async () => {
    const outcome = await vault.service.call('fs.readBinary', { path: 'big.bin' }, testCaller());
    expect(!outcome.ok && outcome.error.message).toContain('with fs.readBinaryRange');
    const length = limits.remoteReadBytesMax;
    const params = { path: 'big.bin', offset: 5, length: length + 9 };
    expect(await vault.call('fs.readBinaryRange', params)).toMatchObject({ size: length + 5 });
  });

  it.each<[Partial<Scopes>, string, object, unknown]>([
    [{ hide: ['Notes'] }, 'fs.stat', { path: 'Notes/a.md' }, null],
    [{ hide: ['Notes'] }, 'fs.stat', { path: 'link.md' }, null],
    [{ hide: ['Notes'] }, 'fs.readText', { path: 'linked/a.md' }, '!not_found'],
    [{ hide: ['Notes'] }, 'fs.hash', { path: 'Notes/a.md' }, '!not_found'],
    [{ hide: ['Notes'] }, 'fs.readBinaryRange', { path: 'Notes/a.md' }, '!not_found'],
    [{ hide: ['Notes'] }, 'fs.list', { path: 'Notes' }, '!not_found'],
    [{ hide: ['Notes'] }, 'fs.stat', { path: 'zero.md' }, file(0)],
    [
      { folders: ['Notes/deep' as VaultFolder] },
      'fs.walk',
      { recursive: true },
      {
        entries: [
          { path: 'Notes', ...anyFolder },
          { path: 'Notes/deep', ...anyFolder },
          { path: 'Notes/deep/b.md', type: 'file', mtime, size: 14 },
        ],
        truncated: false,
      },
    ],
    [
      { folders: ['Notes' as VaultFolder] },
      'fs.list',
      {},
      { entries: [{ name: 'Notes', ...anyFolder }] },
    ],
    [{ hide: ['Notes'] }, 'fs.write', { path: 'linked/n.md' }, '!forbidden'],
    [{ hide: ['Notes'] }, 'fs.append', { path: 'link.md', content: 'x' }, '!not_found'],
    [{ hide: ['Notes'] }, 'fs.rmdir', { path: 'Notes', recursive: true }, '!not_found'],
    [{ hide: ['deep'] }, 'fs.rmdir', { path: 'Notes', recursive: true }, '!forbidden'],
    [{ hide: ['deep'] }, 'fs.rename', { oldPath: 'Notes', newPath: 'x' }, '!forbidden'],
    [{ effects: ['read'] }, 'fs.write', { path: 'x' }, '!forbidden'],
    [{ effects: ['read', 'write'] }, 'fs.rmdir', { path: 'empty' }, '!forbidden'],
  ])(
    'shows a caller with %j of %s %j what it may see',
    async (scopes, method, params, expected) => {
      const caller = { scopes: { ...allScopes, ...scopes } };
      expect(await vault.call(method, params, caller)).toEqual(expected);
    },
  );

  it('has every method of the protocol that needs no connection, and no others without their parts', () => {
    const names = (options: Parameters<typeof fsToolset>[0]) =>
      fsToolset(options).tools.map(({ name, raw }) => (raw ? name : `${name}, not raw`));
    const all = names({ thumbnails: true, search: true });
    expect(all.toSorted()).toEqual(
      'append appendBinary batchStat copy exists hash list mkdir readBinary readBinaryRange readText remove rename rmdir search stat thumbnail trashLocal walk write writeBinary'
        .split(' ')
        .map((name) => `fs.${name}`),
    );
    expect(names({ thumbnails: false, search: false })).toEqual(
      all.filter((name) => name !== 'fs.thumbnail' && name !== 'fs.search'),
    );
  });

  it('answers the permission bits of a file', async () => {
    const { mode } = statSync(join(vault.root, 'zero.md'));
    expect(await vault.call('fs.stat', { path: 'zero.md' })).toMatchObject({ mode: mode & 0o7777 });
  });
});
