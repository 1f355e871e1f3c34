import { useEffect, useRef, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { go } from '../page/address.ts';
import { type KeyAction, onKey } from '../page/keys.ts';
import { onEvent } from '../page/live.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo, me, vaultName, waiting } from '../page/server-state.ts';
import { changeSettings, settings } from '../page/settings.ts';
import { Icon } from '../parts/icon.tsx';
import { visibleText } from '../parts/invisible.ts';
import { scrolling } from '../parts/scrolling.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { approvalStrings } from '../words/approval-strings.ts';
import { strings } from '../words/strings.ts';
import { ChangeDetail } from './change-detail.tsx';
import { FeedFilters } from './feed-filters.tsx';
import { FeedList, feedDays, HowToKeepReads } from './feed-list.tsx';
import {
  connected,
  feedFailure,
  grantNames,
  loaded,
  loadFeed,
  refreshFeed,
  refreshReads,
  rows,
} from './feed-state.ts';
import { redoOrAsk } from './redo-or-ask.ts';
import { isBusy, undoNow } from './undo-actions.ts';
import { UndoOutcome } from './undo-outcome.tsx';
import { UndoPreview } from './undo-preview.tsx';

type Activity = Extract<Place, { screen: 'activity' }>;

/** What agents changed: the feed, and beside it the change that is open. */
export function ActivityScreen({ place }: { readonly place: Activity }) {
  const list = useRef<HTMLDivElement>(null);
  const { change, undo } = place;
  const shown = useShown(change);
  const now = useRef({ place, shown });
  now.current = { place, shown };
  const key = JSON.stringify([place.vault, place.filter]);
  const isKnown = me.value !== undefined;
  useEffect(() => {
    if (isKnown) void loadFeed(place.filter);
  }, [key, isKnown]);
  useEffect(() => {
    const isAtTop = (): boolean =>
      now.current.place.change === undefined && (list.current?.scrollTop ?? 0) < 8;
    const newer = ({ vault, at }: { vault: string; at: number }): void => {
      if (vault !== vaultName.peek()) return;
      if ((loaded.peek()?.[0]?.id ?? 0) < at) void refreshFeed({ atTop: isAtTop() });
    };
    const stops = [
      onEvent('change', newer),
      // After a gap: whether there is something that the page has not heard of.
      onEvent('hello', ({ vaults }) => vaults.forEach(newer)),
      onEvent('session', () => void refreshReads()),
      onEvent('called', () => void refreshReads()),
      onKey((action) => press(action, { ...now.current, list: list.current })),
    ];
    const isBack = (): void => {
      if (document.visibilityState === 'visible') void refreshReads();
    };
    document.addEventListener('visibilitychange', isBack);
    return () => {
      document.removeEventListener('visibilitychange', isBack);
      for (const stop of stops) stop();
    };
  }, []);
  const days = feedDays(place);
  const isEmpty = loaded.value !== undefined && rows.value.length === 0;
  return (
    <>
      <TopBar title={strings.screens.activity} more={activityStrings.activityMore}>
        <UndoLast />
      </TopBar>
      <FeedFilters place={place} />
      {isKnown && !canUndo.value ? <p class="line-above">{strings.readOnly}</p> : undefined}
      <Waiting place={place} />
      <div class={splitClass({ isOpen: change !== undefined, isEmpty })}>
        <section class="feed scroll" ref={list} {...scrolling} aria-label={activityStrings.feed}>
          {feedFailure.value === undefined ? undefined : (
            <Failure failure={feedFailure.value} retry={() => void loadFeed(place.filter)} />
          )}
          {loaded.value === undefined && feedFailure.value === undefined ? (
            <Loading lines={9} />
          ) : undefined}
          {isEmpty ? <NoChanges place={place} hasReads={days.length > 0} /> : undefined}
          {loaded.value !== undefined && days.length > 0 ? (
            <FeedList place={place} days={days} shown={shown} />
          ) : undefined}
        </section>
        <article class="detail scroll" {...scrolling} aria-label={activityStrings.detail}>
          {shown === undefined ? undefined : <ChangeDetail id={shown} place={place} />}
        </article>
      </div>
      {undo === undefined ? undefined : (
        <UndoPreview target={undo} onClose={() => closePreview(place)} />
      )}
      <UndoOutcome />
    </>
  );
}

function splitClass({ isOpen, isEmpty }: { readonly isOpen: boolean; readonly isEmpty: boolean }) {
  if (isOpen) return 'split is-open';
  return isEmpty ? 'split is-empty' : 'split';
}

/** Where a list and a change stand beside each other. */
const wideScreen = matchMedia('(min-width: 761px)');

/**
 * The change beside the list: the one that the address names. Where there is room for it and the
 * address names none, it is the newest, and stays the same while newer ones come.
 */
function useShown(change: number | undefined): number | undefined {
  const [isWide, setWide] = useState(wideScreen.matches);
  useEffect(() => {
    const look = (): void => setWide(wideScreen.matches);
    wideScreen.addEventListener('change', look);
    return () => wideScreen.removeEventListener('change', look);
  }, []);
  const last = useRef<number | undefined>(undefined);
  const isThere = rows.value.some(({ id }) => id === last.current);
  last.current = change ?? (isThere ? last.current : rows.value[0]?.id);
  return change ?? (isWide ? last.current : undefined);
}

/** Says that something waits for the owner, with the way there. */
function Waiting({ place: { vault } }: { readonly place: Activity }) {
  const { questions, proposals, all } = waiting.value;
  if (all === 0) return null;
  return (
    <p class="line-above">
      <Icon name="approvals" />
      <span>{approvalStrings.waitsForYou(questions, proposals)}</span>
      <a
        class="btn small"
        href={addressOf({ screen: 'approvals', ...(vault === undefined ? {} : { vault }) })}
      >
        {activityStrings.lookAtApprovals}
      </a>
    </p>
  );
}

function NoChanges({ place, hasReads }: { readonly place: Activity; readonly hasReads: boolean }) {
  const isFiltered = Object.keys(place.filter).length > 0;
  if (isFiltered) {
    return (
      <Empty icon="activity" title={activityStrings.noMatches}>
        <p>{activityStrings.noMatchesMore}</p>
        <a class="btn" href={addressOf({ ...place, filter: {} })}>
          {activityStrings.clearFilters}
        </a>
      </Empty>
    );
  }
  const who = whoIsThere();
  return (
    <Empty icon="activity" title={who ?? activityStrings.noChanges}>
      <p>{activityStrings.noChangesMore}</p>
      {who === undefined ? (
        <a
          class="btn main"
          href={addressOf({
            screen: 'connect',
            ...(place.vault === undefined ? {} : { vault: place.vault }),
          })}
        >
          {activityStrings.connectClient}
        </a>
      ) : undefined}
      {hasReads ? undefined : <HowToKeepReads />}
    </Empty>
  );
}

/** Which clients are connected, or else which apps were let in; undefined where there are none. */
function whoIsThere(): string | undefined {
  const open = Array.from(new Set(connected.value));
  if (open.length > 0) return activityStrings.connectedNow(open);
  const apps = Array.from(new Set(grantNames.value.values())).filter((name) => name !== '');
  return apps.length === 0 ? undefined : activityStrings.letIn(apps);
}

/** Undoes the newest change that is not undone. */
function UndoLast() {
  const last = rows.value
    .slice(0, consolePageLimits.feedPage)
    .find(({ undoneBy, undoes = [] }) => undoneBy === undefined && undoes.length === 0);
  if (!canUndo.value || last === undefined) return null;
  const sentence = describeChange(last)
    .sentence.map((piece) => (typeof piece === 'string' ? piece : visibleText(piece.name)))
    .join('');
  const text = activityStrings.undoLastOf(sentence);
  return (
    <button
      type="button"
      class="btn not-phone"
      disabled={isBusy.value}
      title={text}
      onClick={() => undoNow([last.id])}
    >
      <Icon name="undo" /> <span class="cut">{text}</span>
    </button>
  );
}

function closePreview({ undo: _, ...place }: Activity): void {
  go(place, 'replace');
}

/** What keys do on this screen. Answers whether the key had a meaning here. */
function press(
  action: KeyAction,
  at: {
    readonly place: Activity;
    readonly shown: number | undefined;
    readonly list: HTMLElement | null;
  },
): boolean {
  const { place, shown, list } = at;
  const selected = rows.peek().find(({ id }) => id === shown);
  switch (action.do) {
    case 'next':
    case 'previous':
      step(action.do === 'next' ? 1 : -1, place, list);
      return true;
    case 'back': {
      if (place.change === undefined) return false;
      const { change, undo: _, ...rest } = place;
      go(rest);
      list?.querySelector<HTMLElement>(`[data-change="${change}"]`)?.focus();
      return true;
    }
    case 'words':
      changeSettings({ diff: settings.peek().diff === 'words' ? 'lines' : 'words' });
      return true;
    case 'undo':
      if (selected === undefined || selected.undoneBy !== undefined || !canUndo.peek()) return true;
      void undoNow([selected.id]);
      return true;
    case 'redo':
      if (selected?.undoneBy !== undefined && canUndo.peek()) {
        const { undoneBy, undone } = selected;
        redoOrAsk({ undoneBy, changes: undone?.changes ?? 1 }, place);
      }
      return true;
    case 'undo-session': {
      if (selected === undefined || !canUndo.peek()) return true;
      const { connection, id } = selected;
      go({ ...place, undo: connection === undefined ? { ids: [id] } : { session: connection } });
      return true;
    }
    default:
      return false;
  }
}

/** Selects the next or the previous change in the order of the feed. */
function step(by: 1 | -1, place: Activity, list: HTMLElement | null): void {
  const links = Array.from(list?.querySelectorAll<HTMLElement>('[data-change]') ?? []);
  const at = links.findIndex((link) => link.dataset['change'] === String(place.change));
  const to = at === -1 ? links[by === 1 ? 0 : links.length - 1] : links[at + by];
  const id = Number(to?.dataset['change']);
  if (to === undefined || !(id > 0)) return;
  const { undo: _, ...rest } = place;
  go({ ...rest, change: id }, place.change === undefined ? 'push' : 'replace');
  to.focus();
  to.scrollIntoView({ block: 'nearest' });
}
