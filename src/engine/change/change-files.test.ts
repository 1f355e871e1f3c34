import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import type { FileChange } from '../vault/draft.ts';
import { changedFiles, changeFiles } from './change-files.ts';

const path = vaultPath;
const version = (name: string): Version => name as Version;
const write = (at: string, before?: string): ChangeStep => ({
  do: 'write',
  path: path(at),
  ...(before === undefined ? {} : { before: version(before) }),
  after: version('new'),
  token: 't',
});
const remove = (at: string): ChangeStep => ({
  do: 'delete',
  path: path(at),
  before: version('old'),
});
const move = (from: string, to: string): ChangeStep => ({
  do: 'move',
  path: path(from),
  to: path(to),
  version: version('old'),
});
const moveFolder = (from: string, to: string): ChangeStep => ({
  do: 'moveFolder',
  path: path(from),
  to: path(to),
});
const makeFolder = (at: string): ChangeStep => ({ do: 'makeFolder', path: path(at) });

const rows: readonly [
  behaviour: string,
  steps: readonly ChangeStep[],
  files: readonly FileChange[],
][] = [
  [
    'says what was created, and no folder',
    [makeFolder('F'), write('F/a.md')],
    [{ path: path('F/a.md'), did: 'created' }],
  ],
  [
    'says which folders were made and removed because that was asked for',
    [
      { do: 'makeFolder', path: path('F'), asked: true },
      { do: 'dropFolder', path: path('G'), asked: true },
      { do: 'dropFolder', path: path('H') },
    ],
    [
      { path: path('F'), did: 'created' },
      { path: path('G'), did: 'deleted' },
    ],
  ],
  [
    'says that a file was replaced by another',
    [{ do: 'move', path: path('a.md'), to: path('b.md'), over: version('old') }],
    [
      { path: path('b.md'), did: 'deleted' },
      { path: path('b.md'), did: 'moved', from: path('a.md') },
    ],
  ],
  [
    'says what was deleted without being kept',
    [{ do: 'delete', path: path('a.md') }],
    [{ path: path('a.md'), did: 'deleted' }],
  ],
  ['says what was changed', [write('a.md', 'old')], [{ path: path('a.md'), did: 'changed' }]],
  ['says what was deleted', [remove('a.md')], [{ path: path('a.md'), did: 'deleted' }]],
  [
    'says where a file came from',
    [move('a.md', 'b.md')],
    [{ path: path('b.md'), did: 'moved', from: path('a.md') }],
  ],
  [
    'tells a file that was written and moved once',
    [write('a.md', 'old'), write('n.md', 'old'), move('a.md', 'b.md')],
    [
      { path: path('b.md'), did: 'moved', from: path('a.md') },
      { path: path('n.md'), did: 'changed' },
    ],
  ],
  [
    'calls a file in a moved folder moved when it was written, too',
    [write('F/a.md', 'old'), write('F/new.md'), moveFolder('F', 'G')],
    [
      { path: path('G/a.md'), did: 'moved', from: path('F/a.md') },
      { path: path('G/new.md'), did: 'created' },
      { path: path('G'), did: 'moved', from: path('F') },
    ],
  ],
  [
    'sees through a name that two files stepped round each other with',
    [move('a.md', '.~vd-1.tmp'), move('b.md', 'a.md'), move('.~vd-1.tmp', 'b.md')],
    [
      { path: path('b.md'), did: 'moved', from: path('a.md') },
      { path: path('a.md'), did: 'moved', from: path('b.md') },
    ],
  ],
  [
    'calls a move to the trash a deletion',
    [makeFolder('.trash'), move('a.md', '.trash/a.md')],
    [{ path: path('a.md'), did: 'deleted' }],
  ],
  [
    'calls a move out of the trash a creation',
    [move('.trash/a.md', 'a.md')],
    [{ path: path('a.md'), did: 'created' }],
  ],
  ['leaves out what is as it was', [move('a.md', 'b.md'), move('b.md', 'a.md')], []],
  ['leaves out what came and went', [write('a.md'), remove('a.md')], []],
];

describe('changeFiles', () => {
  it.each(rows)('%s', (_, steps, files) => {
    expect(changeFiles(steps)).toEqual(files);
  });
});

describe('changedFiles', () => {
  const inA = (at: string): boolean => at.startsWith('A/');
  const seen: readonly [behaviour: string, step: ChangeStep, files: readonly object[]][] = [
    ['leaves out what is not seen', write('B/x.md'), []],
    [
      'shows versions of what is seen',
      write('A/x.md', 'old'),
      [{ path: 'A/x.md', did: 'changed', before: 'old', after: 'new' }],
    ],
    [
      'shows what came into sight as created',
      move('B/x.md', 'A/x.md'),
      [{ path: 'A/x.md', did: 'created', after: 'old' }],
    ],
    [
      'shows what went out of sight as deleted',
      move('A/x.md', 'B/x.md'),
      [{ path: 'A/x.md', did: 'deleted', before: 'old' }],
    ],
  ];
  it.each(seen)('%s', (_, step, files) => {
    expect(changedFiles([step], inA)).toEqual(files);
  });
});
