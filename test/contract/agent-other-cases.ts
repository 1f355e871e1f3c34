import { agentCalls } from './agent-calls.ts';
import { agent, call } from './agent-step.ts';
import type { ContractCase } from './contract-case.ts';

const issue = 'issue 6';
const options = agent;

/** The tools that need no configuration: all but vault_sync and adr_publish, which have no calls. */
const listed = agentCalls.filter(({ calls }) => calls.length > 0);

/** What is listed, who may do what, and the prompts. */
export const agentOtherCases: readonly ContractCase[] = [
  {
    id: 'A15',
    source: `${issue}: vault_sync and adr_publish are listed only when configured`,
    given: {},
    options,
    steps: [
      {
        list: true,
        expect: {
          names: listed.map(({ tool }) => tool),
        },
      },
    ],
  },
  {
    id: 'A16',
    source: `design §4: read-only mode leaves writing tools out of the list and refuses them all the same`,
    given: { 'x.md': 'x' },
    options: { ...options, readOnly: true },
    steps: [
      {
        list: true,
        expect: {
          names: listed.filter(({ effect }) => effect === 'read').map(({ tool }) => tool),
        },
      },
      call('note_upsert', { path: 'x.md', content: 'y' }, { fails: true, files: { 'x.md': 'x' } }),
      call('note_delete', { path: 'x.md' }, { fails: true, files: { 'x.md': 'x' } }),
      call('link_add', { from: 'x.md', to: 'x.md' }, { fails: true, files: { 'x.md': 'x' } }),
      call('adr_create', { title: 'T', content: 'x' }, { fails: true }),
      call('devlog_append', { topic: 'T', entry: 'x' }, { fails: true }),
      { instructions: true, expect: { says: ['Nothing can be changed'], lacks: ['note_upsert'] } },
    ],
  },
  {
    id: 'A17',
    source: `design §4: what is hidden is absent from lists, search, links and graph`,
    given: { 'open.md': '[[secret]]\n', 'private/secret.md': '[[open]] word\n' },
    options: { ...options, hide: ['private'] },
    steps: [
      call(
        'note_read',
        { path: 'private/secret.md' },
        { structuredIs: { content: '', exists: false } },
      ),
      call(
        'note_delete',
        { path: 'private/secret.md' },
        { structuredIs: { deleted: false }, files: { 'private/secret.md': '[[open]] word\n' } },
      ),
      call('note_upsert', { path: 'private/secret.md', content: 'x' }, { fails: true }),
      call('note_upsert', { path: 'private/new.md', content: 'x' }, { fails: true }),
      call('vault_search', { query: 'word' }, { structuredIs: { results: [], truncated: false } }),
      call(
        'backlinks_search',
        { path: 'open.md' },
        { structuredIs: { total: 0, truncated: false, backlinks: [] } },
      ),
      call(
        'graph_neighbors',
        { path: 'open.md' },
        {
          structuredIs: { nodes: [{ path: 'open.md', depth: 0 }], edges: [], truncated: false },
        },
      ),
      call('link_add', { from: 'open.md', to: 'private/secret.md' }, { fails: true }),
    ],
  },
  {
    id: 'A18',
    source: `${issue}: no tag policy here`,
    given: {},
    options,
    steps: [
      call(
        'note_upsert',
        { path: 'x.md', content: '#unheard-of', frontmatter: { tags: ['brand-new'] } },
        { structuredIs: { created: true } },
      ),
    ],
  },
  {
    id: 'A19',
    source: `${issue}: the folder conventions of the seed as MCP prompts: a devlog that does not exist, and one that does`,
    given: { 'devlog/old-topic.md': '# Old topic\n' },
    options,
    steps: [
      {
        prompt: 'devlog',
        args: { topic: 'New topic!', project: 'vaultdoor', entry: 'It works.' },
        expect: {
          says: [
            '"path": "devlog/new-topic.md"',
            '"topic": "new-topic"',
            '"project": "vaultdoor"',
            'It works.',
            /"created": "\d{4}-\d\d-\d\d"/,
            /"updated": "\d{4}-\d\d-\d\d"/,
            /"tags": \[\s*"devlog"\s*\]/,
          ],
        },
      },
      {
        prompt: 'devlog',
        args: { topic: 'Old Topic' },
        expect: { says: ['"path": "devlog/old-topic.md"', 'exists'], lacks: ['frontmatter'] },
      },
    ],
  },
  {
    id: 'A20',
    source: `${issue}: the next ADR number and the index row come from the vault`,
    given: {
      'adr/ADR-001-first.md': '',
      'adr/ADR-007-seventh.md': '',
      'adr/notes.md': '',
      '_index.md':
        '# Decisions\n\n| ADR | Title | Status |\n|---|---|---|\n| [[ADR-001-first]] | First | accepted |',
    },
    options,
    steps: [
      {
        prompt: 'adr',
        args: { title: 'Use SQLite', project: 'vaultdoor', status: 'proposed' },
        expect: {
          says: [
            '"path": "adr/ADR-008-use-sqlite.md"',
            '"adr": 8',
            '"status": "proposed"',
            /"tags": \[\s*"adr",\s*"proposed"\s*\]/,
            '"related": []',
            '"content": "| [[ADR-008-use-sqlite]] | Use SQLite | proposed |"',
            'ADR-007-seventh',
          ],
          lacks: ['does not exist'],
        },
      },
    ],
  },
];
