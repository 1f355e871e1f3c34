import { useEffect, useState } from 'preact/hooks';
import type { CreateTokenAnswer } from '../../doors/console/console-wire.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { NewTokenDialog } from '../access/new-token.tsx';
import { isHere } from '../page/is-here.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo, me, vaultShown } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { CopyButton, Loading } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { shownClient } from '../words/client-name.ts';
import { connectStrings } from '../words/connect-strings.ts';
import { strings } from '../words/strings.ts';
import {
  bestAddress,
  type ConnectClient,
  clientText,
  connectClients,
  publicAddress,
  removeCommand,
} from './client-texts.ts';
import { FirstCalls, useFirstCalls, useLastSeen } from './first-calls.tsx';
import { QrCode } from './qr-code.tsx';

type Connect = Extract<Place, { screen: 'connect' | 'approvals' }>;

/** For each client the ready text with the real address, and a light that says whether it worked. */
export function ConnectScreen({ place }: { readonly place: Connect }) {
  const server = me.value;
  const client = connectClients.find((known) => known === place.id) ?? 'claude-code';
  const [address, setAddress] = useState<string | undefined>(undefined);
  const addresses = server?.addresses ?? [];
  // claude.ai has no choice: it comes from the internet.
  const isFromElsewhere = client === 'claude-ai';
  const shown =
    (isFromElsewhere ? publicAddress(addresses) : address) ?? bestAddress(addresses, location.host);
  return (
    <>
      <TopBar title={strings.screens.connect} more={connectStrings.connectMore} />
      <section class="scroll pad" {...scrolling} aria-label={strings.screens.connect}>
        <div class="column wide">
          <ClientTabs place={place} client={client} />
          {server === undefined ? <Loading /> : undefined}
          {server !== undefined && (server.isAlone || shown === undefined) ? (
            <Alone client={client} />
          ) : undefined}
          {server === undefined || server.isAlone || shown === undefined ? undefined : (
            <div class="beside">
              <Steps key={client} client={client} url={shown} />
              {isFromElsewhere && publicAddress(addresses) === undefined ? undefined : (
                <aside aria-label={connectStrings.addresses}>
                  {isFromElsewhere ? undefined : <Addresses shown={shown} choose={setAddress} />}
                  <OnPhone />
                </aside>
              )}
            </div>
          )}
        </div>
      </section>
    </>
  );
}

function ClientTabs({
  place,
  client,
}: {
  readonly place: Connect;
  readonly client: ConnectClient;
}) {
  return (
    <nav class="clients" aria-label={connectStrings.clients}>
      {connectClients.map((known) => (
        <a
          key={known}
          href={addressOf({ ...place, screen: 'connect', id: known })}
          aria-current={known === client ? 'true' : undefined}
        >
          <Avatar client={shownClient('mcp-http', connectStrings.connectNames[known])} />
          {connectStrings.connectNames[known]}
        </a>
      ))}
    </nav>
  );
}

/** Where no MCP is served: the client starts the program by itself. */
function Alone({ client }: { readonly client: ConnectClient }) {
  const { commands } = vaultShown.value ?? {};
  if (client === 'claude-ai' || client === 'other') {
    return (
      <section class="box">
        <p>{connectStrings.aloneServe}</p>
        <Command text={commands?.serve ?? ''} />
      </section>
    );
  }
  return (
    <section class="box">
      <p>{connectStrings.alone}</p>
      <Command text={commands?.install[client] ?? ''} />
      <p class="faint">{connectStrings.notHeard}</p>
      <details>
        <summary>{connectStrings.takeOut}</summary>
        <p>{connectStrings.takeOutRun}</p>
        <Command text={commands?.uninstall[client] ?? ''} />
      </details>
    </section>
  );
}

