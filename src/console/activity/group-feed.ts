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
  readonly token?: string;
  /** The name of the token or grant, where the server has said it. */
  readonly tokenName?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Newest first; none where a client has only read. */
  readonly changes: readonly FeedChange[];
  /** The files that it has read, each once, with the last time. */
  readonly read: readonly ReadFile[];
}

export interface ReadFile {
  readonly path: string;
  readonly timeMs: number;
  readonly tool: string;
  /** Whether it was only found: a search or a list has shown lines of it. */
  readonly isFound?: true;
}

/** One day of the feed. */
export interface FeedDay {
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
    const { door, client, connection, token } = newest;
    return [
      {
        key: `${key} ${connection ?? oldest.id}`,
        ...(connection === undefined ? {} : { connection }),
        door,
        ...(client === undefined ? {} : { client }),
        ...(token === undefined ? {} : { token }),
        fromMs: oldest.timeMs,
        toMs: newest.timeMs,
        changes,
        read: [],
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

/**
 * Whether a change moved files and updated the links to them. Taking back one of these files alone
 * would break links, so it is not offered.
 */
export function hasUpdatedLinks({ files }: Pick<FeedChange, 'files'>): boolean {
  const does = (what: FeedChange['files'][number]['did']) => files.some(({ did }) => did === what);
  return does('moved') && does('changed');
}

/**
 * The undo that a session whose changes are all undone can be brought back from, how many changes that
 * undo took back, and of how many. Of several undos it is the newest.
 */
export function redoOf({
  changes,
}: Pick<FeedSession, 'changes'>):
  | { readonly undo: number; readonly changes: number; readonly of: number }
  | undefined {
  const undos = changes.flatMap(({ undoneBy }) => undoneBy ?? []);
  if (undos.length === 0 || undoableIds({ changes }).length > 0) return undefined;
  const undo = undos.reduce((newest, id) => Math.max(newest, id), 0);
  const found = changes.find(({ undoneBy }) => undoneBy === undo);
  const redone = found?.undone?.changes ?? undos.filter((id) => id === undo).length;
  return { undo, changes: redone, of: Math.max(redone, undos.length) };
}

/** The numbers of the changes in a session that can still be undone. */
export function undoableIds({ changes }: Pick<FeedSession, 'changes'>): number[] {
  return changes
    .filter(({ undoneBy, undoes = [] }) => undoneBy === undefined && undoes.length === 0)
    .map(({ id }) => id);
}
