import type { ToolRow } from './tool-row.ts';

/**
 * Every tool of the agent toolset on `examples/vault`, in an order in which all calls succeed. Those
 * that need rclone or a git checkout have no call here: `npm run test:sync` runs them.
 */
export const agentCalls: readonly ToolRow[] = [
  {
    tool: 'note_read',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ path: 'Home.md' }, 'Hello, future me.']],
  },
  {
    tool: 'note_upsert',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ path: 'Trial.md', content: '# Trial' }, '"created":true']],
  },
  {
    tool: 'note_delete',
    effect: 'destroy',
    isOfSeed: true,
    calls: [[{ path: 'Trial.md' }, '"deleted":true']],
  },
  {
    tool: 'vault_search',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ query: 'polders' }, '"path"']],
    namesNoNote: true,
  },
  {
    tool: 'link_add',
    effect: 'write',
    isOfSeed: true,
    calls: [[{ from: 'Home.md', to: 'Recipes/Sourdough.md' }, '"added":true']],
  },
  {
    tool: 'backlinks_search',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ path: 'Areas/Cycling.md' }, 'Home.md']],
  },
  {
    tool: 'graph_neighbors',
    effect: 'read',
    isOfSeed: true,
    calls: [[{ path: 'Home.md' }, 'Areas/Cycling.md']],
  },
  {
    tool: 'adr_create',
    effect: 'write',
    calls: [
      [
        { title: 'Use SQLite', content: '## Context' },
        '"path":"adr/ADR-001-use-sqlite.md","adr":1',
      ],
      [{ title: 'Use SQLite', content: '## Context' }, '"adr":2'],
    ],
  },
  {
    tool: 'devlog_append',
    effect: 'write',
    calls: [
      [{ topic: 'The index', entry: 'Begun.' }, '"path":"devlog/the-index.md","created":true'],
      [{ topic: 'the Index!', entry: 'Done.' }, '"created":false'],
    ],
  },
  { tool: 'vault_sync', effect: 'destroy', isOfSeed: true, calls: [] },
  { tool: 'adr_publish', effect: 'write', isOfSeed: true, calls: [] },
];
