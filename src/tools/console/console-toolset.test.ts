import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type MemoryVault,
  openWrittenVault,
  testCaller,
} from '../../../test/support/written-vault.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { createService, type Service } from '../service/service.ts';
import type { ConsoleToolName } from './console-answers.ts';
import { consoleToolset } from './console-toolset.ts';

let vault: MemoryVault;
let service: Service;
beforeAll(async () => {
  vault = await openWrittenVault({
    'Home.md': '# Home\n\nto [[Plan]] and [[Nowhere]] #red\n',
    'Plan.md': '---\nowner: [[\n---\n# Plan\n\nfern and moss\n',
    'Plan (conflicted copy 2026-11-10).md': '# Plan\n\nfern, moss and lichen\n',
    'Sub/Alone.md': 'nobody links here\n',
    'Hidden/h.md': 'moss too\n',
    '.vaultdoorignore': 'Hidden/\n',
  });
  service = createService(vault.whole, [consoleToolset], nodeTimers);
});
afterAll(() => vault.close());

const call = (name: string, args: object = {}) =>
  service.call(name, args, testCaller({ door: 'console', connection: 'page' }));

async function answer(name: string, args: object = {}): Promise<Record<string, unknown>> {
  const outcome = await call(name, args);
  if (!outcome.ok) throw outcome.error;
  return JSON.parse(JSON.stringify(outcome.value));
}

describe('the tools of the console', () => {
  it('are these', () => {
    const names = consoleToolset.tools.map(({ name }) => name);
    const all: Readonly<Record<ConsoleToolName, true>> = {
      ...{ changes: true, change: true, sessions: true, undo: true, redo: true, counts: true },
      ...{ search: true, note: true, base: true, files: true, backlinks: true, neighbors: true },
      ...{ versions: true, version: true, diff_versions: true, restore_version: true },
      ...{ tags: true, tagged: true, folders: true, info: true, unresolved: true, orphans: true },
      ...{ problems: true, conflicts: true, conflict: true, merge_conflict: true, check: true },
      ...{ graph: true, totals: true, sizes: true },
    };
    expect(names.toSorted()).toEqual(Object.keys(all).toSorted());
  });

  it.each<readonly [tool: ConsoleToolName, args: object, part: object]>([
    ['changes', { limit: '5', kinds: 'moved,deleted' }, { items: [], at: 0 }],
    ['sessions', {}, { items: [], clients: [], total: 0 }],
    ['counts', { days: '7' }, { items: [] }],
    ['search', { query: 'moss' }, { total: 3, complete: true }],
    [
      'note',
      { path: 'Home.md' },
      {
        ...{ path: 'Home.md', kind: 'note', allTags: ['#red'] },
        targets: { Plan: 'Plan.md', Nowhere: null },
        text: expect.stringContaining('to [[Plan]]'),
      },
    ],
    [
      'base',
      { path: 'Home.md', block: 'filters: this.file.hasLink(file)\nviews: [{ name: A }]' },
      { base: 'Home.md', view: 'A', rows: [{ path: 'Plan.md', cells: ['Plan'] }] },
    ],
    ['files', { folder: 'Sub' }, { total: 1, items: [{ path: 'Sub/Alone.md' }] }],
    [
      'backlinks',
      { path: 'Plan.md' },
      { total: 1, lines: [{ path: 'Home.md', text: 'to [[Plan]] and [[Nowhere]] #red' }] },
    ],
    ['neighbors', { path: 'Home.md' }, { edges: [{ from: 'Home.md', to: 'Plan.md' }] }],
    ['versions', { path: 'Home.md' }, { versions: [] }],
    ['tags', {}, { total: 1, items: [{ tag: '#red' }] }],
    ['tagged', { tag: 'red' }, { items: [{ path: 'Home.md' }] }],
    ['folders', {}, { items: [{ folder: 'Hidden', notes: 1 }, { folder: 'Sub' }] }],
    ['info', {}, { files: { note: 5 }, totals: { files: 5 } }],
    ['unresolved', {}, { items: [{ link: 'Nowhere', count: 1 }] }],
    ['orphans', { folder: 'Sub' }, { items: ['Sub/Alone.md'] }],
    [
      'problems',
      { limit: '1' },
      {
        problems: { total: 1, items: [{ path: 'Plan.md' }] },
        conflicts: { total: 1, items: [{ conflictOf: 'Plan.md' }] },
        absent: { total: 0, items: [] },
        refused: { total: 0, items: [] },
      },
    ],
    ['problems', { offset: '1' }, { problems: { total: 1, items: [] } }],
    [
      'sizes',
      {},
      {
        files: { note: 5, canvas: 0, base: 0, attachment: 0 },
        bytes: 138,
        steps: expect.arrayContaining([
          { from: 0, notes: 5 },
          { from: 256, notes: 0 },
        ]),
      },
    ],
    ['totals', { days: '2' }, { items: [{ notes: 5, bytes: 138 }] }],
    ['conflicts', {}, { items: [{ original: 'Plan.md' }] }],
    ['conflict', { path: 'Plan (conflicted copy 2026-11-10).md' }, { how: 'lines' }],
    ['check', {}, { index: [], differences: 0, files: 5 }],
    [
      'graph',
      { limit: 2 },
      {
        notes: 5,
        drawn: 2,
        nodes: [
          ['Home.md', '', 1],
          ['Plan.md', '', 1],
        ],
      },
    ],
    ['graph', { folder: 'Sub' }, { notes: 1, edges: [], folders: [{ folder: 'Sub', notes: 1 }] }],
    ['graph', { tag: '#red' }, { notes: 1, edges: [] }],
  ])('%s %j', async (tool, args, part) => {
    expect(await answer(tool, args)).toMatchObject({ at: 0, ...part });
  });

  it.each<readonly [tool: string, args: object]>([
    ['changes', { limit: 501 }],
    ['changes', { kinds: 'eaten' }],
    ['change', { id: 0 }],
    ['note', { path: '' }],
    ['undo', { ids: ['x'] }],
    ['base', { path: 'Home.md', block: '', limit: 501 }],
    ['base', { path: 'Home.md', block: 'x'.repeat(100_001) }],
    ['base', { path: 'Home.md', block: 'views: 3' }],
  ])('refuse %s %j', async (tool, args) => {
    const outcome = await call(tool, args);
    expect(outcome.ok ? 'ok' : outcome.error.code).toBe('invalid_input');
  });
});

