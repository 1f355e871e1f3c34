import type { Answer, ContractCase, Step } from './contract-case.ts';

const issue = 'issue 18';

const files = {
  'Plan.md': '# Plan\n\n## Old part\n\ntext ^id\n',
  'Box/In.md': '#old\n',
  'Links.md': '[[Plan]] [[Plan#Old part]] [[Plan#^id]] [[Box/In]] #old/child\n',
} as const;

/** Takes back what the first call of a case has done, and expects every byte back. */
const undone: Step = {
  call: 'undo_change',
  args: (answers: readonly Answer[]) => ({
    id: Number(/"change":(\d+)/.exec(answers[0]?.text ?? '')?.[1]),
  }),
  expect: { files },
};

/** What rename_note renames beside notes. */
export const renamingCases: readonly ContractCase[] = [
  {
    id: 'NR01',
    source: `${issue}: move_folder`,
    given: files,
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Box/', new_name: 'Store/Crate/' },
        expect: {
          json: { path: 'Store/Crate/', moved: 1, links: 1, notes: 1 },
          lacks: ['renamed', 'files'],
          files: {
            'Box/In.md': undefined,
            'Store/Crate/In.md': '#old\n',
            'Links.md': /\[\[Store\/Crate\/In\]\]|\[\[In\]\]/,
          },
        },
      },
      undone,
      {
        call: 'rename_note',
        args: { old_name: 'Box/', new_name: 'Crate/', dry_run: true },
        expect: { json: { dry_run: true, change: null }, says: ['diff'], files },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Box', new_name: 'Crate' },
        expect: { fails: true, says: ['give it as "Box/"'], files },
      },
    ],
  },
  {
    id: 'NR02',
    source: `${issue}: rename_tag, nested children follow`,
    given: files,
    steps: [
      {
        call: 'rename_note',
        args: { old_name: '#old', new_name: '#new' },
        expect: {
          json: { notes: 2, tags: 2 },
          files: { 'Box/In.md': '#new\n', 'Links.md': /#new\/child/ },
        },
      },
      undone,
      {
        call: 'rename_note',
        args: { old_name: '#older', new_name: '#new' },
        expect: { fails: true, says: ['"#older"', 'list_vault'], files },
      },
      {
        call: 'rename_note',
        args: { old_name: '#old', new_name: 'a b' },
        expect: { fails: true, says: ['cannot be a tag'], files },
      },
    ],
  },
  {
    id: 'NR03',
    source: `${issue}: rename_heading (blocks too)`,
    given: files,
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Plan#Old part', new_name: 'New part' },
        expect: {
          json: { path: 'Plan.md', links: 1, notes: 1 },
          says: [/"version":"[0-9a-f]{12}"/],
          files: { 'Plan.md': /^## New part$/m, 'Links.md': /\[\[Plan#New part\]\]/ },
        },
      },
      undone,
      {
        call: 'rename_note',
        args: { old_name: 'Plan#^id', new_name: '^other' },
        expect: {
          json: { path: 'Plan.md', links: 1 },
          files: { 'Plan.md': /text \^other$/m, 'Links.md': /\[\[Plan#\^other\]\]/ },
        },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Plan#Nowhere', new_name: 'x' },
        expect: {
          fails: true,
          says: ['It has: # Plan, Plan > Old part', 'Give it as old_name "Plan#Plan"'],
          lacks: ['"section"'],
        },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Plan#^nope', new_name: 'x' },
        expect: { fails: true, says: ['It has: ^other. Give it as old_name "Plan#^other"'] },
      },
    ],
  },
  {
    id: 'NR04',
    source: `${issue}: rename_note says when the note's first heading still has the old name`,
    given: files,
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Plan', new_name: 'Sub/Idea' },
        expect: {
          json: { path: 'Sub/Idea.md', old_path: 'Plan.md', renamed: true, links: 3 },
          says: ['use rename_note with old_name Sub/Idea#Plan'],
        },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Sub/Idea#Plan', new_name: 'Idea' },
        expect: { json: { path: 'Sub/Idea.md' }, files: { 'Sub/Idea.md': /^# Idea$/m } },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Idea', new_name: 'Thought' },
        expect: { says: ['"heading"'] },
      },
    ],
  },
  {
    id: 'NR05',
    source: `${issue}: folder scopes and --hide for each`,
    given: { ...files, 'Box/Secret/zq.md': '# Quagga\n\n#old #quagga ^id\n' },
    options: { hide: ['Box/Secret/**'] },
    steps: [
      {
        call: 'rename_note',
        args: { old_name: 'Box/', new_name: 'Crate/' },
        expect: { fails: true, says: ['may not see'], files },
      },
      {
        call: 'rename_note',
        args: { old_name: 'Box/Secret/', new_name: 'Crate/' },
        expect: { fails: true, says: ['no folder'] },
      },
      {
        call: 'rename_note',
        args: { old_name: '#quagga', new_name: '#other' },
        expect: { fails: true, says: ['No note'] },
      },
      {
        call: 'rename_note',
        args: { old_name: 'zq#Quagga', new_name: 'Horse' },
        expect: { fails: true, says: ['no note "zq"'] },
      },
      {
        call: 'rename_note',
        args: { old_name: '#old', new_name: '#new' },
        expect: { json: { notes: 2 }, files: { 'Box/Secret/zq.md': /#old/ } },
      },
    ],
  },
];
