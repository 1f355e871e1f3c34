import type { ReadRow } from '../../doors/console/console-wire.ts';
import { dayKey } from '../words/times.ts';
import type { FeedDay, FeedSession, ReadFile } from './group-feed.ts';

type Who = Pick<FeedSession, 'connection' | 'door' | 'client' | 'token'>;

/**
 * Adds to the days of a feed what was read: to sessions of that day, and as sessions without a change
 * where a client has only read. Reads without a connection are not added to sessions, because it is not
 * known to which they belong. `onlyChanged` leaves out the sessions without a change.
 */
export function withReads(
  days: readonly FeedDay[],
  reads: readonly ReadRow[],
  { zone, onlyChanged = false }: { readonly zone?: string; readonly onlyChanged?: boolean } = {},
): FeedDay[] {
  const groups = new Map<string, ReadRow[]>();
  for (const row of reads) {
    const key = `${dayKey(row.timeMs, zone)} ${whoKey(row)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const merged = new Map<string, FeedDay>();
  for (const day of days) {
    const sessions = day.sessions.map((session) => {
      const key = `${day.key} ${whoKey(session)}`;
      const own = groups.get(key) ?? [];
      groups.delete(key);
      return session.connection === undefined ? session : { ...session, read: pathsOf(own) };
    });
    merged.set(day.key, { ...day, sessions });
  }
  if (onlyChanged) return Array.from(merged.values());
  for (const [key, group] of groups) {
    const session = onlyRead(key, group);
    if (session === undefined) continue;
    const dayOf = dayKey(session.toMs, zone);
    const day = merged.get(dayOf) ?? emptyDay(dayOf, session.toMs);
    merged.set(dayOf, { ...day, sessions: [...day.sessions, session].sort(newestFirst) });
  }
  return Array.from(merged.values()).sort((a, b) => b.timeMs - a.timeMs);
}

function onlyRead(key: string, group: readonly ReadRow[]): FeedSession | undefined {
  const newest = group[0];
  const oldest = group.at(-1);
  if (newest === undefined || oldest === undefined) return undefined;
  const { connection, door, client, token, tokenName } = newest;
  return {
    key,
    ...(connection === undefined ? {} : { connection }),
    door,
    ...(client === undefined ? {} : { client }),
    ...(token === undefined ? {} : { token }),
    ...(tokenName === undefined ? {} : { tokenName }),
    fromMs: oldest.timeMs,
    toMs: newest.timeMs,
    changes: [],
    read: pathsOf(group),
  };
}

/** Tools that show lines of many files; others show the files that they are asked for. */
const findingTools = /search|links|tasks|neighbors|^context$/;

/** What the log calls the list of personal notes that each app gets with its first answer. */
export const contextTool = 'context';

/** The files in rows that are newest first, each once, with the last time. */
function pathsOf(rows: readonly ReadRow[]): ReadFile[] {
  const files = new Map<string, ReadFile>();
  for (const { paths, timeMs, tool } of rows) {
    const isFound = findingTools.test(tool);
    for (const path of paths) {
      const known = files.get(path);
      if (known === undefined)
        files.set(path, { path, timeMs, tool, ...(isFound ? { isFound } : {}) });
      else if (!isFound && known.isFound) files.set(path, { path, timeMs: known.timeMs, tool });
    }
  }
  return Array.from(files.values());
}

function emptyDay(key: string, timeMs: number): FeedDay {
  return { key, timeMs, changes: 0, files: 0, sessions: [] };
}

function newestFirst(a: FeedSession, b: FeedSession): number {
  return b.toMs - a.toMs;
}

function whoKey({ connection, door, client = '', token = '' }: Who): string {
  return connection ?? `${door} ${client} ${token}`;
}
