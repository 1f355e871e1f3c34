import { describe, expect, it } from 'vitest';
import type { ObsidianRow } from '../../../test/support/obsidian-rows.ts';
import { checkRow, variedVault as vault } from '../../../test/support/obsidian-rows.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const statuses =
  'filters: status\nviews:\n  - name: V\n    order: [status]\n    groupBy: { property: file.name, direction: DESC }\n';

const rows: readonly ObsidianRow[] = [
  {
    it: 'a base is answered group by group, each with the rows that are here and the number of all',
    given: { 'S.base': statuses },
    call: ['base_query', { name: 'S', limit: 1 }],
    data: {
      base: 'S.base',
      view: 'V',
      type: 'table',
      this: 'S.base',
      columns: ['note.status'],
      titles: ['status'],
      total: 2,
      paths: ['B.md'],
      rows: [[3]],
      groups: [{ key: 'B', paths: ['B.md'], count: 1 }],
      errors: [],
      next_offset: 1,
    },
  },
  {
    it: 'a base is answered as text in the order of its groups',
    given: { 'S.base': statuses },
    call: ['base_query', { name: 'S', format: 'paths' }],
    data: { total: 2, text: 'B.md\nA.md\n', errors: [] },
  },
  {
    it: 'what should be written in another way is said beside every format',
    given: { 'S.base': 'filters: notEmpty(status)\n' },
    call: ['base_query', { name: 'S', format: 'paths' }],
    data: {
      total: 2,
      text: 'A.md\nB.md\n',
      errors: [],
      warnings: [
        {
          at: 'filters',
          line: 1,
          column: 10,
          message: 'notEmpty(x) is of an old version of Bases. Write: !x.isEmpty()',
        },
      ],
    },
  },
  {
    it: 'search finds files',
    call: ['search', { query: 'banana' }],
    data: { total: 2, files: ['x/C.md', 'B.md'] },
  },
  {
    it: 'search shows lines, in a folder',
    call: ['search', { query: 'banana', folder: 'x', context: true }],
    data: { total: 1, matches: [{ path: 'x/C.md', lines: [{ line: 1, text: 'banana' }] }] },
  },
  {
    it: 'search pages',
    call: ['search', { query: 'banana', limit: 1 }],
    data: { total: 2, files: ['x/C.md'], next_offset: 1 },
  },
  {
    it: 'search refuses a folder that is not there',
    call: ['search', { query: 'x', folder: 'nowhere' }],
    refuses: ['not_found', /no folder "nowhere"/],
  },
  {
    it: 'tags counts all',
    call: ['tags', {}],
    data: {
      total: 2,
      tags: [
        { tag: '#tag', files: 1, count: 1 },
        { tag: '#tag/sub', files: 1, count: 1 },
      ],
    },
  },
  {
    it: 'tags lists the files of one, nested ones too',
    call: ['tags', { tag: 'Tag' }],
    data: { tag: '#Tag', total: 2, files: ['A.md', 'B.md'] },
  },
  {
    it: 'aliases lists all',
    call: ['aliases', {}],
    data: { total: 1, aliases: [{ alias: 'Aye', path: 'A.md' }] },
  },
  {
    it: 'aliases lists those of a note',
    call: ['aliases', { name: 'B' }],
    data: { total: 0, aliases: [] },
  },
  {
    it: 'links tells what leads where',
    call: ['links', { name: 'A' }],
    data: {
      path: 'A.md',
      total: 2,
      links: [
        { link: 'B', path: 'B.md', line: 12 },
        { link: 'Gone', line: 12 },
      ],
    },
  },
  {
    it: 'links shows the place that a link in its own note leads to',
    given: { 'Self.md': '# Top\n[[#Top]]' },
    call: ['links', { name: 'Self' }],
    data: {
      path: 'Self.md',
      total: 1,
      links: [{ link: '#Top', path: 'Self.md', line: 2 }],
    },
  },
  {
    it: 'links goes on from an offset',
    call: ['links', { name: 'A', offset: 1 }],
    data: { path: 'A.md', total: 2, links: [{ link: 'Gone', line: 12 }] },
  },
  {
    it: 'backlinks tells where links stand',
    call: ['backlinks', { name: 'B' }],
    data: { path: 'B.md', total: 1, backlinks: [{ path: 'A.md', line: 12 }] },
  },
  {
    it: 'unresolved counts links that lead nowhere',
    call: ['unresolved', {}],
    data: { total: 1, unresolved: [{ link: 'Gone', count: 1, files: ['A.md'] }] },
  },
  {
    it: 'orphans lists what nothing links to',
    call: ['orphans', {}],
    data: { total: 4, files: ['A.md', 'Days/2026-03-09.md', 'Templates/T.md', 'x/C.md'] },
  },
  {
    it: 'deadends lists what links to nothing',
    call: ['deadends', { offset: 1 }],
    data: { total: 4, files: ['Days/2026-03-09.md', 'Templates/T.md', 'x/C.md'] },
  },
  {
    it: 'files lists a folder',
    call: ['files', { folder: 'x' }],
    data: { total: 2, files: ['x/C.md', 'x/y/pic.png'] },
  },
  {
    it: 'files lists an extension',
    call: ['files', { extension: '.PNG' }],
    data: { total: 1, files: ['x/y/pic.png'] },
  },
  {
    it: 'files lists notes, in pages',
    call: ['files', { extension: 'md', limit: 2 }],
    data: { total: 5, files: ['A.md', 'B.md'], next_offset: 2 },
  },
  {
    it: 'folders lists them at any depth',
    call: ['folders', {}],
    data: { total: 4, folders: ['Days', 'Templates', 'x', 'x/y'] },
  },
  {
    it: 'folder_info counts',
    call: ['folder_info', { folder: 'x' }],
    data: { path: 'x', files: 2, folders: 1, bytes: 21 },
  },
  {
    it: 'folder_info refuses a file',
    call: ['folder_info', { folder: 'A.md' }],
    refuses: ['not_a_folder', /is a file/],
  },
  {
    it: 'vault_info counts everything',
    call: ['vault_info', {}],
    data: {
      name: 'test',
      path: 'test',
      files: 6,
      folders: 4,
      bytes: expect.any(Number),
      notes: 5,
      tags: 2,
      properties: 3,
      unresolved: 1,
      orphans: 4,
    },
  },
  { it: 'vaults names the one there is', call: ['vaults', {}], data: { vaults: ['test'] } },
  {
    it: 'bookmarks lists them with their groups',
    call: ['bookmarks', {}],
    data: {
      total: 2,
      bookmarks: [
        { type: 'file', path: 'A.md', groups: ['G'] },
        { type: 'search', query: 'q' },
      ],
    },
  },
  {
    it: 'bookmark_add adds one',
    call: ['bookmark_add', { path: 'B', subpath: 'Top', title: 'Bee' }],
    data: {
      bookmark: { type: 'file', path: 'B.md', subpath: '#Top', title: 'Bee' },
      added: true,
    },
  },
  {
    it: 'bookmark_add adds none twice',
    call: ['bookmark_add', { search: 'q' }],
    data: { bookmark: { type: 'search', query: 'q' }, added: false },
  },
  {
    it: 'bookmark_add shows one that was there as it is',
    call: ['bookmark_add', { path: 'A', title: 'Other' }],
    data: { bookmark: { type: 'file', path: 'A.md', groups: ['G'] }, added: false },
  },
  {
    it: 'bookmark_add needs one of three',
    call: ['bookmark_add', { search: 'q', url: 'https://x.org' }],
    refuses: ['invalid_input', /either a path, a search or a url/],
  },
];

describe('a tool about the vault', () => {
  it.each(rows.map((row) => [row.it, row] as const))('%s', (_it, row) => checkRow(vault, row));

  it('name every vault that is served', async () => {
    const toolset = obsidianToolset({ vaults: ['Home', 'Work'] });
    const tools = await openToolset({}, toolset);
    const { json } = await tools.call('obsidian_vaults');
    expect(json['data']).toEqual({ vaults: ['Home', 'Work'] });
    await tools.close();
  });
});
