import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Visitor } from '../../../base/caller.ts';
import { limits as programLimits } from '../../../base/limits.ts';
import { faultOrigin } from '../../../base/logger.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { type AnswerForm, acceptedForm, sseToJson } from './answer-form.ts';
import type { HttpLimits, HttpParts, ServedVisitor } from './http-parts.ts';
import { refuseForNow, refuseHttp } from './http-refusal.ts';
import { HttpSessions, type ListedSession } from './http-sessions.ts';
import { ListenStreams } from './listen-streams.ts';
import { type ReadPosted, readPosted } from './read-posted.ts';
import { refuseOutOfScope } from './refuse-out-of-scope.ts';
import { SessionlessRequests } from './sessionless-requests.ts';
import { TokenWatch } from './token-watch.ts';

/**
 * Serves MCP over HTTP to any number of clients, in both versions of the protocol: 2025 (`legacy`),
 * with sessions or single requests, and 2026-07-28 (`modern`), which has no sessions. It does not
 * listen itself: each request is handed to `handle`.
 */
export class McpHttp {
  readonly #parts: HttpParts;
  readonly #sessions: HttpSessions;
  readonly #listenStreams: ListenStreams;
  readonly #sessionless: SessionlessRequests;
  /** The requests whose answers have not begun. */
  readonly #entered = new Set<Promise<Response>>();
  #isClosing = false;

  /** `limits` replaces single limits of the program, for tests. */
  constructor(given: Omit<HttpParts, 'limits'> & { readonly limits?: Partial<HttpLimits> }) {
    const parts: HttpParts = { ...given, limits: { ...programLimits, ...given.limits } };
    const watch = new TokenWatch(parts);
    this.#parts = parts;
    this.#sessions = new HttpSessions(parts, watch);
    this.#listenStreams = new ListenStreams(parts, watch);
    this.#sessionless = new SessionlessRequests(parts);
  }

  /** How many sessions are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** How many of them have a client that is connected; see `ListedSession`. */
  get connected(): number {
    return this.#sessions.connected;
  }

  /** The open sessions. */
  openSessions(): readonly ListedSession[] {
    return this.#sessions.list();
  }

  /** Ends an open session for good; false when there is none of this connection. */
  endSession(connection: string): Promise<boolean> {
    return this.#sessions.expel(connection);
  }

