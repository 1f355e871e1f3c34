import type { ContractCase } from './contract-case.ts';

const notes = 'seed 003';
const issue = 'issue 4';

/** The vault of the seed's example, with these tags. */
const tagged = {
  'Tags.md': '---\ntags: [vc, vc/project, Person, Organization, dns, Fingular]\n---\n#claude\n',
  'A.md': 'text\n',
};

/** The tag policy, and the clarifications about single tools. */
export const tagCases: readonly ContractCase[] = [
  {
    id: 'NT01',
    source: `${notes}: Tag 'career' not in allowed list. Allowed: …. Ask user before creating new tags.`,
    given: tagged,
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: '{"tags":["career"]}' },
        expect: {
          fails: true,
          says: [
            /Tag 'career' not in allowed list\. Allowed: .*\bclaude\b.*\. Ask user before creating new tags\./,
            'vc/project',
            'Person',
            'Fingular',
            'new_tags',
          ],
          files: { 'B.md': undefined },
        },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: 'career' },
        expect: {
          fails: true,
          says: ["Tag 'career' not in allowed list."],
          files: { 'A.md': 'text\n' },
        },
      },
      {
        call: 'create_note',
        args: { name: 'B', content: '---\ntags: [career]\n---\n' },
        expect: { fails: true, says: ["'career'"], files: { 'B.md': undefined } },
      },
    ],
  },
  {
    id: 'NT02',
    source: `${issue}: the tags of the vault are allowed; case and # are ignored and the vault's spelling is written`,
    given: tagged,
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['#PERSON', 'claude'] } },
        expect: { files: { 'B.md': /- Person\n\s*- claude\n/ } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: 'FINGULAR, VC/Project' },
        expect: {
          json: { value: ['Fingular', 'vc/project'] },
          files: { 'A.md': /- Fingular\n\s*- vc\/project\n/ },
        },
      },
    ],
  },
  {
    id: 'NT02b',
    source: 'issue 17: the tag claude obeys the tag policy like any other',
    given: { 'A.md': '#vc\n' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['claude'] } },
        expect: {
          fails: true,
          says: ["Tag 'claude' not in allowed list. Allowed: vc."],
          files: { 'B.md': undefined },
        },
      },
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['claude'] }, new_tags: ['claude'] },
        expect: { json: { new_tags: ['claude'] } },
      },
    ],
  },
  {
    id: 'NT03',
    source: `${issue}: new_tags takes the tags the user has just agreed to`,
    given: tagged,
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] }, new_tags: ['career'] },
        expect: { json: { path: 'B.md', new_tags: ['career'] }, files: { 'B.md': /career/ } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: ['career'] },
        expect: { json: { value: ['career'] } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: ['career', 'hobby'], new_tags: ['other'] },
        expect: { fails: true, says: ["'hobby'"] },
      },
    ],
  },
  {
    id: 'NT04',
    source: `${issue}: with the closest tags first, in full up to 200 tags, then … and N more`,
    given: {
      'Many.md': Array.from({ length: 250 }, (_, n) => `#t${n + 100}`).join(' '),
      'Close.md': '#careers',
    },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] } },
        expect: { fails: true, says: [/Allowed: careers, /, /… and 51 more/] },
      },
    ],
  },
  {
    id: 'NT05',
    source:
      'issue 18: a new tag in the body is treated like one in the properties, by every tool that writes',
    given: tagged,
    steps: [
      {
        call: 'append_note',
        args: { name: 'A', text: 'about #career and #vc' },
        expect: {
          fails: true,
          says: ["Tag 'career' not in allowed list.", 'new_tags'],
          files: { 'A.md': 'text\n' },
        },
      },
      ...(
        [
          ['create_note', { name: 'N', content: 'about #career' }],
          ['insert_note', { name: 'A', text: '#career', after: 'text' }],
          ['replace_note', { name: 'A', old_text: 'text', new_text: '#career' }],
          ['update_note', { name: 'A', content: 'all of it #career' }],
        ] as const
      ).map(([call, args]) => ({
        call,
        args,
        expect: {
          fails: true as const,
          says: ["'career' not in allowed list"],
          files: { 'A.md': 'text\n', 'N.md': undefined },
        },
      })),
      {
        call: 'append_note',
        args: { name: 'A', text: 'about #career and #vc', new_tags: ['career'] },
        expect: { json: { new_tags: ['career'] }, files: { 'A.md': /#career/ } },
      },
      {
        call: 'append_note',
        args: { name: 'A', text: '`#code` #dns' },
        expect: { lacks: ['new_tags'] },
      },
    ],
  },
  {
    id: 'NT06',
    source: `${issue}: --tag-policy strict refuses inline ones too`,
    given: tagged,
    options: { tagPolicy: 'strict' },
    steps: [
      {
        call: 'append_note',
        args: { name: 'A', text: 'about #career' },
        expect: {
          fails: true,
          says: ["Tag 'career' not in allowed list."],
          files: { 'A.md': 'text\n' },
        },
      },
      { call: 'append_note', args: { name: 'A', text: 'about #DNS' }, expect: {} },
    ],
  },
  {
    id: 'NT07',
    source: `${issue}: --tag-policy warn refuses nothing and reports`,
    given: tagged,
    options: { tagPolicy: 'warn' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] } },
        expect: { json: { new_tags: ['career'] }, files: { 'B.md': /career/ } },
      },
    ],
  },
  {
    id: 'NT08',
    source: `${issue}: --tag-policy off`,
    without: {
      'mcp-http 2026-07-28':
        'no result is the first of a connection there, so none has auto-context',
    },
    given: tagged,
    options: { tagPolicy: 'off' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] } },
        expect: { lacks: ['new_tags'], files: { 'B.md': /career/ } },
      },
      {
        on: 'fresh',
        call: 'list_notes',
        expect: { context: ['No personal notes'], contextLacks: ['new_tags'] },
      },
    ],
  },
  {
    id: 'NT09',
    source: `${issue}: a client that supports elicitation is asked instead; yes writes the tag`,
    without: {
      'stdio-bridge 2025-11-25': 'Bridge v1 cannot ask the person behind the client',
      'stdio-bridge 2026-07-28': 'Bridge v1 cannot ask the person behind the client',
    },
    given: tagged,
    options: { person: 'agrees' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] } },
        expect: { json: { path: 'B.md', new_tags: ['career'] }, files: { 'B.md': /career/ } },
      },
    ],
  },
  {
    id: 'NT10',
    source: `${issue}: when the user declines, the refusal stands`,
    given: tagged,
    options: { person: 'declines' },
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tags: ['career'] } },
        expect: {
          fails: true,
          says: ["Tag 'career' not in allowed list."],
          files: { 'B.md': undefined },
        },
      },
    ],
  },
  {
    id: 'NT11',
    source: `${notes}: all unique tags of the vault at the time of the call`,
    given: tagged,
    steps: [
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: 'fresh' },
        expect: { fails: true },
      },
      { edit: { 'New.md': '#fresh\n' } },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: 'fresh' },
        eventually: true,
        expect: { json: { value: ['fresh'] } },
      },
    ],
  },
  {
    id: 'NQ02',
    source: `${notes} Q2: frontmatter is a JSON string, parsed by the server`,
    given: {},
    steps: [
      {
        call: 'create_note',
        args: { name: 'A', frontmatter: '{"aliases":["x: y"],"n":1}' },
        expect: { files: { 'A.md': /^---\naliases:\n\s*- "x: y"\nn: 1\n---\n/ } },
      },
    ],
  },
  {
    id: 'NQ08',
    source: `${notes} Q8: JSON with the number of replacements`,
    given: { 'A.md': 'x x x\n' },
    steps: [
      {
        call: 'replace_note',
        args: { name: 'A', old_text: 'x', new_text: 'y', replace_all: true },
        expect: { json: { replaced: 3 } },
      },
    ],
  },
  {
    id: 'NQ09',
    source: `${notes} Q9: both given or both empty is an error with a clear message`,
    given: { 'A.md': 'x\n' },
    steps: [
      {
        call: 'insert_note',
        args: { name: 'A', text: 't', before: 'x', after: 'x' },
        expect: { fails: true, says: ["Exactly one of 'before' or 'after' must be provided"] },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: 't' },
        expect: { fails: true, says: ["Exactly one of 'before' or 'after' must be provided"] },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: 't', before: '', after: '' },
        expect: { fails: true, says: ["Exactly one of 'before' or 'after' must be provided"] },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: 't', before: '', after: 'x' },
        expect: { files: { 'A.md': 'x\nt\n' } },
      },
    ],
  },
  {
    id: 'NQ10',
    source: `${notes} Q10: read_section answers with plain text`,
    given: { 'A.md': '## S\n\n{"not":"wrapped"}\n' },
    steps: [
      {
        call: 'read_section',
        args: { name: 'A', section: 'S' },
        expect: { says: [/^\s*\{"not":"wrapped"\}\s*$/] },
      },
    ],
  },
  {
    id: 'NQ15',
    source: `${notes} Q15: names only, at most 100 by default, limit and offset to page`,
    given: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f/n${n + 100}.md`, ''])),
    steps: [
      {
        call: 'list_notes',
        expect: {
          json: { total: 120, next_offset: 100 },
          says: ['"n199"'],
          lacks: ['"n200"', 'f/'],
        },
      },
      {
        call: 'list_notes',
        args: { offset: 100 },
        expect: { says: ['"n200"', '"n219"'], lacks: ['next_offset'] },
      },
      { call: 'list_notes', args: { limit: 2 }, expect: { json: { notes: ['n100', 'n101'] } } },
    ],
  },
  {
    id: 'NQ16',
    source: `${notes} Q16: create_note and set_frontmatter check tags in code, before anything is written`,
    given: tagged,
    steps: [
      {
        call: 'create_note',
        args: { name: 'B', content: 'x', frontmatter: '{"tags":["vc","career","job"]}' },
        expect: {
          fails: true,
          says: [
            "'career'",
            "'job'",
            'not in allowed list. Allowed: ',
            'Ask user before creating new tags.',
          ],
          files: { 'B.md': undefined },
        },
      },
      {
        call: 'create_note',
        args: { name: 'B', frontmatter: { tag: 'career' } },
        expect: { fails: true, files: { 'B.md': undefined } },
      },
    ],
  },
];
