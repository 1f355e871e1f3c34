import type { InitializeRequest } from '@modelcontextprotocol/server';
import { limits as allLimits } from '../../../base/limits.ts';
import { clientName } from '../server/mcp-connection.ts';
import { EventMemory } from './event-log.ts';
import { type HttpParts, heardBy, type Owner, ownerOf, type ServedVisitor } from './http-parts.ts';
import { refuseBusy, refuseForNow, refuseHttp, sessionNotFound } from './http-refusal.ts';
import { HttpSession, type HttpSessionParts } from './http-session.ts';
import { newSessionFacts, readSessionId, type SessionFacts, signSessionId } from './session-id.ts';
import type { Guest, TokenWatch } from './token-watch.ts';

/** How often idle sessions are closed and old events dropped. */
const sweepMs = 60_000;

/** An open session, as the owner is shown it. */
export interface ListedSession {
  /** The history groups the changes of the session by it. */
  readonly connection: string;
  readonly client: string;
  /** The id of its token or grant. */
  readonly token?: string;
  readonly beganMs: number;
  readonly usedMs: number;
  /**
   * Whether its client has a stream or a request open, or has called within `limits.sessionHereMs`.
   * Clients seldom end a session when they go, so it may be open without them.
   */
  readonly isConnected: boolean;
}

interface OpenSession {
  readonly session: HttpSession;
  readonly guest: Guest;
  readonly owner: Owner;
}

/**
 * The sessions of the 2025 protocol. A session that we closed, because it was idle or room was
 * needed, is revived when its client comes back, and so is one from before a restart: the session
 * id holds all that is needed. Only a session that its client has deleted cannot be revived.
 */
export class HttpSessions {
  readonly #parts: HttpParts;
  readonly #watch: TokenWatch;
  readonly #events: EventMemory;
  /** By the UUIDs of their connections; the most recently used one is last. */
  readonly #open = new Map<string, OpenSession>();
  #stopSweeping: (() => void) | undefined;

  constructor(parts: HttpParts, watch: TokenWatch) {
    this.#parts = parts;
    this.#watch = watch;
    this.#events = new EventMemory(parts.limits, parts.nowMs);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The open sessions, the most recently used one last. */
  list(): readonly ListedSession[] {
    return [...this.#open.values()].map(({ session }) => {
      const { facts, token, lastUsedMs } = session;
      const { connection, beganMs, client } = facts;
      return {
        connection,
        client: clientName(client),
        ...(token === undefined ? {} : { token }),
        beganMs,
        usedMs: lastUsedMs,
        isConnected: this.#isConnected(session),
      };
    });
  }

  /** How many clients are connected. Sessions of one name and token are one client. */
  get connected(): number {
    const here = this.list().filter(({ isConnected }) => isConnected);
    return new Set(here.map(({ client, token = '' }) => `${client} ${token}`)).size;
  }

