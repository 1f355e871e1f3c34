import { describe, expect, it } from 'vitest';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import { groupFeed, hasUpdatedLinks, redoOf, shownInFeed, undoableIds } from './group-feed.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 10, 16, 12);

function change(id: number, minutesAgo: number, more: Partial<FeedChange> = {}): FeedChange {
  const files = [{ path: `${id}.md`, did: 'changed' }];
  return {
    id,
    timeMs: noon - minutesAgo * minute,
    door: 'mcp-http',
    tool: 'append_note',
    args: {},
    kept: [],
    files,
    ...more,
  } as unknown as FeedChange;
}

describe('groupFeed', () => {
  it.each<[what: string, changes: FeedChange[], expected: number[][][]]>([
    ['nothing', [], []],
    [
      'sessions that overlap',
      [
        change(4, 1, { connection: 'a' }),
        change(3, 2, { connection: 'b' }),
        change(2, 3, { connection: 'a' }),
      ],
      [[[4, 2], [3]]],
    ],
    [
      'calls without a connection, by gaps of ten minutes',
      [change(4, 1), change(3, 9), change(2, 30), change(1, 31, { door: 'bridge' })],
      [[[4, 3], [2], [1]]],
    ],
    [
      'a session over midnight',
      [change(2, 60, { connection: 'a' }), change(1, 13 * 60, { connection: 'a' })],
      [[[2]], [[1]]],
    ],
  ])('%s', (_, changes, expected) => {
    const days = groupFeed(changes, 'UTC');
    expect(
      days.map(({ sessions }) => sessions.map((one) => one.changes.map(({ id }) => id))),
    ).toEqual(expected);
  });

  it('counts files once', () => {
    const twice = { files: change(1, 0).files };
    expect(groupFeed([change(2, 1, twice), change(1, 2, twice)], 'UTC')[0]).toMatchObject({
      changes: 2,
      files: 1,
    });
  });
});

describe('rows of the feed', () => {
  it.each<[what: string, row: Partial<FeedChange>, isShown: boolean]>([
    ['a change', {}, true],
    ['an undo by the owner', { door: 'console', undoes: [1] }, false],
    ['one on the command line', { door: 'cli', undoes: [1] }, false],
    ['one of some files', { door: 'console', undoes: [1], partly: [1] }, true],
    ['an undo by an agent', { undoes: [1] }, true],
    ['a change by the owner', { door: 'cli' }, true],
  ])('%s', (_, row, isShown) => {
    expect(shownInFeed([change(9, 0, row)])).toHaveLength(isShown ? 1 : 0);
  });

  it('can be undone unless they are undos or undone', () => {
    const changes = [change(3, 0), change(2, 0, { undoneBy: 5 }), change(1, 0, { undoes: [0] })];
    expect(undoableIds({ changes })).toEqual([3]);
  });

  const by = (undo: number, changes: number) =>
    ({ undoneBy: undo, undone: { timeMs: noon, door: 'console', changes } }) as const;
  it.each<[what: string, rows: Partial<FeedChange>[], expected: ReturnType<typeof redoOf>]>([
    ['a session that is not undone', [{}, {}], undefined],
    ['one that is undone in part', [by(9, 1), {}], undefined],
    ['one that is undone', [by(9, 2), by(9, 2)], { undo: 9, changes: 2, of: 2 }],
    ['one that is undone with others', [by(9, 7)], { undo: 9, changes: 7, of: 7 }],
    ['one that is undone step by step', [by(8, 1), by(9, 1)], { undo: 9, changes: 1, of: 2 }],
  ])('%s is redone by its newest undo', (_, rows, expected) => {
    expect(redoOf({ changes: rows.map((row, at) => change(at + 1, 0, row)) })).toEqual(expected);
  });

  it.each<[did: string[], expected: boolean]>([
    [['moved'], false],
    [['changed', 'changed'], false],
    [['moved', 'moved'], false],
    [['deleted', 'changed'], false],
    [['moved', 'changed'], true],
  ])('%j has updated links: %s', (did, expected) => {
    const files = did.map((what, at) => ({ path: `${at}.md`, did: what }));
    expect(hasUpdatedLinks({ files } as unknown as FeedChange)).toBe(expected);
  });
});