function Steps({ client, url }: { readonly client: ConnectClient; readonly url: string }) {
  const [made, setMade] = useState<CreateTokenAnswer | undefined>(undefined);
  const [isMaking, setMaking] = useState(false);
  const name = connectStrings.clientNames[client];
  const server = me.value;
  const takesToken =
    client !== 'claude-ai' && client !== 'claude-desktop' && server?.tokens !== 'off';
  const signsIn = server?.ownerPage !== undefined;
  const isAsked = server?.tokens === 'asked';
  const isMissing = takesToken && isAsked && !signsIn && made === undefined;
  const { isDemo = false, isHistoryApart: isApart = false } = server ?? {};
  const calls = useFirstCalls({ client, token: made?.kept.id, isAsked, isDemo });
  const seen = useLastSeen({ client, isDemo });
  // A token belongs to one client: the next one gets its own.
  useEffect(() => () => setMade(undefined), []);
  if (client === 'claude-ai' && publicAddress([url]) === undefined) return <NeedsPublic />;
  if (client === 'claude-desktop' && isDemo) return <DemoDesktop />;
  const given = made?.token ?? (isMissing ? connectStrings.tokenPlace : undefined);
  const { install, uninstall } = vaultShown.value?.commands ?? {};
  const { where, text } =
    client === 'claude-desktop'
      ? { where: connectStrings.runThis, text: install?.[client] ?? '' }
      : clientText(client, url, given);
  // What `install` writes starts a program of its own: it has no token, and is for this machine.
  const canInstall = given === undefined && isHere(location.hostname) && !isDemo;
  const other = client === 'claude-ai' || client === 'claude-desktop' || client === 'other';
  return (
    <section class="box">
      {seen === undefined || calls.length > 0 ? undefined : (
        <p class="note-line">
          {(seen.isConnected ? connectStrings.isConnected : connectStrings.wasHere)(
            name,
            timeAgo(seen.usedMs, Date.now()),
          )}
        </p>
      )}
      <ol class="steps">
        {takesToken ? (
          <li class={made === undefined ? '' : 'done'}>
            <h2>{connectStrings.stepToken(isMissing || made !== undefined)}</h2>
            <p class="faint">
              {made === undefined
                ? connectStrings.tokenState(isMissing, signsIn, canUndo.value)
                : connectStrings.tokenFor(made.kept.name)}
            </p>
            <button type="button" class="btn small" onClick={() => setMaking(true)}>
              {connectStrings.makeTokenFor(name)}
            </button>
          </li>
        ) : undefined}
        <li class={calls.length > 0 ? 'done' : ''}>
          <h2>{connectStrings.stepPaste(where)}</h2>
          {client === 'claude-desktop' ? <Command text={text} /> : <Code text={text} />}
          {isDemo ? <p class="faint">{connectStrings.demoAddress}</p> : undefined}
          {takesToken && given === undefined && !signsIn ? (
            <p class="faint">{connectStrings.withoutToken(server?.toolsets ?? [])}</p>
          ) : undefined}
          {other || !canInstall || install === undefined ? undefined : (
            <>
              <p class="faint">{connectStrings.orInstall}</p>
              <Command text={install[client]} />
            </>
          )}
          {client === 'claude-desktop' ? (
            <p class="faint">
              {isApart ? connectStrings.desktopApart : connectStrings.desktopMore}
            </p>
          ) : undefined}
          {client === 'claude-ai' ? (
            <p class="faint">{connectStrings.claudeAiMore(signsIn)}</p>
          ) : undefined}
        </li>
        {client === 'claude-desktop' ? (
          <li>
            <h2>{connectStrings.restart(name)}</h2>
            <p class="faint">{isApart ? connectStrings.notShared : connectStrings.notHeard}</p>
          </li>
        ) : (
          <FirstCalls
            calls={calls}
            client={client}
            name={name}
            wasHere={seen !== undefined}
            signsIn={client === 'claude-ai'}
          />
        )}
      </ol>
      <TakeOut
        client={client}
        where={where}
        takesToken={takesToken}
        uninstall={
          other && client !== 'claude-desktop'
            ? undefined
            : canInstall
              ? uninstall?.[client]
              : undefined
        }
      />
      {isMaking ? (
        <NewTokenDialog
          name={client === 'other' ? '' : name}
          onClose={() => setMaking(false)}
          onMade={(answer) => {
            setMade(answer);
            setMaking(false);
          }}
        />
      ) : undefined}
    </section>
  );
}

