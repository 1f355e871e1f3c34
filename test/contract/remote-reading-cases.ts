import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { does, fails, gives, type RemoteCase, type RemoteStep } from './remote-case.ts';

const files = { 'd/a.md': 'text', 'd/e/': '', 'd/e/b.md': 'bee', 'z.md': '' };
const mtime = expect.any(Number);
const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

const entry = (path: string, type: 'file' | 'folder' | 'symlink', size = 0) => ({
  path,
  type,
  mtime,
  size,
});
const walked = (...entries: readonly object[]) => ({ entries, truncated: false });
const all = [
  entry('d', 'folder'),
  entry('d/a.md', 'file', 4),
  entry('d/e', 'folder'),
  entry('d/e/b.md', 'file', 3),
  entry('z.md', 'file'),
];

/** One row of the table in section 2.2 for each line. */
const row = (what: string, step: RemoteStep, more: Partial<RemoteCase> = {}): RemoteCase => ({
  row: `2.2 ${what}`,
  files,
  steps: [step],
  ...more,
});

const range = (params: object, text: string) =>
  gives(
    'fs.readBinaryRange',
    { path: 'd/a.md', ...params },
    {
      contentBase64: base64(text),
      mtime,
      size: 4,
    },
  );

/** Nothing is unreadable to root: there `src/node/raw/raw-disk.test.ts` has it, as nobody. */
const unreadable: RemoteCase = {
  row: '2.1 errno mapping: EACCES is -32014, also for fs.exists; a walk skips it',
  files: { 'locked/a.md': '', 'z.md': '' },
  steps: [
    does(({ vault }) => chmodSync(join(vault, 'locked'), 0)),
    fails('fs.stat', { path: 'locked/a.md' }, -32014),
    fails('fs.exists', { path: 'locked/a.md' }, -32014),
    fails('fs.list', { path: 'locked' }, -32014),
    gives('fs.walk', { recursive: true }, walked(entry('locked', 'folder'), entry('z.md', 'file'))),
    does(({ vault }) => chmodSync(join(vault, 'locked'), 0o755)),
  ],
};

