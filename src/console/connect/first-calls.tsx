import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { CallEvent } from '../../doors/console/console-wire.ts';
import { hearCalls, onEvent } from '../page/live.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { connectStrings } from '../words/connect-strings.ts';
import { clockSeconds } from '../words/times.ts';
import { type ConnectClient, isCallOf } from './client-texts.ts';

interface SeenCall extends CallEvent {
  readonly timeMs: number;
}

/** The light: waits for the first calls of a client, shows them, and says what may be wrong. */
export function FirstCalls({
  client,
  name,
}: {
  readonly client: ConnectClient;
  readonly name: string;
}) {
  const [calls, setCalls] = useState<readonly SeenCall[]>([]);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    hearCalls(true);
    const timer = setTimeout(() => setLong(true), consolePageLimits.firstCallMs);
    const stop = onEvent('call', (call) => {
      if (!isCallOf(client, call.client)) return;
      const seen = { ...call, timeMs: Date.now() };
      setCalls((before) => [...before, seen].slice(-consolePageLimits.shownCalls));
    });
    return () => {
      hearCalls(false);
      clearTimeout(timer);
      stop();
    };
  }, [client]);
  if (calls.length === 0) {
    return (
      <li>
        <h2>
          <span class="waits" aria-hidden="true" /> {connectStrings.waitingFor(name)}
        </h2>
        {isLong ? (
          <div role="status">
            <p class="faint">{connectStrings.usualReasons}</p>
            <ul class="reasons faint">
              {connectStrings.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ) : (
          <p class="faint">{connectStrings.waitingMore}</p>
        )}
      </li>
    );
  }
  return (
    <li class="done">
      <h2>{connectStrings.isHere(name)}</h2>
      <p class="unseen" role="status">
        {connectStrings.isHere(name)}
      </p>
      <ul class="calls">
        {calls.map(({ timeMs, method, tool, client: from, ms, ok }) => (
          <li key={`${timeMs} ${method} ${tool}`}>
            <span class="faint not-phone">{clockSeconds(timeMs)}</span>
            <span class="grow">
              {tool ?? method}{' '}
              {ok ? undefined : <span class="pill bad">{connectStrings.callFailed}</span>}
              {method === 'initialize' && from !== undefined ? (
                <bdi class="faint">
                  <VisibleText text={from} />
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
