import { randomBytes } from 'node:crypto';
import type { EventStore, JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { Semaphore } from '../../../base/semaphore.ts';

/** The SDK's name for the stream that a GET opens; the streams of POSTs have random names. */
export const listeningStream = '_GET_stream';

interface EventLimits {
  readonly sessionEventsMax: number;
  readonly sessionEventBytesMax: number;
  readonly allEventBytesMax: number;
}

interface StoredEvent {
  readonly log: EventLog;
  readonly id: string;
  readonly stream: string;
  /** The request that the event's stream answers; undefined for a batch and for a GET. */
  readonly request: RequestId | undefined;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly atMs: number;
}

/** Roughly what an event takes in memory besides its message. */
const eventBytes = 200;

/**
 * The events of all sessions, oldest first. When there are too many, the oldest are dropped; the
 * oldest of all is also the oldest of its own log.
 */
export class EventMemory {
  readonly limits: EventLimits;
  readonly nowMs: () => number;
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;

  constructor(limits: EventLimits, nowMs: () => number) {
    this.limits = limits;
    this.nowMs = nowMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const { log } of this.#events) {
      if (this.#bytes <= this.limits.allEventBytesMax) return;
      log.dropOldest();
    }
  }

  remove(event: StoredEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.bytes;
  }

  /** Drops the events that are older than this: their clients do not come back for them. */
  forgetOlderThan(ms: number): void {
    const beforeMs = this.nowMs() - ms;
    for (const { atMs, log } of this.#events) {
      if (atMs >= beforeMs) return;
      log.dropOldest();
    }
  }
}

/** The latest events of one session, to be sent again to a client whose connection broke. */
export class EventLog implements EventStore {
  readonly #memory: EventMemory;
  /** Part of each event id, so that ids from before a restart are not taken for ours. */
  readonly #life = randomBytes(6).toString('base64url');
  readonly #events: StoredEvent[] = [];
  #count = 0;
  #bytes = 0;
  readonly #beginnings = new Semaphore(1);
  /** The request whose stream the SDK begins at this moment; see `beginning`. */
  #beginning: RequestId | undefined;

  constructor(memory: EventMemory) {
    this.#memory = memory;
  }

  /**
   * Runs `begin`, in which the SDK begins the stream that answers `request`, so that the ids of the
   * stream's events name the request. They run one at a time, because the SDK does not say whose
   * stream it begins.
   */
  beginning<T>(request: RequestId | undefined, begin: () => Promise<T>): Promise<T> {
    return this.#beginnings.run(async () => {
      this.#beginning = request;
      try {
        return await begin();
      } finally {
        this.#beginning = undefined;
      }
    });
  }

  /**
   * Called by the SDK before it sends a message, and with an empty message when a stream begins.
   */
  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const number = `${this.#life}.${++this.#count}`;
    const isListening = stream === listeningStream;
    // The empty message has no `jsonrpc`.
    const request = 'jsonrpc' in message ? this.#requestOf(stream) : this.#beginning;
    const id = isListening ? `listening.${number}` : `answer.${number}${named(request)}`;
    const { sessionEventsMax, sessionEventBytesMax } = this.#memory.limits;
    // A message that is too large is not kept: all others would be dropped for it. In place of an
    // answer, its client is told so, because it would wait for ever.
    const isTooLarge = eventBytes + charsIn(message) > sessionEventBytesMax;
    const kept = isTooLarge ? lostAnswer(message) : message;
    if (kept === undefined) return id;
    const bytes = eventBytes + charsIn(kept);
    const atMs = this.#memory.nowMs();
    const event = { log: this, id, stream, request, message: kept, bytes, atMs };
    this.#events.push(event);
    this.#bytes += bytes;
    while (this.#events.length > sessionEventsMax || this.#bytes > sessionEventBytesMax) {
      this.dropOldest();
    }
    this.#memory.add(event);
    return id;
  }

  has(id: string): boolean {
    return this.#events.some((event) => event.id === id);
  }

  /** Sends the later events of the same stream again. Called by the SDK, for an id that exists. */
  async replayEventsAfter(
    id: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex((event) => event.id === id);
    const { stream = listeningStream } = this.#events[at] ?? {};
    for (const event of this.#events.slice(at + 1)) {
      const isMessage = 'jsonrpc' in event.message;
      if (event.stream === stream && isMessage) await send(event.id, event.message);
    }
    return stream;
  }

  dropOldest(): void {
    const event = this.#events.shift();
    if (event === undefined) return;
    this.#bytes -= event.bytes;
    this.#memory.remove(event);
  }

  clear(): void {
    while (this.#events.length > 0) this.dropOldest();
  }

  #requestOf(stream: string): RequestId | undefined {
    return this.#events.find((event) => event.stream === stream)?.request;
  }
}

/** Whether an event belongs to the answer to a POST, even one from before a restart. */
export function isAnswerEvent(id: string): boolean {
  return id.startsWith('answer.');
}

/**
 * The request that such an event belongs to, read from its id; undefined when it is not in there.
 */
export function requestOfEvent(id: string): RequestId | undefined {
  const [kind, , , name] = id.split('.');
  if (kind !== 'answer' || name === undefined) return undefined;
  try {
    const request: unknown = JSON.parse(Buffer.from(name, 'base64url').toString());
    return typeof request === 'string' || typeof request === 'number' ? request : undefined;
  } catch {
    return undefined;
  }
}

/** What is kept in place of an answer that is too large; undefined for other messages. */
function lostAnswer(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if ('method' in message || message.id === undefined) return undefined;
  const why =
    'The connection broke, and the answer is too large to be kept for such a case. The request was carried out: check what it did, or ask for less.';
  return { jsonrpc: '2.0', id: message.id, error: { code: -32000, message: why } };
}

/** Longer ids of requests are left out of event ids, which clients send back in a header. */
const requestCharsMax = 100;

function named(request: RequestId | undefined): string {
  const text = JSON.stringify(request) ?? '';
  if (text === '' || text.length > requestCharsMax) return '';
  return `.${Buffer.from(text).toString('base64url')}`;
}

/** Roughly how many characters a value has as JSON; cheaper than making the JSON. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, inner) => sum + 8 + charsIn(inner), 0);
}
