import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batch, entry, fill, note } from '../../../test/support/index-records.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { appStatuses } from '../../engine/notes/task-status.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

let store: IndexStore;
beforeEach(async () => {
  store = await openSqliteIndex({ file: ':memory:' });
  const withTasks = (path: string, ...tasks: [status: string, line: number][]) =>
    note(path, [], { detail: { tasks, headings: [[1, '"tasks":[]', 0]] } });
  await fill(store, {
    files: ['picture.png'],
    notes: [
      withTasks('B.md', [' ', 3], ['x', 4]),
      withTasks('A.md', ['/', 1]),
      withTasks('None.md'),
      withTasks('Secret/S.md', [' ', 0]),
      withTasks('Archive/O.md', ['X', 7]),
    ],
  });
});
afterEach(() => store.close());

const views: Readonly<Record<string, View>> = {
  everything: wholeVault,
  'without Secret': { ...wholeVault, hide: ['Secret'] },
  'without excluded files': { ...wholeVault, exclude: ['Archive/'] },
  'one folder': { ...wholeVault, folders: [vaultPath('Secret')] },
  'within a folder': { ...wholeVault, within: vaultPath('Archive') },
  nothing: { ...wholeVault, folders: [] },
};

describe('tasks of the index', () => {
  type Row = readonly [view: keyof typeof views, status: string | undefined, found: string[]];
  const rows: readonly Row[] = [
    [
      'everything',
      undefined,
      ['A.md:1:/', 'Archive/O.md:7:X', 'B.md:3: ', 'B.md:4:x', 'Secret/S.md:0: '],
    ],
    ['everything', 'todo', ['B.md:3: ', 'Secret/S.md:0: ']],
    ['everything', 'done', ['A.md:1:/', 'Archive/O.md:7:X', 'B.md:4:x']],
    ['everything', '/', ['A.md:1:/']],
    ['everything', 'x', ['B.md:4:x']],
    ['without Secret', 'todo', ['B.md:3: ']],
    ['without excluded files', 'done', ['A.md:1:/', 'B.md:4:x']],
    ['one folder', undefined, ['Secret/S.md:0: ']],
    ['within a folder', undefined, ['Archive/O.md:7:X']],
    ['nothing', undefined, []],
  ];
  it.each(rows)('seeing %s, of status %j', async (view, status, found) => {
    const statuses = appStatuses(status);
    const asked = { limit: 10, offset: 0, ...(statuses === undefined ? {} : { statuses }) };
    const { total, items } = await store.tasks(views[view] ?? wholeVault, asked);
    expect(items.map(({ path, line, status: is }) => `${path}:${line}:${is}`)).toEqual(found);
    expect(total).toBe(found.length);
  });

  it('come in pages that know the total', async () => {
    const { total, items } = await store.tasks(wholeVault, { limit: 2, offset: 1 });
    expect([total, ...items.map(({ path }) => path)]).toEqual([5, 'Archive/O.md', 'B.md']);
  });
});

describe('dead ends of the index', () => {
  beforeEach(async () => {
    await fill(store, {
      files: ['Not read.md', 'picture.png'],
      notes: [
        note('Links.md', ['Quiet']),
        note('To nothing.md', ['Ghost']),
        note('To itself.md', ['To itself', '']),
        note('Quiet.md'),
        note('Board.canvas'),
        note('Secret/Hidden.md'),
        note('To hidden.md', ['Secret/Hidden']),
        note('Archive/Old.md'),
      ],
    });
    await store.seen(2, batch(entry('Cloud.md', 1, { present: false })));
  });

  const rows: readonly [view: string, found: string[]][] = [
    ['everything', ['Archive/Old.md', 'Quiet.md', 'Secret/Hidden.md', 'To itself.md']],
    ['without Secret', ['Archive/Old.md', 'Quiet.md', 'To itself.md']],
    ['without excluded files', ['Quiet.md', 'Secret/Hidden.md', 'To itself.md']],
    ['one folder', ['Secret/Hidden.md']],
    ['nothing', []],
  ];
  it.each(rows)('seeing %s', async (view, found) => {
    const { total, items } = await store.deadEnds(views[view] ?? wholeVault, {
      limit: 10,
      offset: 0,
    });
    expect({ total, items }).toEqual({ total: found.length, items: found });
  });

  it('come in pages that know the total', async () => {
    expect(await store.deadEnds(wholeVault, { limit: 1, offset: 1 })).toEqual({
      total: 4,
      items: ['Quiet.md'],
    });
  });
});
