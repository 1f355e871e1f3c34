import { useEffect, useState } from 'preact/hooks';
import type { OpenSessionsAnswer } from '../../doors/console/console-wire.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { onEvent } from '../page/live.ts';
import type { Place } from '../page/place.ts';
import { commandOf, me } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { PartHeading, TopBar } from '../parts/top-bar.tsx';
import { accessStrings } from '../words/access-strings.ts';
import { shownClient, tokenWords } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime } from '../words/times.ts';
import { access, accessFailure, end, loadAccess, madeToken, signOut } from './access-state.ts';
import { NewTokenDialog } from './new-token.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { endText, MadeToken, Rights, TokenList } from './token-list.tsx';

/** Who may come in, how far, and who is in now. */
export function AccessScreen(_: { readonly place: Place }) {
  const [isMaking, setMaking] = useState(false);
  useEffect(() => {
    void loadAccess();
    const stop = onEvent('session', () => void loadAccess());
    return () => {
      stop();
      madeToken.value = undefined;
    };
  }, []);
  const now = access.value;
  return (
    <>
      <TopBar title={strings.screens.access} more={accessStrings.accessMore}>
        <button type="button" class="btn main" onClick={() => setMaking(true)}>
          <Icon name="plus" /> {accessStrings.newToken}
        </button>
      </TopBar>
      <section class="scroll pad" {...scrolling} aria-label={strings.screens.access}>
        <div class="column">
          <MadeToken />
          {accessFailure.value === undefined ? undefined : (
            <Failure failure={accessFailure.value} retry={() => void loadAccess()} />
          )}
          {now === undefined ? (
            <Loading />
          ) : (
            <>
              <PartHeading title={accessStrings.tokens} more={accessStrings.tokensMore} />
              <TokenList tokens={now.tokens} />
              <GrantList />
              <SessionList />
              <PasskeyList passkeys={now.passkeys} />
            </>
          )}
          <ThisConsole />
        </div>
      </section>
      {isMaking ? (
        <NewTokenDialog
          name=""
          onClose={() => setMaking(false)}
          onMade={(made) => {
            madeToken.value = made;
            setMaking(false);
          }}
        />
      ) : undefined}
    </>
  );
}

type Session = OpenSessionsAnswer['sessions'][number];

/** The apps that have signed in, each with its open sessions. */
function GrantList() {
  const { grants = [], sessions = [] } = access.value ?? {};
  const ownerPage = me.value?.ownerPage;
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={accessStrings.grants} more={accessStrings.grantsMore}>
        {ownerPage === undefined ? undefined : (
          <a class="btn small" href={ownerPage}>
            {strings.ownerPage}
          </a>
        )}
      </PartHeading>
      {grants.length === 0 ? (
        <p class="note-line">{accessStrings.noGrants}</p>
      ) : (
        <ul class="list access">
          {grants.map(({ id, client, effects, folders, createdMs, endsMs }) => (
            <>
              <li key={id}>
                <Avatar client={shownClient('mcp-http', client.name)} isSmall />
                <div class="grow">
                  <h3>
                    <bdi>{shownClient('mcp-http', client.name).name}</bdi>{' '}
                    <Rights effects={effects} />
                  </h3>
                  <p class="faint">
                    <bdi>{client.answersTo}</bdi> · {accessStrings.where(folders)} ·{' '}
                    {accessStrings.sinceTime(dayAndTime(createdMs, { nowMs }))} ·{' '}
                    {endText(endsMs, nowMs)}
                  </p>
                </div>
                <button
                  type="button"
                  class="btn small bad"
                  onClick={() => void end('grants', id, accessStrings.disconnected(client.name))}
                >
                  {accessStrings.disconnect}
                  <span class="unseen"> {client.name}</span>
                </button>
              </li>
              <Sessions sessions={sessions.filter(({ token }) => token === id)} isOfApp />
            </>
          ))}
        </ul>
      )}
    </>
  );
}

