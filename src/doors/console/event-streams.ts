import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { apiAnswer } from './console-answers.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import type { ConsoleEvent } from './console-wire.ts';

interface OpenStream {
  readonly session: string;
  /** Whether it is told about the calls of clients. */
  readonly hearsCalls: boolean;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

interface StreamParts extends Pick<ConsoleParts, 'news' | 'timers' | 'version'> {
  readonly sessions: Pick<ConsoleSessions, 'ended' | 'list'>;
}

/**
 * The event streams of open pages. While there is one, what happens in the vaults is asked for. A
 * stream ends with the sign-in that it was opened with.
 */
export class EventStreams {
  readonly #parts: StreamParts;
  readonly #open = new Set<OpenStream>();
  /** Grows with every event, in all streams together. */
  #id = 0;
  /** The last event of each kind that says how something is now: a new stream begins with these. */
  readonly #latest = new Map<string, ConsoleEvent>();
  #stopListening: (() => void) | undefined;
  #stopKeepAlive: (() => void) | undefined;
  #stopLooking: (() => void) | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    parts.sessions.ended.add((id) => this.#endOf(id));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream, which begins with `hello`. Fails with `busy` when there are too many. */
  async open(given: Pick<OpenStream, 'session' | 'hearsCalls'>): Promise<Response> {
    if (this.size >= limits.consoleStreamsMax) {
      const message = `${limits.consoleStreamsMax} pages of the console are open already; close some of them.`;
      throw new VaultError('busy', message, { details: { retryAfterMs: 30_000 } });
    }
    let own: OpenStream | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = { ...given, controller };
        this.#open.add(own);
        controller.enqueue(encoded('retry: 1000\n\n'));
      },
      cancel: () => {
        if (own !== undefined) this.#remove(own);
      },
    });
    this.#begin();
    // Only now: a change that is made while this is asked for is told as an event, or is in it.
    const vaults = await this.#parts.news.latest();
    const { version } = this.#parts;
    if (own !== undefined) {
      this.#send([own], { event: 'hello', data: { version, vaults } });
      for (const event of this.#latest.values()) this.#send([own], event);
    }
    const headers = { 'X-Accel-Buffering': 'no' };
    return apiAnswer(body, 'text/event-stream', { headers });
  }

  /** Tells the pages of one sign-in. */
  tellSession(session: string, event: ConsoleEvent): void {
    this.#send(
      [...this.#open].filter((stream) => stream.session === session),
      event,
    );
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of [...this.#open]) this.#end(stream);
  }

  #begin(): void {
    this.#stopListening ??= this.#parts.news.listen((event) => this.#tell(event));
    this.#stopKeepAlive ??= this.#keepAliveLater();
    this.#stopLooking ??= this.#lookLater();
  }

  #tell(event: ConsoleEvent): void {
    if (states.includes(event.event)) {
      const about = 'vault' in event.data ? event.data.vault : '';
      this.#latest.set(JSON.stringify([event.event, about]), event);
    }
    const all = [...this.#open];
    this.#send(
      ofCalls.includes(event.event) ? all.filter(({ hearsCalls }) => hearsCalls) : all,
      event,
    );
  }

  #send(streams: readonly OpenStream[], { event, data }: ConsoleEvent): void {
    if (streams.length === 0) return;
    this.#id += 1;
    const bytes = encoded(`id: ${this.#id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (const stream of streams) if (this.#open.has(stream)) stream.controller.enqueue(bytes);
  }

  /** Sends a sign of life from time to time. */
  #keepAliveLater(): () => void {
    return this.#parts.timers.after(limits.httpKeepAliveMs, () => {
      for (const stream of this.#open) stream.controller.enqueue(stillHere);
      this.#stopKeepAlive = this.size === 0 ? undefined : this.#keepAliveLater();
    });
  }

  /** Ends the streams whose sign-in is over: it may have ended by time, or at another node. */
  #lookLater(): () => void {
    const { timers, sessions } = this.#parts;
    const stop = timers.after(limits.consoleLookMs, () => {
      const looking = sessions.list().then((listed) => {
        const open = new Set(listed.map(({ id }) => id));
        for (const stream of [...this.#open]) if (!open.has(stream.session)) this.#end(stream);
      });
      void looking
        .catch(() => undefined) // Nobody is signed out because that cannot be found out.
        .then(() => {
          // Otherwise the last page has gone meanwhile, and for the next one it has begun anew.
          if (this.#stopLooking === stop) this.#stopLooking = this.#lookLater();
        });
    });
    return stop;
  }

  #endOf(session: string): void {
    for (const stream of [...this.#open]) if (stream.session === session) this.#end(stream);
  }

  #end(stream: OpenStream): void {
    stream.controller.close();
    this.#remove(stream);
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.size > 0) return;
    this.#latest.clear();
    this.#stopListening?.();
    this.#stopKeepAlive?.();
    this.#stopLooking?.();
    this.#stopListening = undefined;
    this.#stopKeepAlive = undefined;
    this.#stopLooking = undefined;
  }
}

/** The events that say how something is, and not what has happened. */
const states: readonly ConsoleEvent['event'][] = ['question', 'index', 'session', 'vault'];

/** The events for pages that hear calls. */
const ofCalls: readonly ConsoleEvent['event'][] = ['call', 'wrong-token'];

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const stillHere = encoded(': still here\n\n');
