import type { Door } from '../../../base/caller.ts';
import { clientNameOf } from '../../../base/client-name.ts';
import { limits } from '../../../base/limits.ts';
import { changeRow } from '../../change/change-row.ts';
import { checkAllowed } from '../../decide/decide.ts';
import type { ChangeId, ChangeSummary } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { feedFilter, type WhichFeed } from './list-feed.ts';

/**
 * Changes that belong together: those of one connection; or, where calls have no connection, those
 * through one door by one client and token without a gap of ten minutes.
 */
export interface ChangeSession {
  /** The same as long as the history has its oldest change. */
  readonly key: string;
  /** Absent where the changes have none: undo them by `ids`. */
  readonly connection?: string;
  readonly door: Door;
  /** The client with its version, as history has it. */
  readonly client?: string;
  readonly token?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly changes: number;
  /** How many different files; absent when there are too many changes to look at. */
  readonly files?: number;
  /** How many of the changes can be undone: those that are no undo and not undone. */
  readonly undoable: number;
  /** The numbers of all its changes, newest first. */
  readonly ids: readonly ChangeId[];
}

/** A page of sessions, the one with the newest change first. */
export interface SessionPage {
  readonly items: readonly ChangeSession[];
  /** The names of the clients, without versions, that the filter admits changes of. */
  readonly clients: readonly string[];
  /** How many sessions there are among the changes that were looked at. */
  readonly total: number;
  /** Set when there are older changes, which were not looked at. */
  readonly more?: true;
}

/**
 * Puts the newest `limits.summariesMax` changes that a filter admits into sessions. Undos by the
 * owner are left out as `listFeed` leaves them out. Fails with `forbidden` for callers who do not
 * see the whole vault.
 */
export async function listSessions(
  vault: BoundVault,
  request: Omit<WhichFeed, 'kinds'> & { readonly limit: number; readonly offset: number },
): Promise<SessionPage> {
  checkAllowed(vault.caller, { wholeVault: 'history' });
  const { state } = vault.vault.parts;
  const summaries = await state.summaries(feedFilter(request), limits.summariesMax);
  const sessions = sessionsOf(summaries);
  const clients = new Set(
    summaries.flatMap(({ client }) => (client === undefined ? [] : clientNameOf(client))),
  );
  const { limit, offset } = request;
  return {
    items: await withFiles(vault, sessions.slice(offset, offset + limit)),
    clients: Array.from(clients).sort(),
    total: sessions.length,
    ...(summaries.length < limits.summariesMax ? {} : { more: true }),
  };
}

/** A session while its changes are found, newest first. */
type OpenSession = { -readonly [Key in keyof ChangeSession]: ChangeSession[Key] } & {
  ids: ChangeId[];
};

/** Puts changes, newest first, into sessions, the one with the newest change first. */
function sessionsOf(summaries: readonly ChangeSummary[]): readonly ChangeSession[] {
  const sessions: OpenSession[] = [];
  const open = new Map<string, OpenSession>();
  for (const summary of summaries) {
    const { id, timeMs, door, client, connection, token } = summary;
    const who = JSON.stringify([door, client, token, connection]);
    const known = open.get(who);
    const isApart =
      connection === undefined && known && known.fromMs - timeMs >= limits.sessionGapMs;
    const session: OpenSession =
      known === undefined || isApart
        ? {
            key: '',
            ...(connection === undefined ? {} : { connection }),
            door,
            ...(client === undefined ? {} : { client }),
            ...(token === undefined ? {} : { token }),
            ...{ fromMs: timeMs, toMs: timeMs, changes: 0, undoable: 0, ids: [] },
          }
        : known;
    if (session !== known) {
      sessions.push(session);
      open.set(who, session);
    }
    // Clocks may go back, so a change that was made earlier can have a later time.
    session.fromMs = Math.min(session.fromMs, timeMs);
    session.toMs = Math.max(session.toMs, timeMs);
    session.changes++;
    if (!summary.isUndo && summary.undoneBy === undefined) session.undoable++;
    session.ids.push(id);
    session.key = connection ?? `from-${id}`;
  }
  return sessions;
}

/** Adds how many different files the changes of each session touched, as far as few are to be read. */
async function withFiles(
  vault: BoundVault,
  sessions: readonly ChangeSession[],
): Promise<readonly ChangeSession[]> {
  let rest = limits.sessionChangesMax;
  const counted: ChangeSession[] = [];
  for (const session of sessions) {
    const { ids } = session;
    if (ids.length > rest) {
      counted.push(session);
      continue;
    }
    rest -= ids.length;
    const { items } = await vault.history.changes({ ids }, { limit: ids.length, offset: 0 });
    const paths = new Set(
      items.flatMap((change) => (changeRow(vault, change)?.files ?? []).map(({ path }) => path)),
    );
    counted.push({ ...session, files: paths.size });
  }
  return counted;
}