export const remoteReadingCases: readonly RemoteCase[] = [
  row(
    'fs.stat: a file',
    gives('fs.stat', { path: 'd/a.md' }, ({ mtime: of }) => ({
      type: 'file',
      mtime: of('d/a.md'),
      size: 4,
      mode: 0o644,
    })),
  ),
  row(
    'fs.stat: a folder, size 0',
    gives('fs.stat', { path: 'd' }, ({ mtime: of }) => ({
      type: 'folder',
      mtime: of('d'),
      size: 0,
      mode: 0o755,
    })),
  ),
  row('fs.stat: null when missing (9.4)', gives('fs.stat', { path: 'no.md' }, null)),
  row('fs.stat: null when the folder is missing', gives('fs.stat', { path: 'no/no.md' }, null)),
  row('fs.stat: -32011', fails('fs.stat', { path: 'z.md/a' }, -32011)),
  row('fs.exists: a file', gives('fs.exists', { path: 'z.md' }, { exists: true })),
  row('fs.exists: a folder', gives('fs.exists', { path: 'd/e' }, { exists: true })),
  row('fs.exists: missing', gives('fs.exists', { path: 'no/no' }, { exists: false })),
  row(
    'fs.exists: another case of letters is another name',
    gives(
      'fs.exists',
      { path: 'Z.md' },
      {
        exists: false,
      },
    ),
  ),
  row(
    'fs.list: not recursive, sorted',
    gives(
      'fs.list',
      { path: 'd' },
      {
        entries: [
          { name: 'a.md', type: 'file', mtime, size: 4 },
          { name: 'e', type: 'folder', mtime, size: 0 },
        ],
      },
    ),
  ),
  row('fs.list: an empty folder', gives('fs.list', { path: 'empty' }, { entries: [] }), {
    files: { 'empty/': '' },
  }),
  row(
    'fs.list: sorted by name in byte order',
    gives(
      'fs.list',
      {},
      {
        entries: ['A', 'B', 'a', 'a b', 'a.b', 'a0', 'é', 'ｱ', '😀'].map((name) =>
          expect.objectContaining({ name }),
        ),
      },
    ),
    { files: { '😀': '', ｱ: '', é: '', a0: '', 'a.b': '', 'a b': '', a: '', B: '', A: '' } },
  ),
  row('fs.list: -32010 missing', fails('fs.list', { path: 'no' }, -32010)),
  row('fs.list: -32011 a file', fails('fs.list', { path: 'z.md' }, -32011)),
  row('fs.walk: direct children only', gives('fs.walk', {}, walked(all[0] ?? {}, all[4] ?? {}))),
  row(
    'fs.walk: recursive, flat, parents before children',
    gives('fs.walk', { recursive: true }, walked(...all)),
  ),
  row(
    'fs.walk: paths relative to the vault root, start omitted',
    gives('fs.walk', { path: 'd', recursive: true }, walked(...all.slice(1, 4))),
  ),
  row(
    'fs.walk: depth-first, siblings sorted by name and not by path',
    gives(
      'fs.walk',
      { recursive: true },
      walked(
        entry('a', 'folder'),
        entry('a/x', 'file'),
        entry('a b', 'folder'),
        entry('a b/x', 'file'),
        entry('a.md', 'file'),
      ),
    ),
    { files: { 'a.md': '', 'a b/x': '', 'a/x': '' } },
  ),
  row(
    'fs.walk: truncated only if at least one more existed: fewer',
    gives(
      'fs.walk',
      { recursive: true, maxEntries: 3 },
      { entries: all.slice(0, 3), truncated: true },
    ),
  ),
  row(
    'fs.walk: exactly N entries with maxEntries=N is not truncated',
    gives('fs.walk', { recursive: true, maxEntries: 5 }, walked(...all)),
  ),
  row(
    'fs.walk: not recursive, exactly N',
    gives('fs.walk', { maxEntries: 2 }, walked(all[0] ?? {}, all[4] ?? {})),
  ),
  row(
    'fs.walk: not recursive, one more',
    gives(
      'fs.walk',
      { maxEntries: 1 },
      {
        entries: [all[0]],
        truncated: true,
      },
    ),
  ),
  ...[0, -1].map((maxEntries) =>
    row(
      `fs.walk: maxEntries ${maxEntries} is the default`,
      gives('fs.walk', { recursive: true, maxEntries }, walked(...all)),
    ),
  ),
  row('fs.walk: -32010 missing', fails('fs.walk', { path: 'no', recursive: true }, -32010)),
  row('fs.walk: -32011 a file', fails('fs.walk', { path: 'z.md' }, -32011)),
  row(
    'fs.walk: links are reported, never entered',
    gives(
      'fs.walk',
      { recursive: true },
      walked(entry('d', 'folder'), entry('d/a.md', 'file'), entry('up', 'symlink', 1)),
    ),
    { files: { 'd/a.md': '' }, links: { up: '.' } },
  ),
  row(
    'fs.walk: a start that is itself a link gives an empty list',
    gives('fs.walk', { path: 'to-d', recursive: true }, walked()),
    { links: { 'to-d': 'd' } },
  ),
  row(
    'fs.readText',
    gives('fs.readText', { path: 'd/a.md' }, ({ mtime: of }) => ({
      content: 'text',
      mtime: of('d/a.md'),
      size: 4,
      encoding: 'utf8',
    })),
  ),
  row(
    'fs.readText: encoding utf8',
    gives(
      'fs.readText',
      { path: 'z.md', encoding: 'utf8' },
      {
        content: '',
        mtime,
        size: 0,
        encoding: 'utf8',
      },
    ),
  ),
  row(
    'fs.readText: encoding utf-8 is -32602',
    fails('fs.readText', { path: 'z.md', encoding: 'utf-8' }, -32602),
  ),
  row(
    'fs.readText: encoding latin1 is -32602',
    fails('fs.readText', { path: 'z.md', encoding: 'latin1' }, -32602),
  ),
  row(
    'fs.readText: size in bytes, BOM kept, no newline changes',
    gives(
      'fs.readText',
      { path: 'bom.md' },
      {
        content: '\ufeffä\r\nb\n',
        mtime,
        size: 9,
        encoding: 'utf8',
      },
    ),
    { files: { 'bom.md': '\ufeffä\r\nb\n' } },
  ),
  row('fs.readText: -32010', fails('fs.readText', { path: 'no.md' }, -32010)),
  row('fs.readText: -32012 folder', fails('fs.readText', { path: 'd' }, -32012)),
  row(
    'fs.readText: -32602 if bytes are not valid UTF-8',
    fails('fs.readText', { path: 'x' }, -32602),
    {
      files: { x: new Uint8Array([0x61, 0xff]) },
    },
  ),
  row('fs.readText: -32602 for a surrogate in UTF-8', fails('fs.readText', { path: 'x' }, -32602), {
    files: { x: new Uint8Array([0xed, 0xa0, 0x80]) },
  }),
  row(
    'fs.readBinary: standard padded base64',
    gives('fs.readBinary', { path: 'x' }, ({ mtime: of }) => ({
      contentBase64: '+/8=',
      mtime: of('x'),
      size: 2,
    })),
    { files: { x: new Uint8Array([0xfb, 0xff]) } },
  ),
  row(
    'fs.readBinary: empty file',
    gives(
      'fs.readBinary',
      { path: 'z.md' },
      {
        contentBase64: '',
        mtime,
        size: 0,
      },
    ),
  ),
  row('fs.readBinary: -32010', fails('fs.readBinary', { path: 'no.md' }, -32010)),
  row('fs.readBinary: -32012', fails('fs.readBinary', { path: 'd' }, -32012)),
  row('fs.readBinaryRange: a piece; size is the whole file', range({ offset: 1, length: 2 }, 'ex')),
  row('fs.readBinaryRange: offset 0 by default', range({ length: 2 }, 'te')),
  row('fs.readBinaryRange: length 0 is empty', range({ offset: 1 }, '')),
  row('fs.readBinaryRange: silently clamped at EOF', range({ offset: 2, length: 99 }, 'xt')),
  row('fs.readBinaryRange: offset at the size is empty', range({ offset: 4, length: 1 }, '')),
  row('fs.readBinaryRange: offset beyond the size is empty', range({ offset: 99, length: 1 }, '')),
  row(
    'fs.readBinaryRange: huge length is clamped (S7)',
    range({ offset: 1, length: Number.MAX_SAFE_INTEGER }, 'ext'),
  ),
  row(
    'fs.readBinaryRange: huge offset is empty (S7)',
    range({ offset: Number.MAX_SAFE_INTEGER, length: Number.MAX_SAFE_INTEGER }, ''),
  ),
  row(
    'fs.readBinaryRange: -32602 negative offset',
    fails('fs.readBinaryRange', { path: 'z.md', offset: -1, length: 1 }, -32602),
  ),
  row(
    'fs.readBinaryRange: -32602 negative length',
    fails('fs.readBinaryRange', { path: 'z.md', length: -1 }, -32602),
  ),
  row(
    'fs.readBinaryRange: expectedMtime equal',
    gives(
      'fs.readBinaryRange',
      ({ mtime: of }) => ({ path: 'd/a.md', length: 4, expectedMtime: of('d/a.md') }),
      { contentBase64: base64('text'), mtime, size: 4 },
    ),
  ),
  row(
    'fs.readBinaryRange: -32020 mtime differs',
    fails(
      'fs.readBinaryRange',
      ({ mtime: of }) => ({ path: 'd/a.md', length: 4, expectedMtime: of('d/a.md') + 1 }),
      -32020,
    ),
  ),
  row(
    'fs.readBinaryRange: -32020 also for an empty piece',
    fails('fs.readBinaryRange', { path: 'd/a.md', expectedMtime: 1 }, -32020),
  ),
  row(
    'fs.readBinaryRange: expectedMtime 0 is none',
    range({ length: 4, expectedMtime: 0 }, 'text'),
  ),
  row(
    'fs.readBinaryRange: expectedMtime null is none',
    range({ length: 4, expectedMtime: null }, 'text'),
  ),
  row(
    'fs.readBinaryRange: -32010',
    fails('fs.readBinaryRange', { path: 'no.md', length: 1 }, -32010),
  ),
  row('fs.readBinaryRange: -32012', fails('fs.readBinaryRange', { path: 'd', length: 1 }, -32012)),
  ...(process.getuid?.() === 0 ? [] : [unreadable]),
];
