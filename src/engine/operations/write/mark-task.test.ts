import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { formatDate } from '../../text/format-date.ts';
import { markTask } from './mark-task.ts';

type MarkTaskRequest = Parameters<typeof markTask>[1];

const plugin = '.obsidian/plugins/obsidian-tasks-plugin/data.json';
const enabled = { '.obsidian/community-plugins.json': '["obsidian-tasks-plugin"]' };

async function mark(
  note: string,
  request: Omit<MarkTaskRequest, 'name'>,
  settings: Readonly<Record<string, string>> = {},
) {
  const opened = await openWrittenVault({ ...settings, 'Note.md': note });
  try {
    const today = formatDate(opened.vault.vault.parts.clock.nowMs(), 'YYYY-MM-DD');
    const result = await opened.change(markTask, { name: 'Note', ...request });
    expect(await opened.indexFaults()).toEqual([]);
    return { today, result, text: opened.text('Note.md').replaceAll(today, 'TODAY') };
  } finally {
    await opened.close();
  }
}

const inVault = (data: object) => ({ ...enabled, [plugin]: JSON.stringify(data) });

describe('markTask', () => {
  it.each<readonly [status: string, before: string, after: string]>([
    ['done', '- [ ] plain', '- [x] plain'],
    ['open', '- [x] plain', '- [ ] plain'],
    ['cancelled', '1. [ ] plain', '1. [-] plain'],
    ['in progress', '- [ ] plain', '- [/] plain'],
    ['!', '- [ ] plain', '- [!] plain'],
    ['done', '- [ ] a 📅 2026-01-01', '- [x] a 📅 2026-01-01 ✅ TODAY'],
    ['done', '- [ ] a ⏫ ^id-1', '- [x] a ⏫ ✅ TODAY ^id-1'],
    ['done', '> - [ ]   a ⏫  \r\n> b', '> - [x]   a ⏫ ✅ TODAY  \r\n> b'],
    ['open', '- [x] a 📅 2026-01-01 ✅ 2026-01-02 ^id', '- [ ] a 📅 2026-01-01 ^id'],
    ['open', '- [x] ✅ 2026-01-02 a', '- [ ] ✅ 2026-01-02 a'],
    ['open', '- [x] a ✅ 2026-01-01 release notes', '- [ ] a ✅ 2026-01-01 release notes'],
    ['done', '- [ ] a `🔁 every day`', '- [x] a `🔁 every day`'],
    [
      'done',
      '- [ ] a `🔁 every day` 📅 2026-01-01',
      '- [x] a `🔁 every day` 📅 2026-01-01 ✅ TODAY',
    ],
    ['done', '- [ ] a 🔁 every blue moon, say.', '- [x] a 🔁 every blue moon, say.'],
    ['done', '- [ ] a 🏁 delete files', '- [x] a 🏁 delete files'],
    ['done', '- [ ] a [due:: 2026-01-01] b', '- [x] a [due:: 2026-01-01] b'],
    ['open', '- [x] a ✅ 2026-01-01, ⏫', '- [ ] a ✅ 2026-01-01, ⏫'],
    [
      'open',
      '- [x] a ❌ 2026-01-01 b ✅ 2026-01-02 #t/1 📅 2026-01-03 #u ^id',
      '- [ ] a ❌ 2026-01-01 b #t/1 📅 2026-01-03 #u ^id',
    ],
    ['open', '- [x] a [completion:: 2026-01-01], [id:: b], #t', '- [ ] a, [id:: b], #t'],
    ['cancelled', '- [x] a ✅ 2026-01-02', '- [-] a ❌ TODAY'],
    ['done', '- [-] a ❌ 2026-01-02', '- [x] a ✅ TODAY'],
    ['done', '- [x] a ✅ 2026-01-02', '- [x] a ✅ 2026-01-02'],
    ['X', '- [x] a ✅ 2026-01-02', '- [X] a ✅ 2026-01-02'],
    ['in progress', '- [ ] a 📅 2026-01-01', '- [/] a 📅 2026-01-01'],
    ['done', '- [ ] a [due:: 2026-01-01]', '- [x] a [due:: 2026-01-01]  [completion:: TODAY]'],
    [
      'open',
      '- [x] a  [due:: 2026-01-01]  [completion:: 2026-01-02]',
      '- [ ] a  [due:: 2026-01-01]',
    ],
    ['done', '- [ ] a 🏁 keep', '- [x] a 🏁 keep ✅ TODAY'],
    ['done', 'x\n- [ ] a 🏁 delete\ny', 'x\ny'],
  ])('%s: %j', async (status, before, after) => {
    const { text, result } = await mark(before, { text: 'a', status });
    expect(text).toBe(after);
    expect(result.change === undefined).toBe(before === after);
  });

  it.each<
    readonly [settings: Record<string, string>, status: string, before: string, after: string]
  >([
    [enabled, 'done', '- [ ] a', '- [x] a ✅ TODAY'],
    [enabled, 'cancelled', '- [ ] a', '- [-] a ❌ TODAY'],
    [inVault({ setDoneDate: false }), 'done', '- [ ] a', '- [x] a'],
    [inVault({ setCancelledDate: false }), 'cancelled', '- [ ] a ⏫', '- [-] a ⏫'],
    [inVault({ taskFormat: 'dataview' }), 'done', '- [ ] a', '- [x] a  [completion:: TODAY]'],
    [inVault({ globalFilter: '#task' }), 'done', '- [ ] a 📅 2026-01-01', '- [x] a 📅 2026-01-01'],
    [inVault({ globalFilter: '#task' }), 'done', '- [ ] a #task', '- [x] a #task ✅ TODAY'],
    [
      inVault({
        statusSettings: {
          coreStatuses: [{ symbol: 'x', name: 'Done', nextStatusSymbol: ' ', type: 'DONE' }],
          customStatuses: [
            { symbol: 'w', name: 'Waiting', nextStatusSymbol: 'x', type: 'ON_HOLD' },
            { symbol: 'd', name: 'Delegated', nextStatusSymbol: 'w', type: 'DONE' },
          ],
        },
      }),
      'delegated',
      '- [w] a',
      '- [d] a ✅ TODAY',
    ],
    [{ '.obsidian/community-plugins.json': '["dataview"]' }, 'done', '- [ ] a', '- [x] a'],
    [
      { '.obsidian/community-plugins.json': '{', [plugin]: '{}' },
      'done',
      '- [ ] a',
      '- [x] a ✅ TODAY',
    ],
    [{ '.obsidian/community-plugins.json': '[]', [plugin]: '{}' }, 'done', '- [ ] a', '- [x] a'],
    [{ '.obsidian/community-plugins.json': '{' }, 'done', '- [ ] a', '- [x] a'],
    [{ ...enabled, [plugin]: '{' }, 'done', '- [ ] a', '- [x] a ✅ TODAY'],
  ])('by the settings %j, %s', async (settings, status, before, after) => {
    expect((await mark(before, { text: 'a', status }, settings)).text).toBe(after);
  });

  type Recurring = readonly [before: string, after: string, settings?: Record<string, string>];
  const recurring: readonly Recurring[] = [
    [
      '- [ ] a 🔁 every day 📅 2026-01-31',
      '- [ ] a 🔁 every day 📅 2026-02-01\n- [x] a 🔁 every day 📅 2026-01-31 ✅ TODAY',
    ],
    [
      '> - [/] a 🆔 one ⛔ two 🔁 every month ➕ 2020-01-01 🛫 2026-01-29 ⏳ 2026-01-30 📅 2026-01-31 ❌ 2026-01-01 ^id\r\n> - b',
      '> - [ ] a 🔁 every month 🛫 2026-02-26 ⏳ 2026-02-27 📅 2026-02-28\r\n> - [x] a 🆔 one ⛔ two 🔁 every month ➕ 2020-01-01 🛫 2026-01-29 ⏳ 2026-01-30 📅 2026-01-31 ✅ TODAY ^id\r\n> - b',
    ],
    [
      '- up\n\t- [ ] a  [repeat:: every week on Monday]  [due:: 2026-11-16]',
      '- up\n\t- [ ] a  [repeat:: every week on Monday]  [due:: 2026-11-23]\n\t- [x] a  [repeat:: every week on Monday]  [due:: 2026-11-16]  [completion:: TODAY]',
    ],
    ['- [ ] a 🔁 every day', '- [ ] a 🔁 every day\n- [x] a 🔁 every day ✅ TODAY'],
    [
      '- [ ] a 🔁 every day to Bob',
      '- [ ] a 🔁 every day to Bob\n- [x] a 🔁 every day to Bob ✅ TODAY',
    ],
    [
      '- [ ] a 📅 2020-01-01 b 🆔 c d 🔁 every day #t 📅 2026-01-31',
      '- [ ] a 📅 2020-01-01 b 🆔 c d 🔁 every day #t 📅 2026-02-01\n- [x] a 📅 2020-01-01 b 🆔 c d 🔁 every day #t 📅 2026-01-31 ✅ TODAY',
    ],
    [
      '- [ ] a 🔁 every day 🏁 delete 📅 2026-01-31',
      '- [ ] a 🔁 every day 🏁 delete 📅 2026-02-01',
    ],
    [
      '- [ ] a 🔁 every day 📅 2026-01-31',
      '- [x] a 🔁 every day 📅 2026-01-31 ✅ TODAY\n- [ ] a 🔁 every day ➕ TODAY 📅 2026-02-01',
      inVault({ recurrenceOnNextLine: true, setCreatedDate: true }),
    ],
    [
      '- [ ] a 🔁 every day ⏳ 2026-01-01 🛫 2026-01-05',
      '- [ ] a 🔁 every day 🛫 2026-01-06\n- [x] a 🔁 every day ⏳ 2026-01-01 🛫 2026-01-05 ✅ TODAY',
      inVault({ removeScheduledDateOnRecurrence: true }),
    ],
  ];
  it.each(recurring.map((row) => ({ row })))('a recurring task, $row', async ({ row }) => {
    const [before, after, settings] = row;
    const { text, result } = await mark(before, { text: 'a ', status: 'done' }, settings);
    expect(text).toBe(after);
    const lines = text.split(/\r?\n/);
    expect(lines[(result.next?.line ?? 0) - 1]).toMatch(/\[ \]/);
    if (result.line !== undefined) expect(lines[result.line - 1]).toMatch(/\[x\]/);
  });

  it('counts from today when the rule says when done, and keeps the distance of the dates', async () => {
    const rule = '🔁 every 2 weeks when done ⏳ 2020-01-01 📅 2020-01-03';
    const { today, result } = await mark(`- [ ] a ${rule}`, { line: 1, status: 'done' });
    const [, scheduled = '', due = ''] = /⏳ (\S+) 📅 (\S+)/.exec(result.next?.text ?? '') ?? [];
    expect(Date.parse(due) - Date.parse(scheduled)).toBe(2 * 86_400_000);
    expect(Date.parse(due) - Date.parse(today)).toBe(14 * 86_400_000);
  });

  it('makes no next task when a recurring one is cancelled or was done already', async () => {
    const note = '- [ ] a 🔁 every day 📅 2026-01-31';
    expect((await mark(note, { line: 1, status: 'cancelled' })).text).toBe(
      '- [-] a 🔁 every day 📅 2026-01-31 ❌ TODAY',
    );
    const again = '- [x] a 🔁 every day 📅 2026-01-31 ✅ 2026-01-30';
    expect((await mark(again, { line: 1, status: 'done' })).text).toBe(again);
  });

  it('means the one that has another status, if only one has', async () => {
    const before = '- [x] a 📅 2026-01-01\n- [ ] a 📅 2026-01-02\n- [x] a 📅 2026-01-03';
    expect((await mark(before, { text: 'a', status: 'done' })).result.line).toBe(2);
  });

  it.each<readonly [status: string, before: string, line: number, after: string]>([
    ['done', '- [X] a ✅ 2026-01-01\n- [ ] a b', 2, '- [x] a b'],
    ['x', '- [X] a ✅ 2026-01-01\n- [ ] a b', 2, '- [x] a b'],
    ['open', '- [ ] a 1\n- [x] a 2\n- [?] a 3', 2, '- [ ] a 2'],
    ['!', '- [!] a 1\n- [ ] a 2', 2, '- [!] a 2'],
    ['done', '- [X] a', 1, '- [X] a'],
    ['x', '- [X] a', 1, '- [x] a'],
    ['open', '- [?] a', 1, '- [ ] a'],
  ])('compares what statuses mean: %s, %j', async (status, before, line, after) => {
    const { result, text } = await mark(before, { text: 'a', status });
    expect(result.line).toBe(line);
    expect(text.split('\n')[line - 1]).toBe(after);
  });

  it('looks at all tasks with a text, however many are done', async () => {
    const done = '- [x] water the plants\n'.repeat(1_200);
    const request = { text: 'WATER', status: 'done' };
    const open = '- [ ] water the plants\n';
    expect((await mark(done + open, request)).result.line).toBe(1_201);
    await expect(mark(open + done + open, request)).rejects.toMatchObject({
      code: 'ambiguous',
      message: '2 tasks fit; give "line":',
      details: { lines: [1, 1_202] },
    });
    await expect(mark(done, request)).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringMatching(/^1200 tasks fit; .* 5 of the 1200:$/),
    });
  });

  const note =
    '# Head\n- [ ] call Ann\n- [ ] call Bob\n- [x] call\n\n- [ ] pay 🔁 every blue moon\n';
  it.each<readonly [text: string, line: number]>([
    ['ANN', 2],
    ['call', 4],
    ['- [ ] call Bob', 3],
    ['[x] call…', 4],
  ])('finds the task called %j', async (text, line) => {
    expect((await mark(note, { text, status: '/' })).result.line).toBe(line);
    expect((await mark(note, { text, line, status: '/' })).result.line).toBe(line);
  });

  it.each<readonly [request: Omit<MarkTaskRequest, 'name' | 'status'>, code: string, says: RegExp]>(
    [
      [{ text: 'nobody' }, 'not_found', /has that text:\n2: \[ \] call Ann/],
      [{ text: 'all' }, 'ambiguous', /2 tasks fit; give "line":\n2: \[ \] call Ann\n3:/],
      [{ text: 'call A', line: 3 }, 'not_found', /Line 3 .* not that task:\n2: \[ \] call Ann$/],
      [{ line: 5 }, 'not_found', /not a task:\n4: \[x\] call\n6: \[ \] pay/],
      [{ line: 99 }, 'not_found', /Line 99/],
      [{ line: 6 }, 'invalid_input', /Nothing was changed[\s\S]*every blue moon/],
      [{ line: 2, version: 'other' as never }, 'conflict', /read it again/],
    ],
  )('refuses %j', async (request, code, says) => {
    const failed = await mark(note, { ...request, status: 'done' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code });
    const { message, excerpt } = failed as { message: string; excerpt?: string };
    expect(`${message}\n${excerpt ?? ''}`).toMatch(says);
    expect(message).not.toMatch(/Ann|blue/);
  });

  it.each<readonly [status: string, note: string, says: RegExp]>([
    ['later', '- [ ] a', /"in progress"/],
    ['\n', '- [ ] a', /no longer be a task/],
    ['done', '- [ ] a 🔁 every day 📅 2026-02-30', /does not exist/],
    ['done', 'no task', /no tasks/],
  ])('refuses %j for %j', async (status, text, says) => {
    await expect(mark(text, { line: 1, status })).rejects.toMatchObject({
      message: expect.stringMatching(says),
    });
  });
});
