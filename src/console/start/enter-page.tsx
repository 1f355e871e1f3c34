import { useEffect, useState } from 'preact/hooks';
import type { EnterAnswer, EnterRequest } from '../../doors/console/console-wire.ts';
import { go } from '../page/address.ts';
import { type ApiFailure, asFailure, keepKey, post } from '../page/api.ts';
import { isHere } from '../page/is-here.ts';
import { type Place, readPlace } from '../page/place.ts';
import { Mark } from '../parts/icon.tsx';
import { strings } from '../words/strings.ts';

const storedReturn = 'vaultdoor-return';

/** Remembers where the owner was, for after the next sign-in. */
export function rememberPlace(): void {
  sessionStorage.setItem(storedReturn, location.pathname + location.search + location.hash);
}

/** Takes the one-time key out of the address, so that it is in no history. */
export function takeKey(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('k') ?? undefined;
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return key;
}

/** Opens the console with a one-time key, or says how to get one. */
export function EnterPage({ oneTimeKey }: { readonly oneTimeKey: string | undefined }) {
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const [isTrying, setTrying] = useState(oneTimeKey !== undefined);
  useEffect(() => {
    if (oneTimeKey === undefined) return;
    const request: EnterRequest = { key: oneTimeKey };
    post<EnterAnswer>('/enter', request).then(
      ({ key }) => {
        keepKey(key);
        go(placeBefore(), 'replace');
      },
      (error: unknown) => {
        setFailure(asFailure(error));
        setTrying(false);
      },
    );
  }, [oneTimeKey]);
  const title = failure === undefined ? strings.signedOut : strings.linkFailed;
  useEffect(() => {
    document.title = strings.title(isTrying ? strings.entering : title);
  }, [isTrying, title]);
  if (isTrying) {
    return (
      <main class="gate">
        <Mark />
        <h1>{strings.entering}</h1>
      </main>
    );
  }
  const here = isHere(location.hostname);
  return (
    <main class="gate">
      <Mark />
      <h1>{title}</h1>
      {failure === undefined ? undefined : <p role="alert">{failure.message}</p>}
      {here ? undefined : <SignIn text={strings.signInHere} />}
      <p class={here ? undefined : 'faint'}>
        {strings.onTheMachine} <code>{strings.consoleCommand}</code> {strings.withoutLink}
      </p>
      {here ? (
        <>
          <p class="faint">{strings.ofDemo}</p>
          <SignIn text={strings.elsewhere} />
        </>
      ) : undefined}
    </main>
  );
}

/** The way to the owner's sign-in, which leads back here, where this server has one. */
function SignIn({ text }: { readonly text: string }) {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    fetch('/owner', { redirect: 'manual' }).then(
      ({ status }) => setThere(status !== 404),
      () => undefined,
    );
  }, []);
  if (!isThere) return null;
  return (
    <>
      <p class="faint">{text}</p>
      <a class="btn main" href="/owner?to=console">
        {strings.signIn}
      </a>
    </>
  );
}

/** Where the owner was before; Activity when that is not known. */
function placeBefore(): Place {
  const kept = sessionStorage.getItem(storedReturn);
  sessionStorage.removeItem(storedReturn);
  const address = kept === null ? undefined : new URL(kept, location.origin);
  const place =
    address === undefined ? undefined : readPlace(address.pathname, address.search, address.hash);
  const isPage = place !== undefined && place.screen !== 'enter' && place.screen !== 'unknown';
  return isPage ? place : { screen: 'activity', filter: {} };
}
