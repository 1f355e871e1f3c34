import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Doing, RemoteEventCase, Told } from './remote-event-case.ts';

const files = { 'a.md': 'a', 'd/b.md': 'b', 'd/e/c.md': 'c' };

/** One thing that is done, and what is told of it. */
const row = (
  what: string,
  doing: Doing,
  told: readonly Told[],
  more: Partial<RemoteEventCase> = {},
): RemoteEventCase => ({ row: `3 ${what}`, files, doing: [{ what: doing, told }], ...more });

/** As an editor outside saves: whole, under its name at once. */
const putOutside =
  (path: string): Doing =>
  ({ vault, outside }) => {
    writeFileSync(join(outside, 'made'), 'from outside');
    renameSync(join(outside, 'made'), join(vault, path));
  };

const inOthers: Doing = ['fs.write', { path: 'd/e/new.md', content: '' }];

/** What each watch sees of a new file `d/e/new.md`. */
const matching: readonly [
  what: string,
  watched: NonNullable<RemoteEventCase['watched']>,
  seen: boolean,
][] = [
  ['root recursive sees everything', { path: '', recursive: true }, true],
  ['root as "/"', { path: '/', recursive: true }, true],
  ['root as "."', { path: '.', recursive: true }, true],
  ['recursive sees any descendant', { path: 'd', recursive: true }, true],
  ['a trailing slash means the folder (C11)', { path: 'd/', recursive: true }, true],
  ['non-recursive sees direct children', { path: 'd/e' }, true],
  ['non-recursive sees nothing deeper', { path: 'd' }, false],
  ['root not recursive sees direct children alone (C11)', { path: '' }, false],
  ['the path itself', { path: 'd/e/new.md' }, true],
  ['the path itself, recursive', { path: 'd/e/new.md', recursive: true }, true],
  ['another folder', { path: 'other', recursive: true }, false],
  ['a folder whose name begins the same', { path: 'd/e/new', recursive: true }, false],
];

export const remoteEventCases: readonly RemoteEventCase[] = [
  ...matching.map(([what, watched, seen]) =>
    row(`matching: ${what}`, inOthers, seen ? ['created d/e/new.md'] : [], { watched }),
  ),
  row(
    'write of new file: created alone, no temporary file (9.7)',
    ['fs.write', { path: 'new.md', content: 'x' }],
    ['created new.md'],
  ),
  row(
    'write of new file and its folders: parents first (9.7)',
    ['fs.write', { path: 'x/y/new.md', content: '' }],
    ['created x', 'created x/y', 'created x/y/new.md'],
  ),
  row(
    'overwrite through RPC: modified (9.7)',
    ['fs.write', { path: 'a.md', content: 'longer' }],
    ['modified a.md'],
  ),
  row(
    'overwrite through RPC: writeBinary',
    ['fs.writeBinary', { path: 'a.md', contentBase64: 'YWFh' }],
    ['modified a.md'],
  ),
  row(
    'overwrite with the same bytes: modified',
    ['fs.write', { path: 'a.md', content: 'a' }],
    ['modified a.md'],
  ),
  row('append: modified', ['fs.append', { path: 'a.md', content: 'more' }], ['modified a.md']),
  row(
    'rename of a file: deleted old, created new',
    ['fs.rename', { oldPath: 'a.md', newPath: 'x.md' }],
    ['deleted a.md', 'created x.md'],
  ),
  row(
    'rename onto a file',
    ['fs.rename', { oldPath: 'a.md', newPath: 'd/b.md' }],
    ['deleted a.md', 'modified d/b.md'],
  ),
  {
    row: '3 rename of a folder: deleted and created, and the right paths afterwards (C1)',
    better: 'C1',
    files,
    doing: [
      {
        what: ['fs.rename', { oldPath: 'd', newPath: 'x' }],
        told: [
          'deleted d/e/c.md',
          'deleted d/b.md',
          'deleted d/e',
          'deleted d',
          'created x',
          'created x/b.md',
          'created x/e',
          'created x/e/c.md',
        ],
      },
      { what: ['fs.write', { path: 'x/e/c.md', content: 'changed' }], told: ['modified x/e/c.md'] },
      { what: putOutside('x/e/new.md'), told: ['created x/e/new.md'] },
      { what: ({ vault }) => rmSync(join(vault, 'x/b.md')), told: ['deleted x/b.md'] },
    ],
  },
  row(
    'mkdir -p',
    ['fs.mkdir', { path: 'x/y/z', recursive: true }],
    ['created x', 'created x/y', 'created x/y/z'],
  ),
  row(
    'rmdir recursive: deleted for every entry, deepest first',
    ['fs.rmdir', { path: 'd', recursive: true }],
    ['deleted d/e/c.md', 'deleted d/b.md', 'deleted d/e', 'deleted d'],
  ),
  row('remove', ['fs.remove', { path: 'a.md' }], ['deleted a.md']),
  row('copy', ['fs.copy', { srcPath: 'a.md', destPath: 'x.md' }], ['created x.md']),
  row(
    'trash: created in .trash and deleted at the origin',
    ['fs.trashLocal', { path: 'd/b.md' }],
    ['deleted d/b.md', 'created .trash', 'created .trash/d', 'created .trash/d/b.md'],
  ),
  row('from outside: a new file', putOutside('new.md'), ['created new.md']),
  row('from outside: an overwrite by rename', putOutside('a.md'), ['modified a.md']),
  row('from outside: an append', ({ vault }) => appendFileSync(join(vault, 'a.md'), 'more'), [
    'modified a.md',
  ]),
  row('from outside: in a dot folder', ({ vault }) => mkdirSync(join(vault, '.obsidian')), [
    'created .obsidian',
  ]),
  row(
    'move out of vault: deleted',
    ({ vault, outside }) => renameSync(join(vault, 'd'), join(outside, 'd')),
    ['deleted d/e/c.md', 'deleted d/b.md', 'deleted d/e', 'deleted d'],
  ),
  row(
    'move into the vault: created for all that is in it',
    ({ vault, outside }) => renameSync(join(outside, 'deep'), join(vault, 'deep')),
    ['created deep', 'created deep/deeper.md'],
  ),
  row('chmod: no event', ({ vault }) => chmodSync(join(vault, 'a.md'), 0o600), []),
  row(
    'temporary files: no event',
    ({ vault }) => {
      writeFileSync(join(vault, '.rsh-write-1a2b.tmp'), '');
      writeFileSync(join(vault, 'd/.~vd-0123456789abcdef.tmp'), '');
      rmSync(join(vault, '.rsh-write-1a2b.tmp'));
    },
    [],
  ),
  {
    row: '3 symlinked folders are not followed',
    files,
    doing: [
      { what: ({ vault }) => symlinkSync('d', join(vault, 'to-d')), told: ['created to-d'] },
      { what: ['fs.write', { path: 'd/new.md', content: '' }], told: ['created d/new.md'] },
      { what: ({ vault }) => rmSync(join(vault, 'to-d')), told: ['deleted to-d'] },
    ],
  },
  {
    row: '3 a folder that is not there yet is watched when it comes',
    files,
    watched: { path: 'later', recursive: true },
    doing: [
      { what: ['fs.mkdir', { path: 'later' }], told: ['created later'] },
      { what: ['fs.write', { path: 'later/a.md', content: '' }], told: ['created later/a.md'] },
    ],
  },
];
