import type { Door } from '../../base/caller.ts';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import { dayKey } from '../words/times.ts';

/** Changes of one day that belong together. */
export interface FeedSession {
  readonly key: string;
  /** Absent where calls have no connection: the changes are undone by their numbers. */
  readonly connection?: string;
  readonly door: Door;
  readonly client?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Newest first. */
  readonly changes: readonly FeedChange[];
}

/** One day of the feed. */
interface FeedDay {
  readonly key: string;
  readonly timeMs: number;
  readonly changes: number;
  readonly files: number;
  readonly sessions: readonly FeedSession[];
}

const ownerDoors: readonly Door[] = ['cli', 'console'];

/**
 * Leaves out what has no row of its own: undos and redos by the owner, which show on the changes
 * that they took back. One that took back only a part has a row.
 */
export function shownInFeed(changes: readonly FeedChange[]): FeedChange[] {
  return changes.filter(({ door, undoes = [], partly = [] }) => {
    if (undoes.length === 0 || !ownerDoors.includes(door)) return true;
    return partly.length > 0;
  });
}

/** Groups changes, newest first, by day and then by session. */
export function groupFeed(changes: readonly FeedChange[], zone?: string): FeedDay[] {
  const days: { key: string; sessions: OpenSession[] }[] = [];
  for (const change of changes) {
    const key = dayKey(change.timeMs, zone);
    let day = days.at(-1);
    if (day?.key !== key) {
      day = { key, sessions: [] };
      days.push(day);
    }
    const session = day.sessions.find((open) => belongsTo(change, open));
    if (session === undefined) day.sessions.push({ changes: [change] });
    else session.changes.push(change);
  }
  return days.map(({ key, sessions }) => closeDay(key, sessions));
}

/** A session while it is put together; it has at least one change. */
interface OpenSession {
  readonly changes: FeedChange[];
}

function belongsTo(change: FeedChange, { changes }: OpenSession): boolean {
  const last = changes.at(-1);
  if (last === undefined || last.connection !== change.connection) return false;
  if (change.connection !== undefined) return true;
  const isSame =
    last.door === change.door && last.client === change.client && last.token === change.token;
  return isSame && last.timeMs - change.timeMs < consolePageLimits.sessionGapMs;
}

function closeDay(key: string, open: readonly OpenSession[]): FeedDay {
  const sessions = open.flatMap(({ changes }): FeedSession[] => {
    const newest = changes[0];
    const oldest = changes.at(-1);
    if (newest === undefined || oldest === undefined) return [];
    const { door, client, connection } = newest;
    return [
      {
        key: `${key} ${connection ?? oldest.id}`,
        ...(connection === undefined ? {} : { connection }),
        door,
        ...(client === undefined ? {} : { client }),
        fromMs: oldest.timeMs,
        toMs: newest.timeMs,
        changes,
      },
    ];
  });
  const all = sessions.flatMap(({ changes }) => changes);
  return {
    key,
    timeMs: all[0]?.timeMs ?? 0,
    changes: all.length,
    files: new Set(all.flatMap(({ files }) => files.map(({ path }) => path))).size,
    sessions,
  };
}

/** The numbers of the changes in a session that can still be undone. */
export function undoableIds({ changes }: Pick<FeedSession, 'changes'>): number[] {
  return changes
    .filter(({ undoneBy, undoes = [] }) => undoneBy === undefined && undoes.length === 0)
    .map(({ id }) => id);
}