  /** Answers a request whose body is in memory, from a visitor who was let in. Never rejects. */
  async handle(request: Request, visitor: Visitor): Promise<Response> {
    if (this.#isClosing) return refuseForNow('The server is stopping; try again soon.');
    const answer = this.#route(request, visitor).catch((error) => this.#failure(error));
    this.#entered.add(answer);
    return answer.finally(() => this.#entered.delete(answer));
  }

  /**
   * Takes no more requests, ends the streams that only listen, and resolves when all requests are
   * answered. Those that run longer than `graceMs` are aborted; they are still answered.
   */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    this.#listenStreams.close();
    void this.#sessions.stop();
    // Sessions are stopped again at the end: a request that has just come in may begin a new one.
    const drained = Promise.all(this.#entered).then(() =>
      Promise.all([this.#sessions.stop(), this.#sessionless.drained()]),
    );
    if (!(await this.#isDoneWithin(graceMs, drained))) {
      this.#sessions.abort();
      this.#sessionless.abort();
      await this.#isDoneWithin(programLimits.lastAnswersMs, drained);
    }
    this.#sessions.close();
  }

  async #route(request: Request, from: Visitor): Promise<Response> {
    const { service, serviceOf } = this.#parts;
    const { tools, vaults } = from;
    const isOwn = (tools ?? vaults) !== undefined && serviceOf !== undefined;
    const visitor = { ...from, service: isOwn ? await serviceOf(tools, vaults) : service };
    const { method, headers } = request;
    const id = headers.get('mcp-session-id');
    if (method === 'POST') return this.#post(request, visitor);
    if (method === 'GET' && id !== null) return this.#get(request, visitor, id);
    if (method === 'DELETE' && id !== null) return this.#sessions.delete(id, visitor);
    const isOfSessions = method === 'GET' || method === 'DELETE';
    return refuseHttp({
      status: 405,
      message: isOfSessions
        ? `A ${method} needs the "Mcp-Session-Id" of a session; send "initialize" with POST to begin one.`
        : 'Send messages with POST.',
      headers: { Allow: isOfSessions ? 'POST' : 'GET, POST, DELETE' },
    });
  }

  async #post(request: Request, visitor: ServedVisitor): Promise<Response> {
    const form = acceptedForm(request.headers.get('accept'));
    if (form === undefined) return notAcceptable('application/json, text/event-stream');
    const posted = await readPosted(request, this.#parts.readLarge);
    if (posted instanceof Response) return posted;
    const refused = refuseOutOfScope(this.#parts, visitor, { request, posted });
    if (refused !== undefined) return refused;
    const answer =
      posted.era === '2026'
        ? this.#postModern(request, visitor, { ...posted, form })
        : this.#postLegacy(request, visitor, { ...posted, canAsk: form !== 'json' });
    if (form !== 'json') return answer;
    return sseToJson(await answer, { isBatch: posted.era === '2025' && posted.isBatch });
  }

  async #postModern(
    request: Request,
    visitor: ServedVisitor,
    posted: { readonly message: unknown; readonly form: AnswerForm },
  ): Promise<Response> {
    const { message, form } = posted;
    if (!isListen(message)) return this.#sessionless.serveModern(request, visitor, posted);
    if (form === 'json') return notAcceptable('text/event-stream');
    return this.#listenStreams.serve(request, visitor, message);
  }

  async #postLegacy(
    request: Request,
    visitor: ServedVisitor,
    posted: Extract<ReadPosted, { era: '2025' }> & { readonly canAsk: boolean },
  ): Promise<Response> {
    const [first] = posted.messages;
    const given = { ...posted, scopes: visitor.scopes };
    const id = request.headers.get('mcp-session-id');
    const hello = isInitializeRequest(first) ? first.params : undefined;
    if (hello === undefined && id === null) {
      return this.#sessionless.serveLegacy(request, visitor, given);
    }
    const session =
      hello === undefined
        ? await this.#sessions.find(id ?? '', visitor)
        : await this.#sessions.begin(hello, visitor);
    if (session instanceof Response) return session;
    if (!isInitializeRequest(first)) return session.post(request, given);
    // The SDK keeps the client's name as long as the session, so it gets the shortened one.
    const params = { ...first.params, clientInfo: session.facts.client };
    return session.post(request, { ...given, messages: [{ ...first, params }] });
  }

  async #get(request: Request, visitor: ServedVisitor, id: string): Promise<Response> {
    const form = acceptedForm(request.headers.get('accept'));
    if (form === undefined || form === 'json') return notAcceptable('text/event-stream');
    const session = await this.#sessions.find(id, visitor);
    return session instanceof Response ? session : session.listen(request);
  }

  #failure(error: unknown): Response {
    // For example the file that remembers deleted sessions cannot be read.
    if (error instanceof VaultError) return refuseForNow(error.message);
    this.#parts.logger.log('error', 'bug', faultOrigin(error));
    const message = 'The server failed; its log says where.';
    return refuseHttp({ status: 500, code: -32603, message });
  }

  #isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = this.#parts.timers.after(ms, () => resolve(false));
      void work.then(() => {
        stop();
        resolve(true);
      });
    });
  }
}

function notAcceptable(forms: string): Response {
  return refuseHttp({
    status: 406,
    message: `The answer is sent as ${forms}; allow that in the "Accept" header.`,
  });
}

function isListen(message: unknown): message is JSONRPCMessage & Readonly<Record<string, unknown>> {
  return (message as { readonly method?: unknown }).method === 'subscriptions/listen';
}
