import { expect, it } from 'vitest';
import type { ReadRow } from '../../doors/console/console-wire.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import { groupFeed } from './group-feed.ts';
import { withReads } from './group-reads.ts';

const noon = Date.UTC(2026, 10, 16, 12);
const dayMs = 86_400_000;
const door = 'mcp-http';

function change(id: number, timeMs: number, more: Partial<FeedChange> = {}): FeedChange {
  const rest = { door, tool: 'append_note', args: {}, kept: [], files: [] };
  return { id, timeMs, ...rest, ...more } as unknown as FeedChange;
}

function read(path: string, timeMs: number, more: Partial<ReadRow> = {}): ReadRow {
  return { timeMs, door, tool: 'read_note', paths: [path], bytes: 1, ...more };
}

/** The sessions of each day: numbers of changes, then the paths that were read. */
function shown(changes: FeedChange[], reads: ReadRow[], options: { onlyChanged?: boolean } = {}) {
  const days = withReads(groupFeed(changes, 'UTC'), reads, { zone: 'UTC', ...options });
  return days.map(({ sessions }) =>
    sessions.map(({ changes: own, read: paths }) => [
      ...own.map(({ id }) => id),
      ...paths.map(({ path, isFound }) => (isFound ? `found ${path}` : path)),
    ]),
  );
}

const a = { connection: 'a' };
const b = { connection: 'b' };

it.each<[string, FeedChange[], ReadRow[], (number | string)[][][]]>([
  ['nothing', [], [], []],
  ['a session that only read', [], [read('X', noon, a), read('Y', noon - 1, a)], [[['X', 'Y']]]],
  ['a file that was read twice', [], [read('X', noon, a), read('X', noon - 1, a)], [[['X']]]],
  [
    'files of which a search has shown lines, and one of them that was read',
    [],
    [
      read('Z', noon, { ...a, tool: 'search_notes', paths: ['X', 'Y', 'Z'] }),
      read('X', noon - 1, a),
    ],
    [[['X', 'found Y', 'found Z']]],
  ],
  [
    'files that auto-context names',
    [],
    [read('X', noon, { ...a, tool: 'context' })],
    [[['found X']]],
  ],
  [
    'reads of a session that changed something',
    [change(1, noon, a)],
    [read('X', noon - 1, a)],
    [[[1, 'X']]],
  ],
  [
    'one that only read beside one that did not, newest first',
    [change(1, noon, a)],
    [read('Y', noon + 1, b), read('X', noon - 1, a)],
    [[['Y'], [1, 'X']]],
  ],
  [
    'another day, before and after',
    [change(1, noon, a)],
    [read('Y', noon + dayMs, a), read('X', noon - dayMs, a)],
    [[['Y']], [[1]], [['X']]],
  ],
  [
    'callers without a connection, by name',
    [change(1, noon, { client: 'script' })],
    [read('X', noon, { client: 'script' }), read('Y', noon - 1, { client: 'other' })],
    [[[1], ['Y']]],
  ],
])('%s', (_, changes, reads, expected) => {
  expect(shown(changes, reads)).toEqual(expected);
});

it('with a filter, sessions that only read are left out', () => {
  const reads = [read('Y', noon, b), read('X', noon - 1, a)];
  expect(shown([change(1, noon, a)], reads, { onlyChanged: true })).toEqual([[[1, 'X']]]);
});
