import { agent, call } from './agent-step.ts';
import type { ContractCase } from './contract-case.ts';

const seed = 'seed 004';
const issue = 'issue 6';
const options = agent;

const graph = {
  'A.md': '[[B]] and [[C]]\n',
  'B.md': '# B\n\nback to [[A]]\n',
  'C.md': '[[D]]\n',
  'D.md': '',
};

/** Search, links and the graph. */
export const agentFindingCases: readonly ContractCase[] = [
  {
    id: 'A10',
    source: `${seed}: vault_search {query, path_filter?} answers {results: [{path, line, text}]}, path relative to VAULT_PATH`,
    given: { 'devlog/a.md': 'one\ntwo two\n', 'adr/b.md': 'two\n' },
    options,
    steps: [
      call(
        'vault_search',
        { query: '^t[w]o' },
        {
          structuredIs: {
            results: [
              { path: 'adr/b.md', line: 1, text: 'two' },
              { path: 'devlog/a.md', line: 2, text: 'two two' },
            ],
            truncated: false,
          },
        },
      ),
      call(
        'vault_search',
        { query: 'two', path_filter: 'devlog/*.md' },
        {
          structuredIs: {
            results: [{ path: 'devlog/a.md', line: 2, text: 'two two' }],
            truncated: false,
          },
        },
      ),
    ],
  },
  {
    id: 'A11',
    source: `${seed}: returns {results: []} when no matches found; ${issue}: a bad expression is a clear error`,
    given: { 'a.md': 'one\n' },
    options,
    steps: [
      call(
        'vault_search',
        { query: 'nothing' },
        { structuredIs: { results: [], truncated: false } },
      ),
      call('vault_search', { query: '(' }, { fails: true, says: ['unclosed group'] }),
    ],
  },
  {
    id: 'A12',
    source: `${issue}: link_add {from, to, heading?, alias?}`,
    given: { 'a.md': '# A\n', 'sub/b.md': '# Some heading\n' },
    options,
    steps: [
      call(
        'link_add',
        { from: 'a.md', to: 'sub/b.md' },
        { structuredIs: { added: true, line: 2 }, files: { 'a.md': '# A\n[[b]]\n' } },
      ),
      call(
        'link_add',
        { from: 'a.md', to: 'sub/b.md' },
        { structuredIs: { added: false, line: 2 }, files: { 'a.md': '# A\n[[b]]\n' } },
      ),
      call(
        'link_add',
        { from: 'a.md', to: 'sub/b.md', heading: 'Some heading', alias: 'there' },
        {
          structuredIs: { added: true, line: 3 },
          files: { 'a.md': '# A\n[[b]]\n[[b#Some heading|there]]\n' },
        },
      ),
      call('link_add', { from: 'a.md', to: 'b.md' }, { fails: true, says: ['sub/b.md'] }),
      call(
        'link_add',
        { from: 'a.md', to: 'sub/b.md', heading: 'Other' },
        { fails: true, says: ['heading'] },
      ),
    ],
  },
  {
    id: 'A13',
    source: `${issue}: backlinks_search {path} with the lines`,
    given: graph,
    options,
    steps: [
      call(
        'backlinks_search',
        { path: 'A.md' },
        {
          structuredIs: {
            total: 1,
            truncated: false,
            backlinks: [{ path: 'B.md', line: 3, text: 'back to [[A]]' }],
          },
        },
      ),
      { edit: { 'B.md': 'new first line\n\n# B\n\nback to [[A]] again\n' } },
      {
        call: 'backlinks_search',
        args: { path: 'A.md' },
        eventually: true,
        expect: { json: { backlinks: [{ path: 'B.md', line: 5, text: 'back to [[A]] again' }] } },
      },
      call('backlinks_search', { path: 'none.md' }, { fails: true, says: ['none.md'] }),
    ],
  },
  {
    id: 'A14',
    source: `${issue}: graph_neighbors {path, depth?, direction?, limit?} with nodes and edges`,
    given: graph,
    options,
    steps: [
      call(
        'graph_neighbors',
        { path: 'A.md' },
        {
          structuredIs: {
            nodes: [
              { path: 'A.md', depth: 0 },
              { path: 'B.md', depth: 1 },
              { path: 'C.md', depth: 1 },
            ],
            edges: [
              { from: 'A.md', to: 'B.md' },
              { from: 'A.md', to: 'C.md' },
              { from: 'B.md', to: 'A.md' },
            ],
            truncated: false,
          },
        },
      ),
      call(
        'graph_neighbors',
        { path: 'D.md', depth: 2, direction: 'in' },
        {
          structuredIs: {
            nodes: [
              { path: 'D.md', depth: 0 },
              { path: 'C.md', depth: 1 },
              { path: 'A.md', depth: 2 },
            ],
            edges: [
              { from: 'A.md', to: 'C.md' },
              { from: 'C.md', to: 'D.md' },
            ],
            truncated: false,
          },
        },
      ),
      call('graph_neighbors', { path: 'A.md', limit: 1 }, { json: { truncated: true } }),
      call('graph_neighbors', { path: 'none.md' }, { fails: true, says: ['none.md'] }),
    ],
  },
];
