import { useEffect, useState } from 'preact/hooks';
import { onEvent } from '../page/live.ts';
import type { Place } from '../page/place.ts';
import { me } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { PartHeading, TopBar } from '../parts/top-bar.tsx';
import { accessStrings } from '../words/access-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime, timeAgo } from '../words/times.ts';
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

function GrantList() {
  const grants = access.value?.grants ?? [];
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={accessStrings.grants} more={accessStrings.grantsMore} />
      {grants.length === 0 ? <p class="note-line">{accessStrings.noGrants}</p> : undefined}
      {grants.length === 0 ? undefined : (
        <ul class="list access">
          {grants.map(({ id, client, effects, folders, createdMs, endsMs }) => (
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
              <EndButton what="grants" id={id} name={client.name} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SessionList() {
  const sessions = access.value?.sessions ?? [];
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={accessStrings.sessions} more={accessStrings.sessionsMore} />
      {sessions.length === 0 ? (
        <p class="note-line">{accessStrings.noSessions}</p>
      ) : (
        <ul class="list access">
          {sessions.map(({ id, client, tokenName, beganMs, usedMs }) => {
            const shown = shownClient('mcp-http', client);
            return (
              <li key={id}>
                <Avatar client={shown} isSmall />
                <div class="grow">
                  <h3>
                    <bdi>{shown.name}</bdi>
                  </h3>
                  <p class="faint">
                    {shown.version === undefined ? '' : `${shown.version} · `}
                    {tokenName === undefined ? '' : `${strings.withToken(tokenName)} · `}
                    {accessStrings.sinceTime(dayAndTime(beganMs, { nowMs }))} ·{' '}
                    {accessStrings.lastCall(timeAgo(usedMs, nowMs), undefined)}
                  </p>
                </div>
                <EndButton what="open-sessions" id={id} name={shown.name} />
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function EndButton({
  what,
  id,
  name,
}: {
  readonly what: 'grants' | 'open-sessions';
  readonly id: string;
  readonly name: string;
}) {
  return (
    <button
      type="button"
      class="btn small bad"
      onClick={() => void end(what, id, accessStrings.endedOf(name))}
    >
      {accessStrings.end}
      <span class="unseen"> {name}</span>
    </button>
  );
}

function ThisConsole() {
  const consoles = me.value?.consoles ?? [];
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={accessStrings.thisConsole} more={accessStrings.thisConsoleMore}>
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
                {accessStrings.lastCall(timeAgo(usedMs, nowMs), undefined)}
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
