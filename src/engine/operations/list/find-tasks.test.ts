import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { formatDate } from '../../text/format-date.ts';
import { findTasks } from './find-tasks.ts';

type FindTasksRequest = Parameters<typeof findTasks>[1];
const page = { limit: 50, offset: 0, folder: '', status: 'open', dates: [] } as const;
const custom = {
  globalFilter: '#task',
  statusSettings: {
    coreStatuses: [{ symbol: ' ', name: 'Todo', nextStatusSymbol: 'x', type: 'TODO' }],
    customStatuses: [
      { symbol: '!', name: 'Important', nextStatusSymbol: 'x', type: 'TODO' },
      { symbol: 'w', name: 'Waiting', nextStatusSymbol: 'x', type: 'ON_HOLD' },
      { symbol: 'c', name: 'Dropped', nextStatusSymbol: ' ', type: 'CANCELLED' },
      'nothing',
    ],
  },
};

let opened: MemoryVault;
let vault: Record<string, string>;
beforeEach(async () => {
  vault = {
    'A.md': [
      '- [ ] a1 📅 2026-03-01',
      '> 1. [ ] a2 [due:: 2025-12-31] #work/home',
      '- [x] a3 📅 2025-01-01 ✅ 2026-01-05',
      '- [/] a4 📅 2026-01-01',
      '```',
      '- [ ] code 📅 2026-01-01',
      '```',
      '- [!] a5 📅 2026-02-31 #Work',
    ].join('\n'),
    'B.md': '- [ ] b1 ⏳ 2026-01-01 🛫 2025-01-01\n- [ ] b2\n- [-] b3 ❌ 2026-01-02\n- [?] b4\n',
    'Sub/C.md': '- [ ] c1 📅 2024-01-01 #workers\n- [w] c2\n- [c] c3\n',
    'Secret/D.md': '- [ ] d1 📅 2024-01-01 #work\n',
  };
  opened = await openWrittenVault(vault);
});
afterEach(() => opened.close());

async function found(request: Partial<FindTasksRequest>, as = opened): Promise<string> {
  const { total, items } = await findTasks(as.vault, { ...page, ...request });
  expect(total).toBe(items.length);
  return items.map(({ text }) => text.slice(0, 2)).join(' ');
}

describe('findTasks', () => {
  it.each<readonly [request: Partial<FindTasksRequest>, texts: string]>([
    [{}, 'a1 a2 b1 b2 d1 c1'],
    [{ status: 'todo' }, 'a1 a2 b1 b2 d1 c1'],
    [{ status: 'done' }, 'a3'],
    [{ status: 'Cancelled' }, 'b3'],
    [{ status: 'in_progress' }, 'a4'],
    [{ status: '?' }, 'b4'],
    [{ status: '-' }, 'b3'],
    [{ status: 'all', folder: vaultPath('Sub') }, 'c1 c2 c3'],
    [{ name: 'B', status: 'all' }, 'b1 b2 b3 b4'],
    [{ name: 'B', folder: vaultPath('Sub') }, ''],
    [{ tag: 'work' }, 'a2 d1'],
    [{ tag: '#WORK', status: 'all' }, 'a2 a5 d1'],
    [{ tag: 'work/home' }, 'a2'],
    [{ dates: [['due', '<2026']] }, 'd1 c1 a2'],
    [{ dates: [['due', 'any']], status: 'all' }, 'd1 c1 a3 a2 a4 a5 a1'],
    [{ dates: [['due', '2026-02']], status: 'all' }, ''],
    [{ dates: [['due', '2026-01-01..2026-03-01']], status: 'all' }, 'a4 a5 a1'],
    [{ dates: [['due', 'none']] }, 'b1 b2'],
    [{ dates: [['scheduled', '2026-01-01']] }, 'b1'],
    [
      {
        dates: [
          ['due', 'none'],
          ['start', '<2026'],
        ],
      },
      'b1',
    ],
    [{ dates: [['done', '>=2026-01-05']], status: 'done' }, 'a3'],
    [{ dates: [['cancelled', '2026']], status: 'all' }, 'b3'],
    [{ dates: [['due', 'any']], name: 'A' }, 'a2 a1'],
  ])('%j', async (request, texts) => {
    expect(await found(request)).toBe(texts);
  });

  it('comes in pages in the order of the dates', async () => {
    const second = { ...page, dates: [['due', 'any']], limit: 2, offset: 2 } as const;
    const { total, items } = await findTasks(opened.vault, second);
    expect([total, ...items.map(({ text }) => text.slice(0, 2))]).toEqual([4, 'a2', 'a1']);
  });

  it('says how many others are not done either when open tasks are asked for', async () => {
    const { others } = await findTasks(opened.vault, { ...page, name: 'A' });
    expect(others).toEqual([
      ['!', 1],
      ['/', 1],
    ]);
    expect((await findTasks(opened.vault, page)).others.map(([char]) => char)).toEqual([
      '!',
      '/',
      '?',
      'c',
      'w',
    ]);
    expect((await findTasks(opened.vault, { ...page, status: 'done' })).others).toEqual([]);
  });

  it('shows nothing of hidden notes, with and without dates', async () => {
    const as = opened.as({ scopes: { ...allScopes, hide: ['Secret'] } });
    for (const dates of [[], [['due', '<2025']]] as const) {
      const { items } = await findTasks(as, { ...page, dates });
      expect(items.map(({ text }) => text.slice(0, 2))).not.toContain('d1');
      expect(items.length).toBeGreaterThan(0);
    }
  });

  it('reads dates from disk: one that has changed since does not count', async () => {
    opened.disk.write('Sub/C.md', '- [ ] c1 📅 2030-01-01\n');
    const { items } = await findTasks(opened.vault, { ...page, dates: [['due', '<2025']] });
    expect(items.map(({ text }) => text.slice(0, 2))).toEqual(['d1']);
  });

  it('knows today', async () => {
    const today = formatDate(opened.vault.vault.parts.clock.nowMs(), 'YYYY-MM-DD');
    opened.disk.write('A.md', `- [ ] now 📅 ${today}\n`);
    expect(await found({ name: 'A', dates: [['due', 'today']] })).toBe('no');
    expect(await found({ name: 'A', dates: [['due', 'overdue']] })).toBe('');
  });

  it('knows the statuses and the filter of the settings', async () => {
    const file = '.obsidian/plugins/obsidian-tasks-plugin/data.json';
    const other = await openWrittenVault({ ...vault, [file]: JSON.stringify(custom) });
    try {
      expect(await found({}, other)).toBe('a1 a2 a5 b1 b2 d1 c1');
      expect(await found({ status: 'waiting' }, other)).toBe('c2');
      expect(await found({ status: 'on hold' }, other)).toBe('c2');
      expect(await found({ status: 'cancelled' }, other)).toBe('b3 c3');
      const { others, globalFilter } = await findTasks(other.vault, page);
      expect(others.map(([char]) => char)).toEqual(['/', '?', 'w']);
      expect(globalFilter).toBe('#task');
    } finally {
      await other.close();
    }
  });

  it.each<readonly [request: Partial<FindTasksRequest>, code: string]>([
    [{ status: 'later' }, 'invalid_input'],
    [{ dates: [['due', 'soon']] }, 'invalid_input'],
    [{ tag: 'no tag' }, 'invalid_input'],
    [{ name: 'Nowhere' }, 'not_found'],
    [{ folder: vaultPath('Nowhere') }, 'not_found'],
  ])('refuses %j', async (request, code) => {
    await expect(findTasks(opened.vault, { ...page, ...request })).rejects.toMatchObject({ code });
  });
});
