import { isJSONRPCRequest, type JSONRPCMessage, type Server } from '@modelcontextprotocol/server';
import type { Scopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import type { SessionMemory } from '../../../base/session-book.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import type { Service } from '../../../tools/service/service.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import { clientName, type McpConnection } from '../server/mcp-connection.ts';
import { ResourceSubscriptions } from '../server/resource-subscriptions.ts';
import {
  EventLog,
  type EventMemory,
  isAnswerEvent,
  listeningStream,
  requestOfEvent,
} from './event-log.ts';
import { type HttpParts, heardBy, logProtocolFault, type ServedVisitor } from './http-parts.ts';
import { answerLost, refuseBusy, refuseHttp } from './http-refusal.ts';
import { HttpTransport, type Posted } from './http-transport.ts';
import { handshakeOf, type SessionFacts } from './session-id.ts';
import { isEventStream, watchBody } from './watch-body.ts';

export interface HttpSessionParts {
  readonly parts: HttpParts;
  readonly events: EventMemory;
  /** The signed id, as clients send it. */
  readonly id: string;
  readonly facts: SessionFacts;
  readonly visitor: ServedVisitor;
  /**
   * `revived` when the client made its handshake before a restart, or before the session was
   * closed.
   */
  readonly life: 'first' | 'revived';
}

/**
 * How long a client whose stream has ended waits before it asks for the stream again. Not shorter,
 * because clients give up after two tries, and a restart takes seconds.
 */
const retryMs = 3_000;

/** The first version whose clients understand an event that has only an id. */
const primingVersion = '2025-11-25';

/**
 * One session of the 2025 protocol: an SDK server with its transport, and the events that a client
 * whose connection broke can ask for again. It takes kilobytes: everything large is in the service.
 */
export class HttpSession {
  readonly facts: SessionFacts;
  /** The same for the whole session. */
  readonly service: Service;
  lastUsedMs: number;
  readonly #parts: HttpParts;
  readonly #log: EventLog;
  readonly #transport: HttpTransport;
  readonly #server: Server;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #ready: Promise<void>;
  /** What the visitor may do who began or revived the session. Each request has its own: `scopesIn`. */
  readonly #scopes: Scopes;
  /** The same for the whole session: its id is signed for this token. */
  readonly #token: string | undefined;
  #ending = new AbortController();
  /** How many streams of `listen` are open. */
  #streams = 0;
  /** How many requests wait until the session is ready. */
  #entering = 0;
  #hasCalled = false;
  #logLevel: string | undefined;
  #isEnded = false;
  /** Resources whose subscriptions could not be taken up again for now. */
  readonly #unreached = new Set<string>();
  /** The last write of what is kept, and the one that waits for it to end. */
  #kept: Promise<void> = Promise.resolve();
  #toKeep: Promise<void> | undefined;
  #memory: SessionMemory = { resources: [] };

  constructor({ parts, events, id, facts, visitor, life }: HttpSessionParts) {
    this.facts = facts;
    this.lastUsedMs = parts.nowMs();
    this.service = visitor.service;
    this.#parts = parts;
    this.#scopes = visitor.scopes;
    this.#token = visitor.token;
    this.#log = new EventLog(events);
    this.#transport = new HttpTransport({
      sessionIdGenerator: () => id,
      eventStore: this.#log,
      retryInterval: retryMs,
      keepAliveMs: limits.httpKeepAliveMs,
    });
    this.#transport.onerror = logProtocolFault(parts);
    const { service, scopes } = visitor;
    const { deadlineMs } = parts;
    this.#subscriptions = new ResourceSubscriptions({
      service,
      caller: {
        door: 'mcp-http',
        connection: facts.connection,
        scopes,
        signal: new AbortController().signal, // Subscriptions end with `disconnected`.
        deadlineMs: deadlineMs(),
      },
      notify: (uri) => this.#notify(uri),
      onChanged: () => this.#keep(),
    });
    this.#server = createMcpServer(this.#connection());
    const connected = this.#server.connect(this.#transport);
    this.#ready = life === 'revived' ? connected.then(() => this.#revive()) : connected;
  }

  /** The id of the token that it was begun with; absent where none is needed. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Whether a request is being answered. */
  get isRunning(): boolean {
    return this.#entering > 0 || this.#transport.running > 0;
  }

  /** Whether a stream is open on which the client is told of changes. */
  get isListening(): boolean {
    return this.#streams > 0;
  }

  /** Whether the client has asked for anything since the session began. */
  get hasCalled(): boolean {
    return this.#hasCalled;
  }

  /** Notes that the client has sent a request. */
  used(): void {
    this.lastUsedMs = this.#parts.nowMs();
  }

  /** Serves the messages of a POST. */
  async post(request: Request, posted: Posted): Promise<Response> {
    this.#hasCalled ||= posted.messages.some(isCall);
    await this.#untilReady();
    if (this.#transport.running + posted.messages.length > this.#parts.limits.requestsAtOnceMax) {
      return refuseBusy('Too many requests of this session are under way; wait for some answers.');
    }
    if (this.#transport.hasTakenId(posted.messages)) {
      const message = 'A request with this id is under way; give each request an id of its own.';
      return refuseHttp({ status: 400, code: -32600, message });
    }
    return this.#transport.post(request, posted);
  }

  /** Opens the stream on which the client is told of changes, or continues one that broke. */
  async listen(request: Request): Promise<Response> {
    await this.#untilReady();
    const asked = request.headers.get('last-event-id') ?? '';
    const lastEventId = this.#log.has(asked) ? asked : undefined;
    if (lastEventId === undefined && isAnswerEvent(asked)) {
      // On any other stream, the client would wait for an answer that never comes.
      return answerLost(requestOfEvent(asked));
    }
    const response = await this.#transport.listen(request, lastEventId);
    if (!isEventStream(response)) return response;
    this.#streams += 1;
    return watchBody(response, {
      signal: request.signal,
      ...(lastEventId === undefined ? { first: await this.#firstEvent() } : {}),
      onEnd: () => {
        this.#streams -= 1;
        this.lastUsedMs = this.#parts.nowMs();
      },
    });
  }

  /**
   * Ends the listening stream and asks the client nothing more. Resolves when all requests are
   * answered.
   */
  stop(): Promise<void> {
    this.#transport.stop();
    return this.#transport.drained();
  }

  /** Aborts the requests that run; they are still answered. */
  abort(): void {
    this.#ending.abort();
  }

  /** Frees everything that the session holds. Requests that still run are not answered. */
  end(): void {
    this.abort();
    this.#isEnded = true;
    this.#subscriptions.close();
    this.#server.close().catch(logProtocolFault(this.#parts));
    this.#log.clear();
    this.service.disconnected(this.facts.connection);
  }

  /** Resolves when the session can serve requests. */
  async #untilReady(): Promise<void> {
    this.#entering += 1;
    await this.#ready.finally(() => {
      this.#entering -= 1;
    });
  }

  #connection(): McpConnection {
    const session = this;
    const { service } = this;
    const { logger, version, deadlineMs, nowMs, views } = this.#parts;
    const bigAnswers = new Semaphore(limits.resourceReadsMax);
    return {
      service,
      logger,
      version,
      deadlineMs,
      nowMs,
      door: 'mcp-http',
      ...heardBy(this.#parts, { token: this.#token, client: clientName(this.facts.client) }),
      id: this.facts.connection,
      token: this.#token,
      subscriptions: this.#subscriptions,
      ...(views === undefined ? {} : { views }),
      kept: {
        logLevel: () => session.#logLevel,
        setLogLevel: (level) => {
          session.#logLevel = level;
          return session.#keep();
        },
      },
      bigAnswer: (work) => bigAnswers.run(work),
      scopes: this.#scopes,
      get signal() {
        return session.#signal();
      },
    };
  }

  /**
   * A new signal whenever nothing else runs: an old one would keep everything that ever listened to
   * it.
   */
  #signal(): AbortSignal {
    const { aborted } = this.#ending.signal;
    if (this.#transport.running <= 1 && !aborted) this.#ending = new AbortController();
    return this.#ending.signal;
  }

  /** Takes up what the session had before it was closed. */
  async #revive(): Promise<void> {
    const { book, logger } = this.#parts;
    const memory = await book.recall(this.facts.connection).catch(() => {
      logger.log('warn', 'session not recalled');
      return undefined;
    });
    this.#logLevel = memory?.logLevel;
    await this.#shakeHands();
    // Not waited for: a vault that is away must not hold up the client.
    void this.#subscribeAgain(memory?.resources ?? []);
  }

  /**
   * Subscribes to the resources again, and tells the client of each, because it may have changed
   * meanwhile. Those that the client may not see any more are left out.
   */
  async #subscribeAgain(uris: readonly string[]): Promise<void> {
    for (const uri of uris) this.#unreached.add(uri);
    const again = uris.map(async (uri) => {
      try {
        await this.#subscriptions.add(this.#server, uri);
        this.#unreached.delete(uri);
        if (this.#isEnded) this.#subscriptions.remove(this.#server, uri);
        else this.#notify(uri);
      } catch (error) {
        // A vault that is away may be back the next time.
        if (toVaultError(error).code === 'not_found') this.#unreached.delete(uri);
      }
    });
    await Promise.all(again);
  }

  #notify(uri: string): void {
    this.#server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  /** Keeps what the session takes up again when it is revived. Never rejects. */
  #keep(): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    // What is kept is taken now: when the session ends, its subscriptions end before the write.
    const logLevel = this.#logLevel;
    this.#memory = {
      resources: [...new Set([...this.#subscriptions.uris, ...this.#unreached])],
      ...(logLevel === undefined ? {} : { logLevel }),
    };
    // Changes during a write are written together, with the next one.
    this.#toKeep ??= this.#kept.then(async () => {
      this.#toKeep = undefined;
      this.#kept = this.#writeKept(this.#memory);
      return this.#kept;
    });
    return this.#toKeep;
  }

  async #writeKept(memory: SessionMemory): Promise<void> {
    const { book, logger } = this.#parts;
    await book.keep(this.facts.connection, memory).catch(() => {
      logger.log('warn', 'session not kept');
    });
  }

  /** Repeats for the SDK the handshake that the client made when the session began. */
  async #shakeHands(): Promise<void> {
    const params = handshakeOf(this.facts);
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost', { method: 'POST', headers });
    const response = await this.#transport.post(request, {
      messages: [{ jsonrpc: '2.0', id: 'revival', method: 'initialize', params: { ...params } }],
      isBatch: false,
      canAsk: false,
      scopes: this.#scopes,
    });
    await response.text();
    this.#log.clear();
  }

  /**
   * The first event of a stream: gives the client an id to come back with if it is cut off early.
   */
  async #firstEvent(): Promise<string> {
    if (this.facts.protocolVersion < primingVersion) return `retry: ${retryMs}\n\n`;
    // An event with only an id has no message; the SDK stores such events as an empty object too.
    const id = await this.#log.storeEvent(listeningStream, {} as never);
    return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
  }
}

/** Whether a message asks for something; "initialize" only begins the session. */
function isCall(message: JSONRPCMessage): boolean {
  return isJSONRPCRequest(message) && message.method !== 'initialize';
}