/** The open sessions of clients that have not signed in. */
function SessionList() {
  const { grants = [], sessions = [] } = access.value ?? {};
  const others = sessions.filter(({ token }) => !grants.some(({ id }) => id === token));
  return (
    <>
      <PartHeading
        title={accessStrings.sessions}
        more={accessStrings.sessionsMore(commandOf('doctor'))}
      />
      {others.length === 0 ? (
        <p class="note-line">
          {sessions.length === 0 ? accessStrings.noSessions : accessStrings.noOtherSessions}
        </p>
      ) : (
        <ul class="list access">
          <Sessions sessions={others} />
        </ul>
      )}
    </>
  );
}

/** Sessions, of which those that nobody uses any more are folded, if there are several. */
function Sessions({
  sessions,
  ...how
}: {
  readonly sessions: readonly Session[];
  readonly isOfApp?: true;
}) {
  const idle = sessions.filter(({ isConnected }) => !isConnected);
  const row = (session: Session) => <SessionRow key={session.id} session={session} {...how} />;
  if (idle.length < 2) return <>{sessions.map(row)}</>;
  return (
    <>
      {sessions.filter(({ isConnected }) => isConnected).map(row)}
      <li class={how.isOfApp ? 'of-app' : undefined}>
        <details class="grow">
          <summary>{accessStrings.idleSessions(idle.length)}</summary>
          <ul class="access">{idle.map(row)}</ul>
        </details>
      </li>
    </>
  );
}

function SessionRow({ session, isOfApp }: { readonly session: Session; readonly isOfApp?: true }) {
  const { id, client, beganMs, usedMs, isConnected } = session;
  const nowMs = Date.now();
  const shown = shownClient('mcp-http', client);
  const comesBy = isOfApp ? undefined : tokenWords(session);
  return (
    <li class={isOfApp ? 'of-app' : undefined}>
      <Avatar client={shown} isSmall />
      <div class="grow">
        <h3>
          {isOfApp ? <span class="unseen">{accessStrings.anOpenSession}</span> : undefined}
          <bdi>{shown.name}</bdi>
        </h3>
        <p class="faint">
          {shown.version === undefined ? '' : `${strings.version(shown.version)} · `}
          {comesBy === undefined ? '' : `${comesBy} · `}
          {(isConnected ? accessStrings.sinceTime : accessStrings.cameAt)(
            dayAndTime(beganMs, { nowMs }),
          )}{' '}
          ·{' '}
          {(isConnected ? accessStrings.connected : accessStrings.lastSeen)(timeAgo(usedMs, nowMs))}
        </p>
      </div>
      <button
        type="button"
        class="btn small"
        onClick={() => void end('open-sessions', id, accessStrings.sessionClosed(shown.name))}
      >
        {accessStrings.closeSession}
        <span class="unseen"> {shown.name}</span>
      </button>
    </li>
  );
}

function ThisConsole() {
  const consoles = me.value?.consoles ?? [];
  const nowMs = Date.now();
  return (
    <>
      <PartHeading
        title={accessStrings.thisConsole}
        more={accessStrings.thisConsoleMore(commandOf('serve'), commandOf('console'))}
      >
        <button type="button" class="btn small" onClick={() => void signOut(false)}>
          <Icon name="out" /> {strings.signOut}
        </button>
      </PartHeading>
      <ul class="list access">
        {consoles.map(({ id, sinceMs, usedMs, isThis }) => (
          <li key={id}>
            <div class="grow">
              <h3>{isThis ? accessStrings.thisPage : accessStrings.otherConsole}</h3>
              <p class="faint">
                {accessStrings.sinceTime(dayAndTime(sinceMs, { nowMs }))} ·{' '}
                {isThis
                  ? accessStrings.inUse
                  : accessStrings.lastCall(timeAgo(usedMs, nowMs), undefined)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p class="answers">
        <button type="button" class="btn small bad" onClick={() => void signOut(true)}>
          {accessStrings.signOutEverywhere}
        </button>
      </p>
    </>
  );
}
