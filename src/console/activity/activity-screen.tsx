import { useEffect, useRef } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { go } from '../page/address.ts';
import { type KeyAction, onKey } from '../page/keys.ts';
import { onEvent } from '../page/live.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo, me, vaultName } from '../page/server-state.ts';
import { changeSettings, settings } from '../page/settings.ts';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { strings } from '../words/strings.ts';
import { ChangeDetail } from './change-detail.tsx';
import { FeedFilters } from './feed-filters.tsx';
import { FeedList } from './feed-list.tsx';
import { feedFailure, loaded, loadFeed, refreshFeed, rows } from './feed-state.ts';
import { isBusy, redoNow, undoNow } from './undo-actions.ts';
import { UndoOutcome } from './undo-outcome.tsx';
import { UndoPreview } from './undo-preview.tsx';

type Activity = Extract<Place, { screen: 'activity' }>;

/** What agents changed: the feed, and beside it the change that is open. */
export function ActivityScreen({ place }: { readonly place: Activity }) {
  const list = useRef<HTMLDivElement>(null);
  const { change, undo } = place;
  const now = useRef(place);
  now.current = place;
  const key = JSON.stringify([place.vault, place.filter]);
  const isKnown = me.value !== undefined;
  useEffect(() => {
    if (isKnown) void loadFeed(place.filter);
  }, [key, isKnown]);
  useEffect(() => {
    const isAtTop = (): boolean =>
      now.current.change === undefined && (list.current?.scrollTop ?? 0) < 8;
    const newer = ({ vault, at }: { vault: string; at: number }): void => {
      if (vault !== vaultName.peek()) return;
      if ((loaded.peek()?.[0]?.id ?? 0) < at) void refreshFeed({ atTop: isAtTop() });
    };
    const stops = [
      onEvent('change', newer),
      // After a gap: whether there is something that the page has not heard of.
      onEvent('hello', ({ vaults }) => vaults.forEach(newer)),
      onKey((action) => press(action, now.current, list.current)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const isEmpty = loaded.value !== undefined && rows.value.length === 0;
  return (
    <>
      <TopBar title={strings.screens.activity} more={activityStrings.activityMore}>
        <UndoLast />
      </TopBar>
      <FeedFilters place={place} />
      {isKnown && !canUndo.value ? <p class="line-above">{strings.readOnly}</p> : undefined}
      <div class={change === undefined ? 'split' : 'split is-open'}>
        <section class="feed scroll" ref={list} {...scrolling} aria-label={activityStrings.feed}>
          {feedFailure.value === undefined ? undefined : (
            <Failure failure={feedFailure.value} retry={() => void loadFeed(place.filter)} />
          )}
          {loaded.value === undefined && feedFailure.value === undefined ? (
            <Loading lines={9} />
          ) : undefined}
          {isEmpty ? <NoChanges place={place} /> : undefined}
          {rows.value.length > 0 ? <FeedList place={place} /> : undefined}
        </section>
        <article class="detail scroll" {...scrolling} aria-label={activityStrings.detail}>
          {change === undefined ? (
            <Empty icon="activity" title={activityStrings.chooseChange}>
              <p>{activityStrings.chooseChangeMore}</p>
            </Empty>
          ) : (
            <ChangeDetail id={change} place={place} />
          )}
        </article>
      </div>
      {undo === undefined ? undefined : (
        <UndoPreview target={undo} onClose={() => closePreview(place)} />
      )}
      <UndoOutcome />
    </>
  );
}

function NoChanges({ place }: { readonly place: Activity }) {
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
  return (
    <Empty icon="activity" title={activityStrings.noChanges}>
      <p>{activityStrings.noChangesMore}</p>
      <a
        class="btn main"
        href={addressOf({
          screen: 'connect',
          ...(place.vault === undefined ? {} : { vault: place.vault }),
        })}
      >
        {activityStrings.connectClient}
      </a>
    </Empty>
  );
}

/** Undoes the newest change that is not undone. */
function UndoLast() {
  const last = rows.value
    .slice(0, consolePageLimits.feedPage)
    .find(({ undoneBy, undoes = [] }) => undoneBy === undefined && undoes.length === 0);
  if (!canUndo.value || last === undefined) return null;
  return (
    <button
      type="button"
      class="btn not-phone"
      disabled={isBusy.value}
      onClick={() => undoNow({ ids: [last.id] })}
    >
      <Icon name="undo" /> {activityStrings.undoLast}
    </button>
  );
}

function closePreview({ undo: _, ...place }: Activity): void {
  go(place, 'replace');
}

/** What keys do on this screen. Answers whether the key had a meaning here. */
function press(action: KeyAction, place: Activity, list: HTMLElement | null): boolean {
  const selected = rows.peek().find(({ id }) => id === place.change);
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
      void undoNow({ ids: [selected.id] });
      return true;
    case 'redo':
      if (selected?.undoneBy !== undefined && canUndo.peek()) void redoNow(selected.undoneBy);
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
