import { useEffect, useState } from 'preact/hooks';
import { place as here, vaultHere } from '../page/address.ts';
import { findNote } from '../page/find-note.ts';
import { connection, tryNow } from '../page/live.ts';
import { addressOf, type Place, type Screen, screens } from '../page/place.ts';
import {
  connectedClients,
  indexState,
  isVaultHere,
  me,
  ownerPageHere,
  waiting,
} from '../page/server-state.ts';
import { toast } from '../page/toast-state.ts';
import { Icon, Mark } from '../parts/icon.tsx';
import { Empty } from '../parts/states.tsx';
import { ToastBar } from '../parts/toast.tsx';
import { VaultPicker } from '../parts/vault-picker.tsx';
import { strings } from '../words/strings.ts';
import { clockTime } from '../words/times.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { MoreDialog } from './more-dialog.tsx';
import { screenList } from './screen-list.ts';
import { ScreenView } from './screen-view.tsx';

const bottomMax = 5;

/** The frame around every screen: the side bar, on phones the bar at the bottom, and messages. */
export function Frame() {
  const place = here.value;
  const listed = screens.filter((screen) => screenList.some((known) => known.screen === screen));
  const title =
    place.screen in strings.screens ? strings.screens[place.screen as Screen] : strings.notFound;
  useEffect(() => {
    document.title = strings.title(title);
  }, [title]);
  // A message belongs to the screen on which it came.
  useEffect(
    () => () => {
      toast.value = undefined;
    },
    [place.screen],
  );
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {strings.skip}
      </a>
      <aside class="side">
        <div class="vault">
          <Mark />
          <VaultPicker />
        </div>
        {listed.includes('notes') ? (
          <button type="button" class="find-note" onClick={findNote}>
            <Icon name="search" /> {strings.findNote} <kbd>/</kbd>
          </button>
        ) : undefined}
        <nav class="nav" aria-label={strings.navigation}>
          {listed.map((screen) => (
            <NavLink
              key={screen}
              screen={screen}
              isCurrent={place.screen === screen}
              isApart={screen === 'access'}
            />
          ))}
        </nav>
        <Foot />
      </aside>
      <main class="page" id="main" tabIndex={-1}>
        <Away />
        {me.value?.isDemo ? <p class="line-above">{strings.demo}</p> : undefined}
        {me.value?.isPlainHttp ? <p class="line-above">{strings.plainHttp}</p> : undefined}
        {isVaultHere.value ? (
          <ScreenView place={place} />
        ) : (
          <Empty icon="away" title={strings.vaultAway} isPage>
            <p>{strings.vaultAwayMore}</p>
          </Empty>
        )}
      </main>
      <Bottom listed={listed} place={place} />
      <ToastBar />
      <KeysDialog />
    </div>
  );
}

function NavLink({
  screen,
  isCurrent,
  isApart,
}: {
  readonly screen: Screen;
  readonly isCurrent: boolean;
  readonly isApart?: boolean;
}) {
  const link = (
    <a href={screenAddress(screen)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={screen} /> {strings.screens[screen]}
      {screen === 'approvals' && waiting.value.all > 0 ? <Count /> : undefined}
    </a>
  );
  return isApart === true ? <div class="apart">{link}</div> : link;
}

function Count() {
  return (
    <span class="count">
      <span aria-hidden="true">{strings.number(waiting.value.all)}</span>
      <span class="unseen">{strings.waiting(waiting.value.all)}</span>
    </span>
  );
}

function Bottom({ listed, place }: { readonly listed: readonly Screen[]; readonly place: Place }) {
  const [isOpen, setOpen] = useState(false);
  const isAll = listed.length <= bottomMax;
  const first = isAll ? listed : listed.slice(0, bottomMax - 1);
  const rest = isAll ? [] : listed.slice(bottomMax - 1);
  return (
    <>
      <nav class="bottom" aria-label={strings.navigation}>
        {first.map((screen) => (
          <NavLink key={screen} screen={screen} isCurrent={place.screen === screen} />
        ))}
        {rest.length === 0 ? undefined : (
          <button
            type="button"
            aria-current={rest.some((screen) => screen === place.screen) ? 'page' : undefined}
            onClick={() => setOpen(true)}
          >
            <Icon name="more" /> {strings.more}
          </button>
        )}
      </nav>
      {isOpen ? (
        <MoreDialog screens={rest} addressOf={screenAddress} onClose={() => setOpen(false)} />
      ) : undefined}
    </>
  );
}

/** The address of a screen in the vault that is shown. */
function screenAddress(screen: Screen): string {
  return screen === 'activity'
    ? addressOf({ screen, filter: {}, ...vaultHere() })
    : addressOf({ screen, ...vaultHere() });
}

function Foot() {
  const { is } = connection.value;
  const clients = connectedClients.value;
  const words = {
    connecting: strings.connecting,
    live: clients === undefined ? strings.live : strings.liveWith(clients),
    away: strings.away,
  }[is];
  return (
    <div class="foot">
      <div>
        <span class={is === 'live' ? 'dot' : 'dot off'} /> {words}
      </div>
      <IndexLine />
      {ownerPageHere.value === undefined ? undefined : (
        <div>
          <a href={ownerPageHere.value}>{strings.ownerPage}</a>
        </div>
      )}
    </div>
  );
}

/** How far the index is: what is not read yet cannot be searched. */
function IndexLine() {
  const state = indexState.value;
  if (state === undefined) return null;
  const { stage, done, total = 0 } = state;
  if (stage === 'ready') {
    return (
      <div>
        <Icon name="tick" /> {strings.allIndexed}
      </div>
    );
  }
  return <div>{strings.indexing(stage, done, total)}</div>;
}

/** Says that the server does not answer, and when the page tries again. */
function Away() {
  const now = connection.value;
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    if (now.is !== 'away') return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [now]);
  if (now.is !== 'away') return null;
  const seconds = Math.max(0, Math.ceil((now.retryMs - nowMs) / 1_000));
  const time = clockTime(now.sinceMs);
  return (
    <div class="line-above">
      <Icon name="away" />
      <span class="grow">{strings.awaySince(time, seconds)}</span>
      <button type="button" class="btn small" onClick={tryNow}>
        {strings.tryNow}
      </button>
    </div>
  );
}
