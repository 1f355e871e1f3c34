import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Visitor } from '../../../base/caller.ts';
import { limits as allLimits } from '../../../base/limits.ts';
import { faultOrigin } from '../../../base/logger.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { type AnswerForm, acceptedForm } from './accept.ts';
import { HttpExchanges } from './http-exchanges.ts';
import { HttpListening } from './http-listening.ts';
import { type HttpLimits, type HttpParts, httpLimits } from './http-parts.ts';
import { refuseForNow, refuseHttp } from './http-refusal.ts';
import { HttpSessions } from './http-sessions.ts';
import { type ReadPosted, readPosted } from './read-posted.ts';
import { sseToJson } from './sse-to-json.ts';
import { TokenWatch } from './token-watch.ts';

/** What the door is made of; limits are those of the program unless given. */
export type McpHttpParts = Omit<HttpParts, 'limits'> & { readonly limits?: Partial<HttpLimits> };

/** MCP over HTTP, whatever listens for the requests. */
export interface McpHttp {
  /** Answers a request whose body is in memory, from someone who was let in. Never rejects. */
  handle(request: Request, visitor: Visitor): Promise<Response>;
  /**
   * Takes nothing more, ends the streams that only listen, and finishes what runs. What takes longer
   * than this is aborted; it is answered all the same.
   */
  close(graceMs: number): Promise<void>;
  /** How many sessions are open. */
  readonly sessions: number;
}

/**
 * Serves any number of clients, in both eras of the protocol: sessions and single requests of 2025,
 * and the requests of 2026-07-28, which have no session.
 */
export function createMcpHttp(given: McpHttpParts): McpHttp {
  const parts: HttpParts = { ...given, limits: { ...httpLimits, ...given.limits } };
  const watch = new TokenWatch(parts);
  const sessions = new HttpSessions(parts, watch);
  const listening = new HttpListening(parts, watch);
  const exchanges = new HttpExchanges(parts);
  /** The requests whose answers have not begun. */
  const entered = new Set<Promise<Response>>();
  let isClosing = false;

  async function post(request: Request, visitor: Visitor): Promise<Response> {
    const form = acceptedForm(request.headers.get('accept'));
    if (form === undefined) return notAcceptable('application/json, text/event-stream');
    const posted = await readPosted(request);
    if (posted instanceof Response) return posted;
    const answer =
      posted.era === '2026'
        ? postModern(request, visitor, { ...posted, form })
        : postLegacy(request, visitor, { ...posted, canAsk: form !== 'json' });
    if (form !== 'json') return answer;
    return sseToJson(await answer, { isBatch: posted.era === '2025' && posted.isBatch });
  }

  async function postModern(
    request: Request,
    visitor: Visitor,
    posted: { readonly message: unknown; readonly form: AnswerForm },
  ): Promise<Response> {
    const { message, form } = posted;
    if (!isListen(message)) return exchanges.serveModern(request, visitor, posted);
    if (form === 'json') return notAcceptable('text/event-stream');
    return listening.serve(request, visitor, message);
  }

  async function postLegacy(
    request: Request,
    visitor: Visitor,
    posted: Extract<ReadPosted, { era: '2025' }> & { readonly canAsk: boolean },
  ): Promise<Response> {
    const [first] = posted.messages;
    const id = request.headers.get('mcp-session-id');
    const hello = isInitializeRequest(first) ? first.params : undefined;
    if (hello === undefined && id === null) {
      return exchanges.serveStateless(request, visitor, posted);
    }
    const session =
      hello === undefined
        ? await sessions.find(id ?? '', visitor)
        : await sessions.begin(hello, visitor);
    if (session instanceof Response) return session;
    if (!isInitializeRequest(first)) return session.post(request, posted);
    // The SDK keeps what it is told here as long as the session: no more of it than is used.
    const params = { ...first.params, clientInfo: session.facts.client };
    return session.post(request, { ...posted, messages: [{ ...first, params }] });
  }

  async function get(request: Request, visitor: Visitor, id: string): Promise<Response> {
    const form = acceptedForm(request.headers.get('accept'));
    if (form === undefined || form === 'json') return notAcceptable('text/event-stream');
    const session = await sessions.find(id, visitor);
    return session instanceof Response ? session : session.listen(request);
  }

  async function route(request: Request, visitor: Visitor): Promise<Response> {
    const { method, headers } = request;
    const id = headers.get('mcp-session-id');
    if (method === 'POST') return post(request, visitor);
    if (method === 'GET' && id !== null) return get(request, visitor, id);
    if (method === 'DELETE' && id !== null) return sessions.delete(id, visitor);
    const isOfSessions = method === 'GET' || method === 'DELETE';
    return refuseHttp({
      status: 405,
      message: isOfSessions
        ? `A ${method} needs the "Mcp-Session-Id" of a session; "initialize", sent with POST, begins one.`
        : 'Send messages with POST.',
      headers: { Allow: isOfSessions ? 'POST' : 'GET, POST, DELETE' },
    });
  }

  function failure(error: unknown): Response {
    // The book of sessions may not be readable.
    if (error instanceof VaultError) return refuseForNow(error.message);
    parts.logger.log('error', 'bug', faultOrigin(error));
    const message = 'The server failed; its log says where.';
    return refuseHttp({ status: 500, code: -32603, message });
  }

  /** Whether it came true within this time. */
  function within(ms: number, work: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = parts.timers.after(ms, () => resolve(false));
      void work.then(() => {
        stop();
        resolve(true);
      });
    });
  }

  return {
    get sessions() {
      return sessions.size;
    },
    async handle(request, visitor) {
      if (isClosing) return refuseForNow('The server is stopping; try again soon.');
      const answer = route(request, visitor).catch(failure);
      entered.add(answer);
      return answer.finally(() => entered.delete(answer));
    },
    async close(graceMs) {
      isClosing = true;
      listening.close();
      void sessions.stop();
      // What has just come in may be on its way to a session.
      const drained = Promise.all(entered).then(() =>
        Promise.all([sessions.stop(), exchanges.drained()]),
      );
      if (!(await within(graceMs, drained))) {
        sessions.abort();
        exchanges.abort();
        await within(allLimits.lastAnswersMs, drained);
      }
      sessions.close();
    },
  };
}

function notAcceptable(forms: string): Response {
  return refuseHttp({ status: 406, message: `The answer is one of ${forms}; accept it.` });
}

function isListen(message: unknown): message is JSONRPCMessage & Readonly<Record<string, unknown>> {
  return (message as { readonly method?: unknown }).method === 'subscriptions/listen';
}
