import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import { describeChange, noteName } from '../../tools/wording/describe-change.ts';
import { vaultHere } from '../page/address.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo, me, waiting } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient, tokenWords } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { clockTime, dayHeading } from '../words/times.ts';
import {
  grantNames,
  hasNoReads,
  loadOlder,
  loadProposing,
  news,
  next,
  proposing,
  reads,
  rows,
  sessions,
  showNews,
} from './feed-state.ts';
import { type FeedDay, type FeedSession, groupFeed, redoOf, undoableIds } from './group-feed.ts';
import { contextTool, withReads } from './group-reads.ts';

type Activity = Extract<Place, { screen: 'activity' }>;

/** The days of the feed: what was changed, and without a filter also who has only read. */
export function feedDays({ filter }: Activity): FeedDay[] {
  const onlyChanged = Object.keys(filter).length > 0;
  return withReads(groupFeed(rows.value), reads.value, { onlyChanged });
}

/** The changes by day, then by session. `shown` is the change beside the list. */
export function FeedList({
  place,
  days,
  shown,
}: {
  readonly place: Activity;
  readonly days: readonly FeedDay[];
  readonly shown: number | undefined;
}) {
  const nowMs = Date.now();
  const { proposals } = waiting.value;
  useEffect(() => {
    // The line above the feed says how many there are; without an answer the sessions do not.
    loadProposing(proposals).catch(() => undefined);
  }, [proposals, place.vault]);
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
                : day.changes > 0 && activityStrings.dayTotals(day.changes, day.files)}
            </span>
          </h2>
          <ol>
            {day.sessions.map((session) => (
              <Session key={session.key} session={session} place={place} shown={shown} />
            ))}
          </ol>
        </section>
      ))}
      <Older />
      <HowToKeepReads />
    </>
  );
}

/** One line where reads are not kept: otherwise a client that only reads is never seen. */
export function HowToKeepReads() {
  if (me.value === undefined || me.value.logsReads || !hasNoReads.value) return null;
  return <p class="older faint">{activityStrings.readsNotKept}</p>;
}

function Older() {
  if (rows.value.length === 0) return null;
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

/** That a session has proposed what waits for the owner. */
function Proposes({
  connection = '',
  vault,
}: {
  readonly connection: string | undefined;
  readonly vault: string | undefined;
}) {
  const proposals = proposing.value.get(connection) ?? 0;
  if (proposals === 0) return null;
  const approvals = addressOf({ screen: 'approvals', ...(vault === undefined ? {} : { vault }) });
  return (
    <>
      {' · '}
      <a href={approvals}>{activityStrings.proposes(proposals)}</a>
    </>
  );
}

function Session({
  session,
  place,
  shown,
}: {
  readonly session: FeedSession;
  readonly place: Activity;
  readonly shown: number | undefined;
}) {
  const [showsReads, setShowsReads] = useState(false);
  const client = shownClient(session.door, session.client);
  const time = strings.span(clockTime(session.fromMs), clockTime(session.toMs));
  const all = sessions.value.find(
    ({ connection }) => connection !== undefined && connection === session.connection,
  );
  const { read, token, tokenName = grantNames.value.get(token ?? '') } = session;
  const signedIn = tokenWords({ token, tokenName });
  const found = read.filter(({ isFound }) => isFound).length;
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
            {session.changes.length === 0
              ? activityStrings.onlyRead
              : activityStrings.sessionCount(
                  session.changes.length,
                  all?.changes ?? session.changes.length,
                )}
            {signedIn === undefined ? undefined : (
              <>
                {' · '}
                <bdi>{signedIn}</bdi>
              </>
            )}
            <Proposes connection={session.connection} vault={place.vault} />
          </p>
          {read.length === 0 ? undefined : (
            <button
              type="button"
              class="reads"
              aria-expanded={showsReads}
              onClick={() => setShowsReads(!showsReads)}
            >
              {activityStrings.readFiles(read.length - found, found)}
            </button>
          )}
        </div>
        <UndoSession session={session} place={place} who={client.name} time={time} />
      </header>
      {showsReads ? (
        <ul class="reads-list">
          {read.map(({ path, timeMs, tool, isFound }) => (
            <li key={path}>
              <a href={addressOf({ screen: 'notes', path, ...vaultHere() })}>
                <bdi>{noteName(path)}</bdi>
              </a>
              <span class="faint">
                {isFound
                  ? `${tool === contextTool ? activityStrings.onlyDescribed : activityStrings.onlyFound} · `
                  : ''}
                <code title={activityStrings.tool}>{tool}</code> <time>{clockTime(timeMs)}</time>
              </span>
            </li>
          ))}
          {found === 0 ? undefined : <li class="faint">{activityStrings.readsMore}</li>}
        </ul>
      ) : undefined}
      <ol>
        {session.changes.map((change) => (
          <li key={change.id}>
            <ChangeLink change={change} place={place} isShown={change.id === shown} />
          </li>
        ))}
      </ol>
    </li>
  );
}

/** The link to the preview of undoing a session, or of its redo once it is undone. */
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
  if (!canUndo.value) return null;
  const redo = redoOf(session);
  if (redo !== undefined) {
    return (
      <a class="btn small quiet leads" href={addressOf({ ...place, undo: { redo: redo.undo } })}>
        <Icon name="redo" />
        {activityStrings.redoThese(redo.changes, redo.of)}
        <span class="unseen">{activityStrings.ofClient(who, time)}</span>
      </a>
    );
  }
  if (ids.length === 0) return null;
  const { connection } = session;
  const undo = connection === undefined ? { ids } : { session: connection };
  return (
    <a class="btn small quiet leads" href={addressOf({ ...place, undo })}>
      <Icon name="undo" />
      {connection === undefined
        ? activityStrings.undoThese(ids.length)
        : activityStrings.undoSession}
      <span class="unseen">{activityStrings.ofClient(who, time)}</span>
    </a>
  );
}

function ChangeLink({
  change,
  place,
  isShown,
}: {
  readonly change: FeedChange;
  readonly place: Activity;
  readonly isShown: boolean;
}) {
  const { kind, sentence, also } = describeChange(change);
  const isUndone = change.undoneBy !== undefined;
  const { undo: _, ...rest } = place;
  return (
    <a
      class={`change ${kind}${isUndone ? ' undone' : ''}`}
      href={addressOf({ ...rest, change: change.id })}
      data-change={change.id}
      aria-current={isShown ? 'true' : undefined}
    >
      <Icon name={kind} />
      <span class="sentence">
        <Sentence pieces={sentence} />
      </span>
      <time dateTime={new Date(change.timeMs).toISOString()}>{clockTime(change.timeMs)}</time>
      <span class="under">
        <code title={activityStrings.tool}>{change.tool}</code>
        {also === '' ? undefined : <span>{also}</span>}
        {change.proposal === undefined ? undefined : (
          <span class="pill">{activityStrings.acceptedByYou(clockTime(change.timeMs))}</span>
        )}
        {isUndone ? <span class="pill">{undoneText(change)}</span> : undefined}
        {change.undoneInPart ? <span class="pill">{activityStrings.undoneInPart}</span> : undefined}
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
