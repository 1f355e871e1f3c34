import { useEffect, useState } from 'preact/hooks';
import type { CreateTokenAnswer } from '../../doors/console/console-wire.ts';
import { NewTokenDialog } from '../access/new-token.tsx';
import { addressOf, type Place } from '../page/place.ts';
import { me } from '../page/server-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { CopyButton, Loading } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { shownClient } from '../words/client-name.ts';
import { connectStrings } from '../words/connect-strings.ts';
import { strings } from '../words/strings.ts';
import { bestAddress, type ConnectClient, clientText, connectClients } from './client-texts.ts';
import { FirstCalls } from './first-calls.tsx';
import { QrCode } from './qr-code.tsx';

type Connect = Extract<Place, { screen: 'connect' | 'approvals' }>;

/** For each client the ready text with the real address, and a light that says whether it worked. */
export function ConnectScreen({ place }: { readonly place: Connect }) {
  const server = me.value;
  const client = connectClients.find((known) => known === place.id) ?? 'claude-code';
  const [address, setAddress] = useState<string | undefined>(undefined);
  const shown = address ?? bestAddress(server?.addresses ?? [], location.host);
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
              <Addresses shown={shown} choose={setAddress} />
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
  const { install } = clientText(client, 'http://127.0.0.1', undefined);
  const command =
    client === 'claude-desktop' || install !== undefined
      ? `vaultdoor install ${client}`
      : 'vaultdoor serve';
  return (
    <section class="box">
      <p>{connectStrings.alone}</p>
      <Code text={command} />
    </section>
  );
}

function Steps({ client, url }: { readonly client: ConnectClient; readonly url: string }) {
  const [made, setMade] = useState<CreateTokenAnswer | undefined>(undefined);
  const [isMaking, setMaking] = useState(false);
  const name = connectStrings.connectNames[client];
  const server = me.value;
  const takesToken =
    client !== 'claude-ai' && client !== 'claude-desktop' && server?.tokens !== 'off';
  const signsIn = server?.ownerPage !== undefined;
  const isMissing = takesToken && server?.tokens === 'asked' && !signsIn && made === undefined;
  const given = made?.token ?? (isMissing ? connectStrings.tokenPlace : undefined);
  const { where, text, install } = clientText(client, url, given);
  // A token belongs to one client: the next one gets its own.
  useEffect(() => () => setMade(undefined), []);
  return (
    <section class="box">
      <ol class="steps">
        {takesToken ? (
          <li class={isMissing ? '' : 'done'}>
            <h2>{connectStrings.stepToken}</h2>
            <p class="faint">
              {made === undefined
                ? connectStrings.tokenState(isMissing, signsIn)
                : connectStrings.tokenFor(made.kept.name)}
            </p>
            <button type="button" class="btn small" onClick={() => setMaking(true)}>
              {connectStrings.makeTokenFor(name)}
            </button>
          </li>
        ) : undefined}
        <li>
          <h2>{connectStrings.stepPaste(where)}</h2>
          <Code text={text} />
          {install === undefined ? undefined : (
            <p class="faint">
              {connectStrings.orInstall} <code>vaultdoor install {install}</code>
            </p>
          )}
          {client === 'claude-desktop' ? (
            <p class="faint">{connectStrings.desktopMore}</p>
          ) : undefined}
          {client === 'claude-ai' ? (
            <p class="faint">{connectStrings.claudeAiMore(signsIn)}</p>
          ) : undefined}
        </li>
        <FirstCalls client={client} name={name} />
      </ol>
      {isMaking ? (
        <NewTokenDialog
          name={name}
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

function Code({ text }: { readonly text: string }) {
  return (
    <div class="code">
      <pre {...scrolling}>{text}</pre>
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
  const { addresses = [], publicUrls = [] } = me.value ?? {};
  const [first] = publicUrls;
  const page = first === undefined ? undefined : new URL('/c/', first).href;
  return (
    <aside class="box" aria-label={connectStrings.addresses}>
      {page === undefined ? (
        <>
          <h2>{connectStrings.onPhone}</h2>
          <p class="faint">{connectStrings.noPublic}</p>
        </>
      ) : (
        <div class="phone-code">
          <h2>{connectStrings.onPhone}</h2>
          <QrCode text={page} label={connectStrings.qrLabel(page)} />
          <p>
            <b>{new URL(page).host}</b>
          </p>
          <p class="faint">{connectStrings.phoneMore}</p>
        </div>
      )}
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
    </aside>
  );
}