  #isConnected({ isRunning, isListening, lastUsedMs }: HttpSession): boolean {
    const isRecent = this.#parts.nowMs() - lastUsedMs < allLimits.sessionHereMs;
    return isRunning || isListening || isRecent;
  }

  /** Ends an open session for good, for the owner; false when there is none of this connection. */
  async expel(connection: string): Promise<boolean> {
    const open = this.#open.get(connection);
    if (open === undefined) return false;
    const { book, limits } = this.#parts;
    await book.deleted(connection, open.session.facts.beganMs + limits.sessionAgeMaxMs);
    this.#end(connection, 'owner');
    return true;
  }

  /** Begins a session for a client that sent `initialize`; a response refuses it. */
  async begin(
    hello: InitializeRequest['params'],
    visitor: ServedVisitor,
  ): Promise<HttpSession | Response> {
    if (JSON.stringify(hello.capabilities).length > allLimits.capabilitiesCharsMax) {
      const message = 'The capabilities of this client are too long; send fewer of them.';
      return refuseHttp({ status: 413, message });
    }
    const facts = newSessionFacts(hello, this.#parts.nowMs());
    const key = await this.#parts.book.key();
    const id = signSessionId(facts, { key, token: visitor.token });
    const client = clientName(facts.client);
    const { heard } = heardBy(this.#parts, { token: visitor.token, client });
    heard?.({ method: 'initialize', ms: 0, ok: true });
    return this.#add({ id, facts, visitor, life: 'first' });
  }

  /** The session with an id that this visitor was given; a response when there is none. */
  async find(id: string, visitor: ServedVisitor): Promise<HttpSession | Response> {
    const facts = await this.#factsOf(id, visitor);
    if (facts === undefined) return sessionNotFound();
    const { connection } = facts;
    if (!this.#open.has(connection) && (await this.#parts.book.isDeleted(connection))) {
      return sessionNotFound();
    }
    const open = this.#openFor(connection, visitor);
    if (open === undefined) return this.#add({ id, facts, visitor, life: 'revived' });
    this.#open.delete(connection); // Becomes the last one: the most recently used.
    this.#open.set(connection, open);
    open.session.used();
    return open.session;
  }

  /** Ends a session for good. */
  async delete(id: string, visitor: ServedVisitor): Promise<Response> {
    const facts = await this.#factsOf(id, visitor);
    const { book, limits } = this.#parts;
    if (facts === undefined || (await book.isDeleted(facts.connection))) return sessionNotFound();
    await book.deleted(facts.connection, facts.beganMs + limits.sessionAgeMaxMs);
    this.#end(facts.connection, 'deleted');
    return new Response(null, { status: 200 });
  }

  /** Ends the listening streams of all sessions. Resolves when all requests are answered. */
  async stop(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ session }) => session.stop()));
  }

  /** Aborts the requests that run; they are still answered. */
  abort(): void {
    for (const { session } of this.#open.values()) session.abort();
  }

  close(): void {
    this.#stopSweeping?.();
    for (const connection of [...this.#open.keys()]) this.#end(connection, 'closed');
  }

  /**
   * The open session of a connection. One that serves other toolsets than its visitor has now is ended
   * first: the owner has changed the grant, and the session is revived with the new toolsets.
   */
  #openFor(connection: string, { service }: ServedVisitor): OpenSession | undefined {
    const open = this.#open.get(connection);
    if (open === undefined || open.session.service === service) return open;
    this.#end(connection, 'tools');
    return undefined;
  }

  /** What a session id says; undefined when it is forged, of another token, or too old. */
  async #factsOf(id: string, { token }: ServedVisitor): Promise<SessionFacts | undefined> {
    const { book, nowMs, limits } = this.#parts;
    const facts = readSessionId(id, { key: await book.key(), token });
    if (facts === undefined || nowMs() - facts.beganMs > limits.sessionAgeMaxMs) return undefined;
    return facts;
  }

  #add(given: Omit<HttpSessionParts, 'parts' | 'events'>): HttpSession | Response {
    const owner = ownerOf(given.visitor, this.#parts.limits);
    const refused = this.#makeRoom(owner);
    if (refused !== undefined) return refused;
    const parts = this.#parts;
    const session = new HttpSession({ ...given, parts, events: this.#events });
    const { facts, visitor, life } = given;
    const { connection } = facts;
    const guest: Guest = {
      token: visitor.token,
      folders: visitor.scopes.folders,
      end: () => this.#end(connection, 'token'),
    };
    this.#open.set(connection, { session, guest, owner });
    this.#watch.add(guest);
    parts.logger.log('debug', 'session', { life, sessions: this.size });
    parts.onSessions?.();
    this.#stopSweeping ??= parts.timers.after(sweepMs, () => this.#sweep());
    return session;
  }

  /**
   * Closes a session of the same owner if the owner has too many, and any session if there are too
   * many in all. Refuses only when every one of them is answering a request.
   */
  #makeRoom(owner: Owner): Response | undefined {
    const { limits } = this.#parts;
    const all = [...this.#open];
    const own = all.filter(([, open]) => open.owner.id === owner.id);
    if (own.length >= owner.sessionsMax && !this.#endOneOf(own)) {
      return refuseBusy(`${own.length} sessions of yours are in use; end some of them.`);
    }
    if (this.size >= limits.sessionsMax && !this.#endOneOf(all)) {
      return refuseForNow('Too many sessions are in use; try again later.');
    }
    return undefined;
  }

  /**
   * Closes the session that is missed least: one that has never called, before one that has; one
   * that does not listen, before one that does; and then the one that was used longest ago. False
   * when all of them are answering requests.
   */
  #endOneOf(sessions: readonly (readonly [string, OpenSession])[]): boolean {
    const worth = ({ session }: OpenSession): number =>
      (session.hasCalled ? 2 : 0) + (session.isListening ? 1 : 0);
    const [first, ...others] = sessions.filter(([, { session }]) => !session.isRunning);
    if (first === undefined) return false;
    // They are in the order of their last use, so of several with the same worth the first goes.
    const [connection] = others.reduce(
      (least, next) => (worth(next[1]) < worth(least[1]) ? next : least),
      first,
    );
    this.#end(connection, 'room');
    return true;
  }

  #sweep(): void {
    const { nowMs, limits, timers } = this.#parts;
    for (const [connection, { session }] of [...this.#open]) {
      const idleMs = nowMs() - session.lastUsedMs;
      const isIdle = !session.isRunning && !session.isListening;
      if (idleMs > limits.sessionIdleMs && isIdle) this.#end(connection, 'idle');
    }
    this.#events.forgetOlderThan(limits.sessionEventMs);
    this.#stopSweeping = this.size === 0 ? undefined : timers.after(sweepMs, () => this.#sweep());
  }

  #end(connection: string, why: string): void {
    const open = this.#open.get(connection);
    if (open === undefined) return;
    this.#open.delete(connection);
    this.#watch.remove(open.guest);
    open.session.end();
    this.#parts.logger.log('debug', 'session', { ends: why, sessions: this.size });
    this.#parts.onSessions?.();
  }
}
