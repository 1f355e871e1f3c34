import { signal } from '@preact/signals';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleEvent } from '../../doors/console/console-wire.ts';
import { failureOf, isSignedIn, send } from './api.ts';
import { EventReader } from './read-events.ts';

/** Whether the page hears from the server. */
type Connection =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** `sinceMs` is when the page last heard something, `retryMs` when it tries again. */
  | { readonly is: 'away'; readonly sinceMs: number; readonly retryMs: number };

export const connection = signal<Connection>({ is: 'connecting' });

type Name = ConsoleEvent['event'];
type DataOf<Event extends Name> = Extract<ConsoleEvent, { event: Event }>['data'];

const listeners = new Map<Name, Set<(data: never) => void>>();
let stream: AbortController | undefined;
let wantsCalls = false;
let wakeUp: (() => void) | undefined;

/** Calls back at every event of this kind, until the returned function is called. */
export function onEvent<Event extends Name>(
  event: Event,
  hear: (data: DataOf<Event>) => void,
): () => void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all);
  all.add(hear);
  return () => all.delete(hear);
}

/** Asks for the calls of clients as well, as long as Connect is open. */
export function hearCalls(wanted: boolean): void {
  if (wanted === wantsCalls) return;
  wantsCalls = wanted;
  stream?.abort();
  wakeUp?.();
}

/** Connects again without waiting. */
export function tryNow(): void {
  wakeUp?.();
}

/** Follows the server's events as long as the page is signed in; connects again after 1, 2, 4 … 30 s. */
export async function followServer(): Promise<void> {
  let waitMs: number = consolePageLimits.retryFirstMs;
  let heardMs = Date.now();
  while (isSignedIn.peek()) {
    stream = new AbortController();
    const began = await readStream(stream, () => {
      heardMs = Date.now();
    });
    if (!isSignedIn.peek()) return;
    if (began) waitMs = consolePageLimits.retryFirstMs;
    // A stream that the page itself has ended is opened again at once.
    if (stream.signal.reason !== 'silent' && stream.signal.aborted) continue;
    connection.value = { is: 'away', sinceMs: heardMs, retryMs: Date.now() + waitMs };
    await wait(waitMs);
    waitMs = Math.min(2 * waitMs, consolePageLimits.retryMaxMs);
  }
}

/** Reads one stream to its end. Answers whether there was one. */
async function readStream(stop: AbortController, heard: () => void): Promise<boolean> {
  const reader = new EventReader();
  const decoder = new TextDecoder();
  let began = false;
  let silence = setTimeout(() => stop.abort('silent'), consolePageLimits.silenceMs);
  try {
    const query = wantsCalls ? { calls: 1 } : {};
    const response = await send('GET', '/events', query, { signal: stop.signal });
    if (!response.ok || response.body === null) {
      await failureOf(response);
      return false;
    }
    began = true;
    connection.value = { is: 'live' };
    const body = response.body.getReader();
    for (let part = await body.read(); !part.done; part = await body.read()) {
      heard();
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort('silent'), consolePageLimits.silenceMs);
      for (const { event, data } of reader.take(decoder.decode(part.value, { stream: true }))) {
        tell(event, data);
      }
    }
  } catch {
    // The server went away, or the page ended the stream: the caller connects again.
  } finally {
    clearTimeout(silence);
  }
  return began;
}

function tell(event: string, data: string): void {
  const all = listeners.get(event as Name);
  if (all === undefined) return;
  const value = JSON.parse(data) as never;
  for (const hear of Array.from(all)) hear(value);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
