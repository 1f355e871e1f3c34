import type { ContractCase } from './contract-case.ts';

const issue = 'issue 18';

const journal = {
  '.obsidian/daily-notes.json':
    '{"folder":"Journal","format":"YYYY-MM-DD","template":"Templates/Day"}',
  '.obsidian/templates.json': '{"folder":"Templates"}',
  '.obsidian/plugins/periodic-notes/data.json':
    '{"weekly":{"enabled":true,"format":"gggg-[W]ww","folder":"Weeks","template":"Templates/Week"},"monthly":{"enabled":false}}',
  'Templates/Day.md': '---\nmood: 3\n---\n# <% tp.file.title %>\n\n## Log\n\n## Later\n',
  'Templates/Week.md': '# {{title}} from {{monday:D MMM}}\n',
  'Templates/Script.md': '# {{title}}\n\n<%* await tp.system.prompt("Who?") %>\n',
  'Journal/2026-11-10.md': '# Tuesday\n\nDentist',
};

/** Daily notes, templates, and the properties of several notes. */
export const dailyCases: readonly ContractCase[] = [
  {
    id: 'N18e',
    source: `${issue}: a daily note whose template would run JavaScript is refused, and the error leads on`,
    given: {
      ...journal,
      '.obsidian/daily-notes.json': '{"folder":"Journal","template":"Templates/Script"}',
    },
    steps: [
      {
        call: 'daily_note',
        args: { date: '2026-11-12', text: '- x' },
        expect: {
          fails: true,
          says: ['Line 3', 'create_note'],
          files: { 'Journal/2026-11-12.md': undefined },
        },
      },
    ],
  },
  {
    id: 'N18a',
    source: `${issue}: daily_note reads and appends, also of another date; a missing one is created from its template`,
    given: journal,
    steps: [
      {
        call: 'daily_note',
        args: { date: '2026-11-10' },
        expect: { text: '# Tuesday\n\nDentist\n[Journal/2026-11-10.md]' },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-10', text: '- called' },
        expect: {
          json: { path: 'Journal/2026-11-10.md' },
          says: [/"change":\d+/, /"version":"[0-9a-f]+"/],
          lacks: ['created'],
          files: { 'Journal/2026-11-10.md': '# Tuesday\n\nDentist\n- called\n' },
        },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-11' },
        expect: {
          fails: true,
          says: ['"Journal/2026-11-11.md" does not exist', 'daily_note with text'],
          files: { 'Journal/2026-11-11.md': undefined },
        },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-11', text: '- first', section: 'Log' },
        expect: {
          json: { path: 'Journal/2026-11-11.md', created: true },
          files: {
            'Journal/2026-11-11.md':
              '---\nmood: 3\n---\n# 2026-11-11\n\n## Log\n- first\n\n## Later\n',
          },
        },
      },
      { call: 'undo_change', args: { session: 'current' }, expect: {} },
      {
        call: 'list_notes',
        expect: {
          lacks: ['2026-11-11'],
          files: {
            'Journal/2026-11-10.md': journal['Journal/2026-11-10.md'],
            'Journal/2026-11-11.md': undefined,
          },
        },
      },
    ],
  },
  {
    id: 'N18b',
    source: `${issue}: weekly and monthly notes where the vault has settings for them`,
    given: journal,
    steps: [
      {
        call: 'daily_note',
        args: { date: '2026-11-18', period: 'week', text: 'plan' },
        expect: {
          json: { path: 'Weeks/2026-W47.md', created: true },
          files: { 'Weeks/2026-W47.md': '# 2026-W47 from 16 Nov\nplan\n' },
        },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-20', period: 'week' },
        expect: { says: ['plan', '[Weeks/2026-W47.md]'] },
      },
      ...[{ period: 'month' }, { period: 'month', text: 'x' }].map((args) => ({
        call: 'daily_note',
        args,
        expect: { fails: true as const, says: ['monthly', 'Periodic Notes', 'create_note'] },
      })),
    ],
  },
  {
    id: 'N18c',
    source: `${issue}: what daily_note refuses leaves nothing behind`,
    given: {
      ...journal,
      '.obsidian/daily-notes.json': '{"folder":"Journal","template":"Templates/Script"}',
    },
    steps: [
      {
        call: 'daily_note',
        args: { date: '2026-11-11', text: 'x' },
        expect: {
          fails: true,
          says: ['Line 3', 'Templates/Script.md', '<%* … %>', 'JavaScript'],
          files: { 'Journal/2026-11-11.md': undefined },
        },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-10', text: 'x', section: 'Nowhere' },
        expect: { fails: true, files: { 'Journal/2026-11-10.md': '# Tuesday\n\nDentist' } },
      },
      {
        call: 'daily_note',
        args: { date: 'some day' },
        expect: { fails: true, says: ['YYYY-MM-DD'] },
      },
      { call: 'daily_note', args: { section: 'Log' }, expect: { fails: true, says: ['text'] } },
      { call: 'daily_note', args: { period: 'decade' }, expect: { fails: true, says: ['period'] } },
      {
        call: 'daily_note',
        args: { date: '2026-11-10', text: 'x', version: '0'.repeat(64) },
        expect: { fails: true, files: { 'Journal/2026-11-10.md': '# Tuesday\n\nDentist' } },
      },
    ],
  },
  {
    id: 'N18d',
    source: `${issue}: --hide: a daily note that may not be seen is neither read nor made`,
    given: journal,
    options: { hide: ['Journal/**'] },
    steps: [
      {
        call: 'daily_note',
        args: { date: '2026-11-10' },
        expect: { fails: true, says: ['may not see'], lacks: ['Journal', 'Dentist'] },
      },
      {
        call: 'daily_note',
        args: { date: '2026-11-11', text: 'x' },
        expect: { fails: true, lacks: ['Journal'], files: { 'Journal/2026-11-11.md': undefined } },
      },
      {
        call: 'set_frontmatter',
        args: { names: ['Day', '2026-11-10'], properties: { a: 1 } },
        expect: {
          fails: true,
          says: ['2026-11-10'],
          lacks: ['Journal'],
          files: { 'Templates/Day.md': journal['Templates/Day.md'] },
        },
      },
    ],
  },
  {
    id: 'N02e',
    source: `${issue}: new notes from a template; content goes after it, frontmatter over its own; anything but plain Templater commands is refused by name with its line and no file is made`,
    given: journal,
    steps: [
      {
        call: 'create_note',
        args: {
          name: 'Notes/Trip',
          template: 'Day',
          content: 'Packed.',
          frontmatter: '{"mood":5,"with":"Ann"}',
        },
        expect: {
          json: { path: 'Notes/Trip.md', created: true },
          files: {
            'Notes/Trip.md':
              '---\nmood: 5\nwith: Ann\n---\n# Trip\n\n## Log\n\n## Later\nPacked.\n',
          },
        },
      },
      {
        call: 'undo_change',
        args: { session: 'current' },
        expect: { files: { 'Notes/Trip.md': undefined } },
      },
      {
        call: 'create_note',
        args: { name: 'Bad', template: 'Templates/Script.md' },
        expect: { fails: true, says: ['Line 3', '<%*'], files: { 'Bad.md': undefined } },
      },
      {
        call: 'create_note',
        args: { name: 'Bad', template: 'Nothing' },
        expect: { fails: true, says: ['Templates/Week.md'], files: { 'Bad.md': undefined } },
      },
    ],
  },
  {
    id: 'N19a',
    source: `${issue}: set_frontmatter sets several properties of several notes as one change, null removes`,
    given: {
      'A.md': '---\nrating: 7 # out of ten\nold: x\n---\na\n',
      'Sub/B.md': 'b\n',
      'C.md': '---\nrating: 8\n---\n',
    },
    steps: [
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'Sub/B.md'], properties: { rating: '8', old: null }, dry_run: true },
        expect: {
          json: { changed: 2, change: null, dry_run: true },
          says: ['+rating: 8'],
          files: { 'Sub/B.md': 'b\n' },
        },
      },
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'Sub/B.md', 'C'], properties: { rating: '8', old: null } },
        expect: {
          json: { changed: 2, stored: { rating: 8 } },
          files: {
            'A.md': '---\nrating: 8 # out of ten\n---\na\n',
            'Sub/B.md': '---\nrating: 8\n---\nb\n',
          },
        },
      },
      {
        call: 'undo_change',
        args: { session: 'current' },
        expect: {
          files: { 'A.md': '---\nrating: 7 # out of ten\nold: x\n---\na\n', 'Sub/B.md': 'b\n' },
        },
      },
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'Nobody'], properties: { rating: 1 } },
        expect: { fails: true, says: ['Nobody'], files: { 'A.md': /rating: 7/ } },
      },
      ...[
        { names: [], properties: { a: 1 } },
        { names: ['A'], properties: {} },
        { names: ['A'] },
        { names: ['A'], properties: [1] },
        { properties: { a: 1 } },
        { names: Array.from({ length: 501 }, () => 'A'), properties: { a: 1 } },
      ].map((args) => ({
        call: 'set_frontmatter',
        args,
        expect: {
          fails: true as const,
          says: [/name|key|properties/],
          files: { 'A.md': /rating: 7/ },
        },
      })),
    ],
  },
  {
    id: 'N19c',
    source: `${issue}: what a connection sets itself does not make the notes that it has read old`,
    without: {
      'mcp-http 2026-07-28':
        'a request stands for itself there: nobody knows what others were shown',
    },
    given: { 'A.md': 'a\n', 'B.md': 'b\n' },
    steps: [
      { call: 'read_note', args: { name: 'A' }, expect: {} },
      { call: 'read_note', args: { name: 'B' }, expect: {} },
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'B'], properties: { Rating: 1, k: 1, rating: 2 } },
        expect: {
          fails: true,
          says: [/Rating.* and .*rating.* are one property/],
          files: { 'A.md': 'a\n' },
        },
      },
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'B'], properties: { k: 1 } },
        expect: { json: { changed: 2 } },
      },
      ...['A', 'B'].map((name) => ({
        call: 'update_note',
        args: { name, content: 'new\n' },
        expect: { files: { [`${name}.md`]: '---\nk: 1\n---\nnew\n' } },
      })),
    ],
  },
  {
    id: 'N19b',
    source: `${issue}: set_frontmatter checks tags for several notes as for one`,
    given: { 'A.md': '#known\n', 'B.md': '' },
    steps: [
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'B'], properties: { tags: 'fresh' } },
        expect: { fails: true, says: ["'fresh'"], files: { 'A.md': '#known\n', 'B.md': '' } },
      },
      {
        call: 'set_frontmatter',
        args: { names: ['A', 'B'], properties: { tags: ['fresh', 'KNOWN'] }, new_tags: ['fresh'] },
        expect: {
          json: { changed: 2, new_tags: ['fresh'] },
          files: { 'B.md': '---\ntags:\n  - fresh\n  - known\n---\n' },
        },
      },
    ],
  },
  {
    id: 'N10c',
    source: `${issue}: types: the vault's settings, else this note, else most other notes, else what the value says`,
    given: {
      '.obsidian/types.json': '{"types":{"due":"date"}}',
      'A.md': '---\nrating: 7\nlist:\n  - a\nmap:\n  x: 1\n---\n',
      'B.md': '---\nsize: 1\n---\n',
      'C.md': '---\nsize: 2\n---\n',
      'D.md': '---\nsize: big\n---\n',
    },
    steps: [
      ...(
        [
          ['rating', '8', 8],
          ['list', 'b', ['b']],
          ['map', '{"x":2}', { x: 2 }],
          ['size', '3', 3],
          ['new', '42', 42],
          ['new2', '["a", "b"]', ['a', 'b']],
          ['new3', 'true', true],
          ['nested', { a: { b: [1] } }, { a: { b: [1] } }],
          ['due', '2026-11-17', '2026-11-17'],
        ] as const
      ).map(([key, value, stored]) => ({
        call: 'set_frontmatter',
        args: { name: 'A', key, value },
        expect: { json: { key, value: stored } },
      })),
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'due', value: 'soon' },
        expect: { fails: true, says: ['YYYY-MM-DD'], files: { 'A.md': /^due: 2026-11-17$/m } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'rating', value: 'high' },
        expect: { json: { value: 'high' }, says: ['a number in this note'] },
      },
    ],
  },
];
