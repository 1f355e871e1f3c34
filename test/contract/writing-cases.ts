import type { ContractCase } from './contract-case.ts';
import { notesCalls } from './notes-calls.ts';

const historyTools = ['list_changes', 'undo_change'];

const notes = 'seed 003';
const issue = 'issue 4';

/** Twenty-five notes that link to one. */
const linking = Object.fromEntries(
  Array.from({ length: 25 }, (_, n) => [`from/${n + 10}.md`, 'see [[Hub]]\n']),
);

/** The tools that make, move and delete notes, one by one. */
export const writingCases: readonly ContractCase[] = [
  {
    id: 'N02a',
    source: `${notes}: create_note(name, content?, frontmatter?) creates a note`,
    given: {},
    steps: [
      {
        call: 'create_note',
        args: { name: 'Empty' },
        expect: {
          json: { path: 'Empty.md', created: true },
          says: [/"change":\d+/, /"version":"[0-9a-f]{12}"/],
          files: { 'Empty.md': '' },
        },
      },
      {
        call: 'create_note',
        args: { name: 'Sub/Full', content: '# Full\n', frontmatter: '{"status":"draft","n":2}' },
        expect: {
          json: { path: 'Sub/Full.md' },
          files: { 'Sub/Full.md': '---\nstatus: draft\nn: 2\n---\n# Full\n' },
        },
      },
    ],
  },
  {
    id: 'N02b',
    source: `${issue}: a bare name follows the vault's new-note setting; says which other notes have that name`,
    given: {
      '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}',
      'Old/Idea.md': 'old\n',
    },
    steps: [
      {
        call: 'create_note',
        args: { name: 'Idea', content: 'new' },
        expect: {
          json: { path: 'Inbox/Idea.md', same_name: ['Old/Idea.md'] },
          files: { 'Inbox/Idea.md': 'new', 'Old/Idea.md': 'old\n' },
        },
      },
    ],
  },
  {
    id: 'N02c',
    source: `${issue}: frontmatter is a JSON string; an object is accepted too; anything else is an error`,
    given: {},
    steps: [
      {
        call: 'create_note',
        args: { name: 'Object', frontmatter: { status: 'draft' } },
        expect: { files: { 'Object.md': /^---\nstatus: draft\n---\n/ } },
      },
      {
        call: 'create_note',
        args: { name: 'List', frontmatter: '[1]' },
        expect: { fails: true, files: { 'List.md': undefined } },
      },
      {
        call: 'create_note',
        args: { name: 'Broken', frontmatter: '{status' },
        expect: { fails: true, says: ['JSON'], files: { 'Broken.md': undefined } },
      },
      {
        call: 'create_note',
        args: { name: 'Number', frontmatter: 7 },
        expect: { fails: true, files: { 'Number.md': undefined } },
      },
    ],
  },
  {
    id: 'N02d',
    source: `${issue}: failures say what to do next; nothing is overwritten`,
    given: { 'Taken.md': 'mine\n' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'Taken', content: 'yours' },
        expect: {
          fails: true,
          says: [/append_note|update_note|replace_note/],
          files: { 'Taken.md': 'mine\n' },
        },
      },
      { call: 'create_note', args: { name: '../out' }, expect: { fails: true } },
      { call: 'create_note', args: { name: '.obsidian/plugins/x/main' }, expect: { fails: true } },
    ],
  },
  {
    id: 'N03a',
    source: `${notes}: append_note(name, text) writes text to the end`,
    given: { 'A.md': '---\na: 1\n---\nfirst\n' },
    steps: [
      {
        call: 'append_note',
        args: { name: 'A', text: 'second' },
        expect: {
          json: { path: 'A.md', appended: true, line: 5 },
          says: [/"change":\d+/],
          files: { 'A.md': /^---\na: 1\n---\nfirst\nsecond\n?$/ },
        },
      },
    ],
  },
  {
    id: 'N04a',
    source: `${notes}: update_note(name, content) replaces the whole body and keeps the properties`,
    given: { 'A.md': "---\n# kept\nquoted: 'x'\n---\nold body\n" },
    steps: [
      {
        call: 'update_note',
        args: { name: 'A', content: 'new body\n' },
        expect: {
          json: { path: 'A.md', updated: true },
          says: [/"change":\d+/],
          files: { 'A.md': "---\n# kept\nquoted: 'x'\n---\nnew body\n" },
        },
      },
    ],
  },
  {
    id: 'N05a',
    source: `${notes}: delete_note(name, dry_run?) updates links and moves the note to .trash/; ${issue}: whatever trashOption says, both reported`,
    given: {
      '.obsidian/app.json': '{"trashOption":"none"}',
      'Gone.md': 'x\n',
      'B.md': 'a [[Gone]] b\n',
      'C.md': '\n[[Gone|shown]]\n',
    },
    steps: [
      {
        call: 'delete_note',
        args: { name: 'Gone', dry_run: true },
        expect: {
          json: { dry_run: true, change: null, unlinked: 2 },
          files: { 'Gone.md': 'x\n', 'B.md': 'a [[Gone]] b\n' },
        },
      },
      {
        call: 'delete_note',
        args: { name: 'Gone' },
        expect: {
          json: {
            path: 'Gone.md',
            deleted: true,
            trash: '.trash/Gone.md',
            unlinked: 2,
            files: [
              { path: 'B.md', line: 1 },
              { path: 'C.md', line: 2 },
            ],
            files_total: 2,
          },
          says: [/"change":\d+/],
          files: {
            'Gone.md': undefined,
            '.trash/Gone.md': 'x\n',
            'B.md': 'a Gone b\n',
            'C.md': '\nshown\n',
          },
        },
      },
    ],
  },
  {
    id: 'N06a',
    source: `${notes}: rename_note(old_name, new_name, dry_run?) renames and updates links; ${issue}: a bare new name stays in its folder, one with / moves`,
    given: { 'Sub/Old.md': 'x\n', 'B.md': '[[Old]] and [[Sub/Old|o]]\n' },
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Old', new_name: 'New', dry_run: true },
        expect: {
          json: { dry_run: true, change: null, path: 'Sub/New.md' },
          files: { 'Sub/Old.md': 'x\n' },
        },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Old', new_name: 'New' },
        expect: {
          json: {
            path: 'Sub/New.md',
            old_path: 'Sub/Old.md',
            renamed: true,
            links: 2,
            files: ['B.md'],
            files_total: 1,
          },
          says: [/"change":\d+/],
          files: {
            'Sub/Old.md': undefined,
            'Sub/New.md': 'x\n',
            'B.md': '[[New]] and [[New|o]]\n',
          },
        },
      },
      {
        call: 'rename_note',
        args: { old_name: 'New', new_name: 'Far/Away' },
        expect: {
          json: { path: 'Far/Away.md' },
          files: { 'Far/Away.md': 'x\n', 'B.md': '[[Away]] and [[Away|o]]\n' },
        },
      },
    ],
  },
  {
    id: 'N06b',
    source: `${issue}: at most 20 files listed and the total`,
    given: { 'Hub.md': '', ...linking },
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Hub', new_name: 'Centre' },
        expect: {
          json: { links: 25, files_total: 25 },
          says: ['from/10.md', 'from/29.md'],
          lacks: ['from/30.md'],
          files: { 'from/34.md': 'see [[Centre]]\n' },
        },
      },
    ],
  },
  {
    id: 'N06c',
    source: `${issue}: failures change nothing`,
    given: { 'A.md': 'a\n', 'B.md': 'b\n', 'Folder/C.md': '' },
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'A', new_name: 'B' },
        expect: { fails: true, says: ['B.md'], files: { 'A.md': 'a\n', 'B.md': 'b\n' } },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Folder', new_name: 'Other' },
        expect: { fails: true, files: { 'Folder/C.md': '' } },
      },
    ],
  },
  {
    id: 'N16a',
    source: `${issue}: list_changes (limit?, since?, name?) and undo_change (id? or session?, dry_run?)`,
    given: { 'A.md': 'one\n', 'B.md': 'b\n' },
    steps: [
      { call: 'append_note', args: { name: 'A', text: 'two' }, expect: {} },
      { call: 'append_note', args: { name: 'B', text: 'bee' }, expect: {} },
      {
        call: 'list_changes',
        expect: {
          json: {
            total: 2,
            changes: [{ tool: 'append_note', changed: ['B.md'] }, { changed: ['A.md'] }],
          },
          lacks: [
            /"(?:session|client)".*"(?:session|client)".*"(?:session|client)"/,
            'files_total',
          ],
        },
      },
      {
        call: 'list_changes',
        args: { name: 'A', limit: 1 },
        expect: { json: { total: 1, changes: [{ changed: ['A.md'] }] } },
      },
      {
        call: 'undo_change',
        args: ([first]) => ({ id: changeOf(first?.text), dry_run: true }),
        expect: { json: { dry_run: true, change: null }, files: { 'A.md': /two/ } },
      },
      {
        call: 'undo_change',
        args: ([first]) => ({ id: changeOf(first?.text) }),
        expect: { says: [/"change":\d+/], files: { 'A.md': 'one\n', 'B.md': /bee/ } },
      },
      {
        call: 'list_changes',
        args: ([first]) => ({ diff: changeOf(first?.text) }),
        expect: {
          json: { total: 1, changes: [{ changed: ['A.md'] }], may_undo: false },
          says: ['+two'],
        },
      },
      { call: 'undo_change', args: { session: 'current' }, expect: { files: { 'B.md': 'b\n' } } },
      { call: 'undo_change', args: {}, expect: { fails: true } },
    ],
  },
  {
    id: 'N16h',
    source:
      'issue 18: undo_change {} takes back the last change of this connection (invalid_input without one), and undo takes a list of ids',
    without: { 'mcp-http 2026-07-28': 'it has no connections' },
    given: { 'A.md': 'one\n', 'B.md': 'b\n' },
    steps: [
      { call: 'append_note', args: { name: 'A', text: 'two' }, expect: {} },
      { call: 'append_note', args: { name: 'B', text: 'bee' }, expect: {} },
      {
        call: 'undo_change',
        expect: { says: ['"changed":["B.md"]'], files: { 'A.md': /two/, 'B.md': 'b\n' } },
      },
      {
        call: 'undo_change',
        args: ([first, , undo]) => ({ id: [changeOf(first?.text), changeOf(undo?.text)] }),
        expect: { says: ['"undone":'], files: { 'A.md': 'one\n', 'B.md': /bee/ } },
      },
    ],
  },
  {
    id: 'N16b',
    source: `${issue}: --no-history-tools leaves out these two and nothing else`,
    given: {},
    options: { historyTools: false },
    steps: [
      {
        list: true,
        expect: {
          names: notesCalls.map(({ tool }) => tool).filter((tool) => !historyTools.includes(tool)),
        },
      },
    ],
  },
  {
    id: 'N16c',
    source: `${issue}: --read-only`,
    given: { 'A.md': 'one\n' },
    options: { readOnly: true },
    steps: [
      {
        list: true,
        expect: {
          has: ['read_note', 'search_notes', 'list_changes'],
          hasNot: ['append_note', 'create_note', 'delete_note', 'undo_change', 'set_frontmatter'],
        },
      },
      { call: 'read_note', args: { name: 'A' }, expect: { text: 'one\n' } },
    ],
  },
];

/** The number of the change that an answer names. */
function changeOf(text: string | undefined): number {
  return Number(/"change":(\d+)/.exec(text ?? '')?.[1]);
}
