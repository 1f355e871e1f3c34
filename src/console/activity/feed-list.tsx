import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import { vaultHere } from '../page/address.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { describeChange, noteName } from '../words/describe-change.ts';
import { strings } from '../words/strings.ts';
import { clockTime, dayHeading } from '../words/times.ts';
import { loadOlder, news, next, reads, rows, sessions, showNews } from './feed-state.ts';
import { type FeedSession, groupFeed, undoableIds } from './group-feed.ts';

type Activity = Extract<Place, { screen: 'activity' }>;

/** The changes by day, then by session. */
export function FeedList({ place }: { readonly place: Activity }) {
  const days = groupFeed(rows.value);
  const nowMs = Date.now();
  return (
    <>
      {news.value.changes === 0 ? undefined : (
        <button type="button" class="news" onClick={showNews}>
          <Icon name="activity" />{' '}
          {activityStrings.newChanges(news.value.changes, news.value.client)}
        </button>
      )}
      {days.map((day, at) => (
        <section class="feed-day" key={day.key}>
          <h2>
            {dayHeading(day.timeMs, { nowMs })}
            <span>
              {/* Of the last day, older changes may not be loaded yet. */}
              {next.value !== undefined && at === days.length - 1
                ? activityStrings.dayPart(day.changes)
                : activityStrings.dayTotals(day.changes, day.files)}
            </span>
          </h2>
          <ol>
            {day.sessions.map((session) => (
              <Session key={session.key} session={session} place={place} />
            ))}
          </ol>
        </section>
      ))}
      <Older />
    </>
  );
}

function Older() {
  if (next.value === undefined) return <p class="older faint">{activityStrings.olderEnd}</p>;
  if (rows.value.length >= consolePageLimits.feedRowsMax) {
    return <p class="older faint">{activityStrings.tooMany(rows.value.length)}</p>;
  }
  return (
    <p class="older">
      <button type="button" class="btn" onClick={loadOlder}>
        {activityStrings.older}
      </button>
    </p>
  );
}

function Session({ session, place }: { readonly session: FeedSession; readonly place: Activity }) {
  const [showsReads, setShowsReads] = useState(false);
  const client = shownClient(session.door, session.client);
  const time = strings.span(clockTime(session.fromMs), clockTime(session.toMs));
  const all = sessions.value.find(
    ({ connection }) => connection !== undefined && connection === session.connection,
  );
  const read = readPaths(session);
  return (
    <li class="session">
      <header>
        <Avatar client={client} />
        <div class="grow">
          <h3>
            <bdi>{client.name}</bdi>
          </h3>
          <p>
            {time} ·{' '}
            {activityStrings.sessionCount(
              session.changes.length,
              all?.changes ?? session.changes.length,
            )}
          </p>
          {read.length === 0 ? undefined : (
            <button
              type="button"
              class="reads"
              aria-expanded={showsReads}
              onClick={() => setShowsReads(!showsReads)}
            >
              {activityStrings.readNotes(read.length)}
            </button>
          )}
        </div>
        <UndoSession session={session} place={place} who={client.name} time={time} />
      </header>
      {showsReads ? (
        <ul class="reads-list">
          {read.map(({ path, timeMs }) => (
            <li key={path}>
              <a href={addressOf({ screen: 'notes', path, ...vaultHere() })}>
                <bdi>{noteName(path)}</bdi>
              </a>
              <time class="faint">{clockTime(timeMs)}</time>
            </li>
          ))}
        </ul>
      ) : undefined}
      <ol>
        {session.changes.map((change) => (
          <li key={change.id}>
            <ChangeLink change={change} place={place} />
          </li>
        ))}
      </ol>
    </li>
  );
}

/** The files that a session has read, each once, with the last time. */
function readPaths({ connection }: FeedSession): { path: string; timeMs: number }[] {
  if (connection === undefined) return [];
  const found = new Map<string, number>();
  for (const row of reads.value) {
    if (row.connection !== connection) continue;
    for (const path of row.paths) if (!found.has(path)) found.set(path, row.timeMs);
  }
  return Array.from(found, ([path, timeMs]) => ({ path, timeMs }));
}

function UndoSession({
  session,
  place,
  who,
  time,
}: {
  readonly session: FeedSession;
  readonly place: Activity;
  readonly who: string;
  readonly time: string;
}) {
  const ids = undoableIds(session);
  if (!canUndo.value || ids.length === 0) return null;
  const { connection } = session;
  const undo = connection === undefined ? { ids } : { session: connection };
  return (
    <a class="btn small" href={addressOf({ ...place, undo })}>
      <Icon name="undo" />
      {connection === undefined
        ? activityStrings.undoThese(ids.length)
        : activityStrings.undoSession}
      <span class="unseen">{activityStrings.ofClient(who, time)}</span>
    </a>
  );
}

function ChangeLink({ change, place }: { readonly change: FeedChange; readonly place: Activity }) {
  const { kind, sentence, also } = describeChange(change);
  const isUndone = change.undoneBy !== undefined;
  const { undo: _, ...rest } = place;
  return (
    <a
      class={`change ${kind}${isUndone ? ' undone' : ''}`}
      href={addressOf({ ...rest, change: change.id })}
      data-change={change.id}
      aria-current={place.change === change.id ? 'true' : undefined}
    >
      <Icon name={kind} />
      <span class="sentence">
        <Sentence pieces={sentence} />
      </span>
      <time dateTime={new Date(change.timeMs).toISOString()}>{clockTime(change.timeMs)}</time>
      <span class="under">
        <code>{change.tool}</code>
        {also === '' ? undefined : <span>{also}</span>}
        {change.proposal === undefined ? undefined : (
          <span class="pill">{activityStrings.accepted(change.proposal)}</span>
        )}
        {isUndone ? <span class="pill">{undoneText(change)}</span> : undefined}
        {change.partly === undefined || change.partly.length === 0 ? undefined : (
          <span class="pill">{activityStrings.partly}</span>
        )}
      </span>
    </a>
  );
}

/** By whom and when a change was undone, as far as that is known. */
export function undoneText({ undone }: Pick<FeedChange, 'undone'>): string {
  if (undone === undefined) return activityStrings.undone;
  const { name, isOwner } = shownClient(undone.door, undone.client);
  const time = clockTime(undone.timeMs);
  return isOwner ? activityStrings.undoneByYou(time) : activityStrings.undoneBy(name, time);
}