describe('undo and redo', () => {
  it('take back a restored version, and bring it again', async () => {
    const before = vault.files();
    await answer('merge_conflict', {
      ...{ path: 'Plan (conflicted copy 2026-11-10).md', choose: 'copy', dryRun: true },
    });
    expect(vault.files()).toEqual(before);
    const merged = await answer('merge_conflict', {
      ...{ path: 'Plan (conflicted copy 2026-11-10).md', choose: 'copy' },
    });
    const after = vault.files();
    expect(await answer('change', { id: merged['change'] })).toMatchObject({
      ...{ door: 'console', tool: 'merge_conflict', at: 1 },
    });
    const undone = await answer('undo', { ids: [merged['change']] });
    expect(vault.files()).toEqual(before);
    expect(await answer('undo', { ids: '1' }).catch(({ code }) => code)).toBe('invalid_input');
    await answer('redo', { id: undone['change'] });
    expect(vault.files()).toEqual(after);
    await answer('restore_version', { path: 'Plan.md', version: '2' });
    expect(vault.text('Plan.md')).toBe(before['Plan.md']);
    expect(await answer('diff_versions', { path: 'Plan.md', from: 1 })).toMatchObject({
      diff: '',
    });
    expect(await answer('version', { path: 'Plan.md', version: 1 })).toMatchObject({
      text: before['Plan.md'],
    });
    expect(await answer('undo', { session: 'page', dryRun: true })).toMatchObject({
      dryRun: true,
      diff: expect.stringContaining('rename to Plan'),
    });
  });
});
