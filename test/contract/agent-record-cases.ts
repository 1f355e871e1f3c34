import { agent, call } from './agent-step.ts';
import type { ContractCase } from './contract-case.ts';

const issue = 'issue 18';
const options = agent;
const day = String.raw`\d{4}-\d\d-\d\d`;

/** Decisions and devlogs that the server writes, and notes with the tag `claude`. */
export const agentRecordCases: readonly ContractCase[] = [
  {
    id: 'A30',
    source: `${issue}: adr_create gives the next number, by the conventions of the seed`,
    given: {
      'adr/ADR-001-first.md': '',
      'adr/ADR-007-seventh.md': '',
      'adr/notes.md': '',
      '_index.md':
        '# Decisions\n\n| ADR | Title | Status |\n|---|---|---|\n| 1 | First | accepted |\n',
    },
    options,
    steps: [
      call(
        'adr_create',
        {
          title: 'Use SQLite | yes',
          content: '## Context\n\nWhy.\n',
          project: 'vaultdoor',
          status: 'proposed',
          related: ['[[ADR-001-first]]', 'adr/ADR-007-seventh.md'],
        },
        {
          structuredIs: { path: 'adr/ADR-008-use-sqlite-yes.md', adr: 8 },
          files: {
            'adr/ADR-008-use-sqlite-yes.md': new RegExp(
              String.raw`^---\ntags:\n  - adr\n  - proposed\nadr: 8\ndate: ${day}\nstatus: proposed\nproject: vaultdoor\nrelated:\n  - "\[\[ADR-001-first\]\]"\n  - "\[\[ADR-007-seventh\]\]"\n---\n# ADR-008: Use SQLite \| yes\n\n## Context\n\nWhy.\n$`,
            ),
            '_index.md':
              '# Decisions\n\n| ADR | Title | Status |\n|---|---|---|\n| 1 | First | accepted |\n| [[ADR-008-use-sqlite-yes]] | Use SQLite \\| yes | proposed |\n',
          },
        },
      ),
      call('adr_create', { title: 'Use SQLite | yes', content: 'x' }, { json: { adr: 9 } }),
    ],
  },
  {
    id: 'A31',
    source: `${issue}: the first decision also starts the index, so that a row appended by hand follows`,
    given: {},
    options,
    steps: [
      call('adr_create', { title: 'A', content: 'x' }, { json: { path: 'adr/ADR-001-a.md' } }),
      call('adr_create', { title: 'B', content: 'x', project: 'p' }, { json: { adr: 2 } }),
      call(
        'note_upsert',
        { path: '_index.md', content: '| 3 |' },
        {
          json: { created: false },
          files: {
            '_index.md': new RegExp(
              String.raw`^# Decisions\n\n\| ADR \| Title \| Status \| Date \| Project \|\n\| --- .*\|\n\| \[\[ADR-001-a\]\] \| A \| accepted \| ${day} \|  \|\n\| \[\[ADR-002-b\]\] \| B \| accepted \| ${day} \| p \|\n\| 3 \|$`,
            ),
          },
        },
      ),
    ],
  },
  {
    id: 'A32',
    source: `${issue}: adr_create and devlog_append refuse what they cannot name, and change nothing`,
    given: { '_index.md': 'x' },
    options,
    steps: [
      ...[
        { content: 'x' },
        { title: '', content: 'x' },
        { title: '…', content: 'x' },
        { title: 'T' },
        { title: 'T', content: '' },
        { title: 'T', content: 'x', status: 'rejected' },
        { title: 'T', content: 'x', related: 'y' },
      ].map((args) =>
        call('adr_create', args, {
          fails: true,
          files: { '_index.md': 'x', 'adr/ADR-001-t.md': undefined },
        }),
      ),
      ...[
        { entry: 'x' },
        { topic: 'T' },
        { topic: '../..', entry: 'x' },
        { topic: 'T', entry: '' },
      ].map((args) =>
        call('devlog_append', args, { fails: true, files: { 'devlog/t.md': undefined } }),
      ),
    ],
  },
  {
    id: 'A33',
    source: `${issue}: devlog_append makes a devlog by the conventions, then appends to it`,
    given: {
      'devlog/Old.md':
        '---\nupdated: 2020-01-01 # mine\n---\r\n# Old\r\n\r\n## 2020-01-01\r\n\r\nBegun.',
      'devlog/broken.md': '---\na: [\n---\nText',
    },
    options,
    steps: [
      call(
        'devlog_append',
        { topic: 'New topic!', entry: 'First.\n', project: 'vaultdoor' },
        { structuredIs: { path: 'devlog/new-topic.md', created: true } },
      ),
      call(
        'devlog_append',
        { topic: 'new topic', entry: 'Second.' },
        {
          structuredIs: { path: 'devlog/new-topic.md', created: false },
          files: {
            'devlog/new-topic.md': new RegExp(
              String.raw`^---\ntags:\n  - devlog\ntopic: new-topic\nproject: vaultdoor\ncreated: ${day}\nupdated: ${day}\n---\n# New topic!\n\n## ${day}\n\nFirst.\n\nSecond.\n$`,
            ),
          },
        },
      ),
      call(
        'devlog_append',
        { topic: 'old', entry: 'More.\nLines.' },
        {
          structuredIs: { path: 'devlog/Old.md', created: false },
          files: {
            'devlog/Old.md': new RegExp(
              String.raw`^---\nupdated: (?!2020)${day} # mine\n---\r\n# Old\r\n\r\n## 2020-01-01\r\n\r\nBegun\.\r\n\r\n## ${day}\r\n\r\nMore\.\r\nLines\.\r\n$`,
            ),
          },
        },
      ),
      call(
        'devlog_append',
        { topic: 'broken', entry: 'x' },
        {
          json: { created: false },
          says: ['was not set'],
          files: { 'devlog/broken.md': /Text\n\n## .*\n\nx\n$/ },
        },
      ),
    ],
  },
  {
    id: 'A34',
    source: `${issue}: adr_create never gives the number of a hidden record, and changes nothing that is hidden`,
    given: { 'adr/ADR-005-x.md': '', '_index.md': 'kept', 'devlog/x.md': 'kept' },
    options: { ...options, hide: ['_index.md', 'devlog/**', 'adr/ADR-005*'] },
    steps: [
      call(
        'adr_create',
        { title: 'T', content: 'x' },
        { json: { adr: 6 }, says: ['may not see'], files: { '_index.md': 'kept' } },
      ),
      call(
        'devlog_append',
        { topic: 'x', entry: 'y' },
        { fails: true, files: { 'devlog/x.md': 'kept' } },
      ),
    ],
  },
  {
    id: 'A35',
    source: `${issue}: a note with the tag claude and without description is answered with a request for it`,
    given: {},
    options,
    steps: [
      call(
        'note_upsert',
        { path: 'a.md', content: 'x', frontmatter: { tags: ['claude'] } },
        { json: { created: true }, says: ['\\"description\\"', 'note_upsert'] },
      ),
      call('note_upsert', { path: 'a.md', content: 'x' }, { structuredIs: { created: false } }),
      call(
        'note_upsert',
        { path: 'b.md', content: 'x', frontmatter: { tags: 'claude', description: 'Read first.' } },
        { structuredIs: { created: true } },
      ),
    ],
  },
  {
    id: 'A36',
    source: `${issue}: under strict it is refused`,
    given: {},
    options: { ...options, tagPolicy: 'strict' },
    steps: [
      call(
        'note_upsert',
        { path: 'a.md', content: 'x', frontmatter: { tags: ['claude/me'] } },
        { fails: true, says: ['"description"'], files: { 'a.md': undefined } },
      ),
      call(
        'note_upsert',
        { path: 'a.md', content: 'x', frontmatter: { tags: ['new'] } },
        { structuredIs: { created: true } },
      ),
    ],
  },
];
