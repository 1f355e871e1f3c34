import { useEffect, useState } from 'preact/hooks';
import { isGrantId } from '../../base/caller.ts';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { CallEvent, OpenSessionsAnswer } from '../../doors/console/console-wire.ts';
import { get } from '../page/api.ts';
import { hearCalls, onEvent } from '../page/live.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { shownClient } from '../words/client-name.ts';
import { connectStrings } from '../words/connect-strings.ts';
import { clockSeconds } from '../words/times.ts';
import { type Awaited, CallFinder, type ConnectClient, isCallOf } from './client-texts.ts';

/** A call of a client that has come. */
interface SeenCall extends CallEvent {
  readonly timeMs: number;
}

/** The newest calls of the client that is being connected. */
export function useFirstCalls({ client, token, isAsked, isDemo }: Awaited): readonly SeenCall[] {
  const [calls, setCalls] = useState<readonly SeenCall[]>([]);
  useEffect(() => {
    hearCalls(true);
    return () => hearCalls(false);
  }, []);
  useEffect(() => {
    const finder = new CallFinder({ client, token, isAsked, isDemo });
    return onEvent('call', (call) => {
      if (!finder.takes(call)) return;
      const seen = { ...call, timeMs: Date.now() };
      setCalls((before) => [...before, seen].slice(-consolePageLimits.shownCalls));
    });
  }, [client, token, isAsked, isDemo]);
  return calls;
}

/** Whether a client came with a token that is not valid, while the page was open. */
function useWrongToken(): boolean {
  const [isWrong, setWrong] = useState(false);
  useEffect(() => onEvent('wrong-token', () => setWrong(true)), []);
  return isWrong;
}

/** When a client was last here, and whether it still is. */
interface LastSeen {
  readonly usedMs: number;
  readonly isConnected: boolean;
}

/** The last call of a client of this name in a session that is still open; undefined if none did. */
export function useLastSeen({
  client,
  isDemo,
}: Pick<Awaited, 'client' | 'isDemo'>): LastSeen | undefined {
  const [seen, setSeen] = useState<LastSeen | undefined>(undefined);
  useEffect(() => {
    get<OpenSessionsAnswer>('/open-sessions').then(
      ({ sessions }) => {
        // Claude's other apps give the same name; claude.ai always signs in.
        const isOwn = ({ client: name, token = '' }: (typeof sessions)[number]): boolean =>
          isCallOf(client, name) &&
          (client !== 'claude-ai' || isGrantId(token)) &&
          !(isDemo && token !== '');
        const own = sessions.filter(isOwn);
        if (own.length === 0) return;
        setSeen({
          usedMs: Math.max(...own.map(({ usedMs }) => usedMs)),
          isConnected: own.some(({ isConnected }) => isConnected),
        });
      },
      // Access says what is wrong; here the page waits for a call.
      () => undefined,
    );
  }, [client, isDemo]);
  return seen;
}

function waitingWords(client: ConnectClient, signsIn: boolean): string {
  if (signsIn) return connectStrings.waitingSignIn;
  return client === 'claude-code' ? connectStrings.waitingCode : connectStrings.waitingMore;
}

/** The light: waits for the first calls of a client, shows them, and says what may be wrong. */
export function FirstCalls({
  calls,
  client: awaited,
  name,
  wasHere,
  signsIn,
}: {
  readonly calls: readonly SeenCall[];
  readonly client: ConnectClient;
  /** The client that is waited for. */
  readonly name: string;
  /** Whether it has called before. */
  readonly wasHere: boolean;
  /** Whether it is told to sign in, so that there is nothing to restart. */
  readonly signsIn: boolean;
}) {
  const [isLong, setLong] = useState(false);
  const isWrong = useWrongToken();
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), consolePageLimits.firstCallMs);
    return () => clearTimeout(timer);
  }, []);
  const from = calls.findLast(({ client }) => client !== undefined)?.client;
  if (calls.length === 0) {
    return (
      <li>
        <h2>
          <span class="waits" aria-hidden="true" /> {connectStrings.waitingFor(name, wasHere)}
        </h2>
        {isWrong ? (
          <p class="note-line warn" role="alert">
            <Icon name="warning" /> {connectStrings.wrongToken}
          </p>
        ) : undefined}
        {wasHere ? (
          <p class="faint">{connectStrings.nextCalls}</p>
        ) : isLong ? (
          <div role="status">
            <p class="faint">{connectStrings.usualReasons}</p>
            <ul class="reasons faint">
              {connectStrings.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ) : (
          <p class="faint">{waitingWords(awaited, signsIn)}</p>
        )}
      </li>
    );
  }
  const came = from === undefined ? name : shownClient('mcp-http', from).name;
  return (
    <li class="done">
      <h2>
        <bdi>{connectStrings.isHere(came)}</bdi>
      </h2>
      <p class="unseen" role="status">
        {connectStrings.isHere(came)}
      </p>
      <ul class="calls">
        {calls.map(({ timeMs, method, tool, client, ms, ok }) => (
          <li key={`${timeMs} ${method} ${tool}`}>
            <span class="faint not-phone">{clockSeconds(timeMs)}</span>
            <span class="grow">
              {tool ?? method}{' '}
              {ok ? undefined : <span class="pill bad">{connectStrings.callFailed}</span>}
              {method === 'initialize' && client !== undefined ? (
                <bdi class="faint">
                  <VisibleText text={client} />
                </bdi>
              ) : undefined}
            </span>
            <span class="faint">{connectStrings.milliseconds(ms)}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
