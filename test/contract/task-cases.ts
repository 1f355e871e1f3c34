import type { ContractCase } from './contract-case.ts';

const issue = 'issue 18';

const note = [
  '# Work',
  '- [ ] pay rent 📅 2024-01-31 🔁 every month',
  '- [x] call Ann ✅ 2024-01-01',
  '> - [ ] write [due:: 2025-06-01] #home',
  '- [/] half done 📅 2024-01-15',
  '- [ ] plain',
  '',
].join('\n');
const given = { 'Work.md': note, 'Sub/Other.md': '- [ ] other 📅 2023-01-01\n' };
const pays = '📅 2024-01-31 🔁 every month';

/** The tools that list and mark tasks. */
export const taskCases: readonly ContractCase[] = [
  {
    id: 'NK01',
    source: `${issue}: list_tasks by status, folder, tag, and due before or after a date; the formats of the Tasks plugin and plain checkboxes`,
    given,
    steps: [
      {
        call: 'list_tasks',
        args: {},
        expect: {
          json: {
            total: 4,
            tasks: {
              'Sub/Other.md': ['1: other 📅 2023-01-01'],
              'Work.md': [`2: pay rent ${pays}`, '4: write [due:: 2025-06-01] #home', '6: plain'],
            },
            other_status: { '/': 1 },
          },
        },
      },
      {
        call: 'list_tasks',
        args: { due: '<2025' },
        expect: {
          json: {
            total: 2,
            tasks: {
              'Sub/Other.md': ['1: other 📅 2023-01-01'],
              'Work.md': [`2: pay rent ${pays}`],
            },
          },
        },
      },
      {
        call: 'list_tasks',
        args: { status: 'all', due: '2024..2025', limit: 2 },
        expect: {
          json: {
            total: 3,
            tasks: { 'Work.md': ['5: [/] half done 📅 2024-01-15', `2: pay rent ${pays}`] },
            next_offset: 2,
          },
        },
      },
      {
        call: 'list_tasks',
        args: { done: '2024' },
        expect: { json: { total: 1, tasks: { 'Work.md': ['3: call Ann ✅ 2024-01-01'] } } },
      },
      {
        call: 'list_tasks',
        args: { tag: 'nowhere, #home', name: 'Work' },
        expect: { json: { total: 1 }, lacks: ['other_status'] },
      },
      { call: 'list_tasks', args: { folder: 'Sub', due: 'none' }, expect: { json: { total: 0 } } },
      {
        call: 'list_tasks',
        args: { due: 'someday' },
        expect: { fails: true, says: ['someday', 'overdue', '2026-01-01..2026-01-07'] },
      },
      {
        call: 'list_tasks',
        args: { status: 'maybe' },
        expect: { fails: true, says: ['"in progress"', 'one character'] },
      },
      { call: 'list_tasks', args: { name: 'Nothing' }, expect: { fails: true } },
    ],
  },
  {
    id: 'NK02',
    source: `${issue}: set_task, recurring ones as the plugin would, and its undo`,
    given,
    steps: [
      {
        call: 'set_task',
        args: { name: 'Work', text: 'Pay rent' },
        expect: {
          json: {
            line: 3,
            status: 'x',
            next: { line: 2, text: 'pay rent 📅 2024-02-29 🔁 every month' },
          },
          says: [/pay rent 📅 2024-01-31 🔁 every month ✅ \d{4}-\d\d-\d\d"/],
        },
      },
      {
        call: 'undo_change',
        args: { session: 'current' },
        expect: { files: { 'Work.md': note } },
      },
      {
        call: 'set_task',
        args: { name: 'Work', line: 3, status: 'open' },
        expect: {
          files: { 'Work.md': note.replace('[x] call Ann ✅ 2024-01-01', '[ ] call Ann') },
        },
      },
    ],
  },
  {
    id: 'NK03',
    source: `${issue}: set_task refuses what is not one task, and a rule that is not plain`,
    given: { ...given, 'Odd.md': '- [ ] odd 🔁 every blue moon\n' },
    steps: [
      {
        call: 'set_task',
        args: { name: 'Work', line: 1 },
        expect: { fails: true, says: ['Line 1', '2: [ ] pay rent'] },
      },
      {
        call: 'set_task',
        args: { name: 'Work', line: 6, text: 'call Ann' },
        expect: { fails: true, says: ['not that task', '3: [x] call Ann'] },
      },
      {
        call: 'set_task',
        args: { name: 'Work', text: 'nobody' },
        expect: { fails: true, says: ['has that text'] },
      },
      { call: 'set_task', args: { name: 'Work' }, expect: { fails: true, says: ['line', 'text'] } },
      {
        call: 'set_task',
        args: { name: 'Odd', line: 1 },
        expect: {
          fails: true,
          says: ['every blue moon', 'Nothing was changed'],
          files: { 'Odd.md': '- [ ] odd 🔁 every blue moon\n', 'Work.md': note },
        },
      },
      {
        call: 'set_task',
        args: { name: 'Work', line: 6, status: 'someday' },
        expect: { fails: true, says: ['"cancelled"'] },
      },
    ],
  },
  {
    id: 'NK04',
    source: `${issue}: --hide for each`,
    given,
    options: { hide: ['Sub/**'] },
    steps: [
      {
        call: 'list_tasks',
        args: { due: '<2025' },
        expect: { json: { total: 1 }, lacks: ['Sub'] },
      },
      {
        call: 'set_task',
        args: { name: 'Sub/Other', line: 1 },
        expect: { fails: true, files: { 'Sub/Other.md': '- [ ] other 📅 2023-01-01\n' } },
      },
    ],
  },
];