/** How the client is disconnected again. */
function TakeOut({
  client,
  where,
  takesToken,
  uninstall,
}: {
  readonly client: ConnectClient;
  /** Where the entry was put. */
  readonly where: string;
  readonly takesToken: boolean;
  /** The command that takes back what the command of the page has written, where it has one. */
  readonly uninstall: string | undefined;
}) {
  const command = removeCommand(client);
  const isDesktop = client === 'claude-desktop';
  return (
    <details>
      <summary>{connectStrings.takeOut}</summary>
      {isDesktop ? undefined : (
        <p>
          {client === 'claude-ai'
            ? connectStrings.takeOutConnector
            : command === undefined
              ? connectStrings.takeOutOf(where)
              : connectStrings.takeOutRun}
        </p>
      )}
      {command === undefined ? undefined : <Code text={command} />}
      {takesToken ? <p>{connectStrings.takeOutToken}</p> : undefined}
      {uninstall === undefined ? undefined : (
        <>
          <p>{connectStrings.takeOutInstalled}</p>
          <Command text={uninstall} />
        </>
      )}
    </details>
  );
}

/** What claude.ai needs, where the server has no public address. */
function NeedsPublic() {
  return (
    <section class="box">
      <h2>{connectStrings.needsPublic}</h2>
      <p>{connectStrings.needsPublicMore}</p>
      <Command text={me.value?.setupCommand ?? ''} />
      <p class="faint">{connectStrings.needsPublicDocs}</p>
    </section>
  );
}

/** Why Claude Desktop is not given the vault of the demo, and how it gets another. */
function DemoDesktop() {
  return (
    <section class="box">
      <p>{connectStrings.demoDesktop}</p>
      <Command text={connectStrings.demoSetup} />
    </section>
  );
}

/** A command of this program, and in which folder it works. */
function Command({ text }: { readonly text: string }) {
  const folder = me.value?.commandFolder;
  return (
    <>
      <Code text={text} />
      {folder === undefined ? undefined : <p class="faint">{connectStrings.inFolder(folder)}</p>}
    </>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <CopyButton text={() => text} />
    </div>
  );
}

function Addresses({
  shown,
  choose,
}: {
  readonly shown: string;
  readonly choose: (address: string) => void;
}) {
  const { addresses = [] } = me.value ?? {};
  return (
    <section class="box">
      <label class="labelled">
        {connectStrings.address}
        <select
          class="field"
          value={shown}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {addresses.map((address) => (
            <option key={address} value={address}>
              {address}
            </option>
          ))}
        </select>
      </label>
      <p class="faint">{connectStrings.addressMore}</p>
    </section>
  );
}

/** How the server gets an address that a phone can reach. */
function NoPublic() {
  const serve = vaultShown.value?.commands.serve;
  return (
    <>
      <p class="faint">{connectStrings.noPublic}</p>
      <Command text={me.value?.setupCommand ?? ''} />
      {serve === undefined || me.value?.isDemo ? undefined : (
        <>
          <p class="faint">{connectStrings.noPublicServe}</p>
          <Code text={`${serve} ${connectStrings.publicFlag}`} />
        </>
      )}
    </>
  );
}

/** The way to this console on a phone. */
function OnPhone() {
  const [first] = me.value?.publicUrls ?? [];
  const page = first === undefined ? undefined : new URL('/c/', first).href;
  return (
    <section class="box">
      <h2>{connectStrings.onPhone}</h2>
      {page === undefined ? (
        <NoPublic />
      ) : (
        <div class="phone-code">
          <QrCode text={page} label={connectStrings.qrLabel(page)} />
          <p>
            <b>{new URL(page).host}</b>
          </p>
          <p class="faint">{connectStrings.phoneMore}</p>
        </div>
      )}
    </section>
  );
}
