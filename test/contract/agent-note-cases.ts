import { agent, call } from './agent-step.ts';
import type { ContractCase } from './contract-case.ts';

const seed = 'seed 004';
const issue = 'issue 6';
const options = agent;

/** Reading, writing and deleting one note by its path. */
export const agentNoteCases: readonly ContractCase[] = [
  {
    id: 'A01',
    source: `${seed}: note_read {path} answers {content, exists}, the whole text with properties`,
    given: { 'devlog/x.md': '---\ntags: [devlog]\n---\r\n# X\n\nno last line end' },
    options,
    steps: [
      call(
        'note_read',
        { path: 'devlog/x.md' },
        {
          structuredIs: {
            content: '---\ntags: [devlog]\n---\r\n# X\n\nno last line end',
            exists: true,
          },
        },
      ),
    ],
  },
  {
    id: 'A02',
    source: `${seed}: returns {exists: false, content: ""} if the file does not exist (no error)`,
    given: { 'a/Note.md': 'here' },
    options,
    steps: [
      call('note_read', { path: 'zebra.md' }, { structuredIs: { content: '', exists: false } }),
      call('note_read', { path: 'a' }, { structuredIs: { content: '', exists: false } }),
      // Issue 18: names the closest notes when the path does not exist.
      ...['Note.md', 'a/Note', 'a/Nte.md'].map((path) =>
        call(
          'note_read',
          { path },
          { structuredIs: { content: '', exists: false, closest: ['a/Note.md'] } },
        ),
      ),
    ],
  },
  {
    id: 'A03',
    source: `${seed}: path traversal (..) is rejected with an error`,
    given: { 'x.md': '' },
    options,
    steps: [
      ...['../x.md', 'a/../../x.md', '/etc/passwd', '/x.md', './x.md', 'a\\..\\x.md'].flatMap(
        (path) => [
          call('note_read', { path }, { fails: true, says: ['path'] }),
          call('note_upsert', { path, content: '' }, { fails: true, says: ['path'] }),
          call('note_delete', { path }, { fails: true, says: ['path'] }),
        ],
      ),
      call('backlinks_search', { path: '../x.md' }, { fails: true, says: ['..'] }),
      call('graph_neighbors', { path: '../x.md' }, { fails: true, says: ['..'] }),
      call('link_add', { from: 'x.md', to: '../x.md' }, { fails: true, says: ['..'] }),
    ],
  },
  {
    id: 'A04',
    source: `${issue}: a note over the limit is never cut silently; issue 18: section, offset, limit and a default limit`,
    given: {
      'long.md': `# A\n${'line\n'.repeat(20_000)}## B\nbee\n### C\nsea\n## D\nend\n`,
      'wide.md': 'x'.repeat(1024 * 1024 + 1),
    },
    options,
    steps: [
      call(
        'note_read',
        { path: 'long.md' },
        { json: { exists: true }, says: ['"truncated":"Lines 1-', '"next_offset":'] },
      ),
      call(
        'note_read',
        { path: 'long.md', offset: 20_001, limit: 2 },
        {
          structuredIs: {
            content: '## B\nbee\n',
            exists: true,
            truncated: 'Lines 20002-20003, up to 20007: go on with offset=20003, limit=4.',
            next_offset: 20_003,
          },
        },
      ),
      call(
        'note_read',
        { path: 'long.md', section: 'A > B' },
        { structuredIs: { content: 'bee\n### C\nsea\n', exists: true } },
      ),
      call('note_read', { path: 'long.md', limit: 20_001 }, { says: ['go on with offset=20001'] }),
      call('note_read', { path: 'long.md', section: 'Z' }, { fails: true, says: ['A > B'] }),
      call('note_read', { path: 'long.md', section: 'B', offset: 1 }, { fails: true }),
      call('note_read', { path: 'wide.md' }, { says: ['Line 1 is cut after', 'skip='] }),
      call(
        'note_read',
        { path: 'wide.md', skip: 1024 * 1024 },
        { structuredIs: { content: 'x', exists: true } },
      ),
    ],
  },
  {
    id: 'A05',
    source: `${seed}: on create: writes frontmatter (YAML) + content, created: true; parent directories are created automatically`,
    given: {},
    options,
    steps: [
      call(
        'note_upsert',
        {
          path: 'devlog/2026/x.md',
          content: '# X',
          frontmatter: { tags: ['devlog'], created: '2026-02-20', related: [] },
        },
        {
          structuredIs: { created: true },
          files: {
            'devlog/2026/x.md':
              "---\ntags:\n  - devlog\ncreated: '2026-02-20'\nrelated: []\n---\n# X\n",
          },
        },
      ),
    ],
  },
  {
    id: 'A06',
    source: `${seed}: on append: appends \\n + content to the end of the existing file; frontmatter is ignored; created: false`,
    given: { 'x.md': '---\na: 1\n---\nText', 'crlf.md': 'A\r\n' },
    options,
    steps: [
      call(
        'note_upsert',
        { path: 'x.md', content: 'More', frontmatter: { a: 2 } },
        { structuredIs: { created: false }, files: { 'x.md': '---\na: 1\n---\nText\nMore' } },
      ),
      call(
        'note_upsert',
        { path: 'crlf.md', content: 'B\n' },
        { structuredIs: { created: false }, files: { 'crlf.md': 'A\r\n\nB\n' } },
      ),
      call(
        'note_upsert',
        { path: 'x.md', content: '' },
        { structuredIs: { created: false }, files: { 'x.md': '---\na: 1\n---\nText\nMore\n' } },
      ),
    ],
  },
  {
    id: 'A07',
    source: `${issue}: path is the exact vault-relative file, never resolved by name`,
    given: { 'Sub/Note.md': 'there' },
    options,
    steps: [
      call(
        'note_upsert',
        { path: 'Note.md', content: 'here' },
        {
          structuredIs: { created: true },
          files: { 'Note.md': 'here\n', 'Sub/Note.md': 'there' },
        },
      ),
      call(
        'note_upsert',
        { path: 'sub/note.md', content: '' },
        { fails: true, says: ['"Sub/note.md"'] },
      ),
      call(
        'note_upsert',
        { path: 'Sub/NOTE.md', content: '' },
        { fails: true, says: ['"Sub/Note.md"'], files: { 'Sub/Note.md': 'there' } },
      ),
      call(
        'note_upsert',
        { path: 'Sub/Note', content: 'x' },
        { fails: true, says: ['"Sub/Note.md"'], files: { 'Sub/Note.md': 'there' } },
      ),
      call(
        'note_upsert',
        { path: 'v1.2 plan', content: 'x' },
        { fails: true, says: ['"v1.2 plan.md"'], files: { 'v1.2 plan.md': undefined } },
      ),
      call(
        'note_delete',
        { path: 'Sub/Note' },
        { structuredIs: { deleted: false }, files: { 'Sub/Note.md': 'there' } },
      ),
      ...['backlinks_search', 'graph_neighbors'].map((tool) =>
        call(tool, { path: 'Sub/Note' }, { fails: true, says: ['"Sub/Note.md"'] }),
      ),
      call('backlinks_search', { path: 'Qqqqq.md' }, { fails: true, says: ['find its path'] }),
      call(
        'link_add',
        { from: 'Sub/Note', to: 'Note.md' },
        { fails: true, says: ['"Sub/Note.md"'] },
      ),
      call(
        'link_add',
        { from: 'Note.md', to: 'Sub/Note' },
        { fails: true, says: ['"Sub/Note.md"'], files: { 'Note.md': 'here\n' } },
      ),
    ],
  },
  {
    id: 'A08',
    source: `design §2: note toolsets create nothing but .md, .canvas and .base; dot folders are nobody's`,
    given: { 'pic.png': 'bytes', '.obsidian/app.json': '{}', 'board.canvas': '{}' },
    options,
    steps: [
      call(
        'note_upsert',
        { path: 'x.js', content: 'x' },
        { fails: true, says: ['.md'], files: { 'x.js': undefined, 'x.js.md': undefined } },
      ),
      call(
        'note_upsert',
        { path: '.obsidian/plugins/x.md', content: 'x' },
        { fails: true, says: ['dot'], files: { '.obsidian/plugins/x.md': undefined } },
      ),
      call(
        'note_read',
        { path: '.obsidian/app.json' },
        { structuredIs: { content: '', exists: false } },
      ),
      call('note_read', { path: 'pic.png' }, { fails: true, says: ['attachment'] }),
      call('note_delete', { path: 'pic.png' }, { fails: true, files: { 'pic.png': 'bytes' } }),
      call(
        'note_upsert',
        { path: 'board.canvas', content: 'x' },
        { fails: true, files: { 'board.canvas': '{}' } },
      ),
      call('note_upsert', { path: 'devlog/', content: 'x' }, { fails: true, says: ['folder'] }),
    ],
  },
  {
    id: 'A09',
    source: `${issue}: note_delete {path} answers {deleted} (to the trash)`,
    given: { 'a/x.md': 'gone', 'y.md': 'a link to [[x]]' },
    options,
    steps: [
      call(
        'note_delete',
        { path: 'a/x.md' },
        {
          structuredIs: { deleted: true },
          files: { 'a/x.md': undefined, '.trash/x.md': 'gone', 'y.md': 'a link to [[x]]' },
        },
      ),
      call('note_delete', { path: 'a/x.md' }, { structuredIs: { deleted: false } }),
    ],
  },
];
