import { allScopes, type Visitor } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { HttpHandler, Refusal, RequestHead } from '../../net/http-handler.ts';
import { BridgeGuard, type BridgeGuardOptions } from './bridge-guard.ts';
import { refuseBridge } from './bridge-refusal.ts';
import { type BridgeRoute, bridgeRoute, isBridgePath } from './bridge-route.ts';
import { type CallParts, callTool } from './call-tool.ts';
import { bodyTooLarge, readArguments } from './read-arguments.ts';
import { ServedTools } from './served-tools.ts';
import { ToolEvents } from './tool-events.ts';

interface BridgeHttpParts extends CallParts, BridgeGuardOptions {
  /** The program's version. */
  readonly version: string;
  readonly timers: { after(ms: number, call: () => void): () => void };
}

const protocolVersion = '1';

/**
 * Serves the tools of a service in Bridge v1 over HTTP. It does not listen itself: a listener hands
 * it the requests.
 */
export class BridgeHttp implements HttpHandler {
  readonly #parts: BridgeHttpParts;
  readonly #guard: BridgeGuard;
  readonly #tools: ServedTools;
  readonly #events: ToolEvents;
  readonly #stopWatchingTools: () => void;
  /** The calls that run, each with what aborts it. */
  readonly #calls = new Map<Promise<Response>, AbortController>();

  /** Fails with `invalid_input` when an origin in `allowOrigins` is malformed. */
  constructor(parts: BridgeHttpParts) {
    const { service, scopes, timers } = parts;
    this.#parts = parts;
    this.#guard = new BridgeGuard(parts);
    this.#tools = new ServedTools(service, scopes);
    this.#events = new ToolEvents({ hash: () => this.#tools.list.hash, timers });
    this.#stopWatchingTools = this.#tools.onChange(() => this.#events.tell());
  }

  admit(head: RequestHead): Response | Visitor {
    const foreign = this.#guard.refusal(head);
    if (foreign !== undefined) return foreign;
    // A refusal here closes the connection. Requests without a body are refused later, by `handle`.
    const refused = hasBody(head.headers) ? this.#refusalOfHead(head) : undefined;
    if (refused !== undefined) return this.#withCors(head.path, refused);
    return { scopes: this.#parts.scopes, address: head.address };
  }

  bodyBytesMax(): number {
    return limits.bridgeBodyBytesMax;
  }

  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    return this.#withCors(pathname, await this.#answer(request, pathname));
  }

  refuse({ status, message, headers = {} }: Refusal): Response {
    if (status === 413) return this.#guard.withCors(bodyTooLarge());
    // The protocol's words for 400 are about the body, but the listener refuses for other reasons.
    const error = status === 400 ? { error: 'Bad request' } : {};
    return this.#guard.withCors(refuseBridge({ status, ...error, details: message, headers }));
  }

  /**
   * Ends the event streams, and resolves when every call has ended. Calls that run longer than
   * `graceMs` are aborted; they are still answered.
   */
  async close(graceMs: number): Promise<void> {
    this.#stopWatchingTools();
    this.#events.close();
    const cancelAbort = this.#parts.timers.after(graceMs, () => {
      for (const ending of this.#calls.values()) ending.abort();
    });
    await Promise.allSettled(this.#calls.keys());
    cancelAbort();
  }

  /** The refusal of a request that can be refused without reading its body; undefined otherwise. */
  #refusalOfHead(head: RequestHead): Response | undefined {
    const { method, headers } = head;
    if (method === 'OPTIONS' && isBridgePath(head.path)) return undefined;
    const route = bridgeRoute(head);
    if (route instanceof Response) return route;
    if (Number(headers.get('content-length')) > limits.bridgeBodyBytesMax) return bodyTooLarge();
    return this.#unknownTool(route);
  }

  async #answer(request: Request, path: string): Promise<Response> {
    const { method, headers } = request;
    if (method === 'OPTIONS' && isBridgePath(path)) return new Response(undefined, { status: 204 });
    const route = bridgeRoute({ method, path, headers });
    if (route instanceof Response) return route;
    const unknown = this.#unknownTool(route);
    if (unknown !== undefined) return unknown;
    const answered = await this.#answerRoute(request, route);
    return method === 'HEAD' ? new Response(undefined, answered) : answered;
  }

  async #answerRoute(request: Request, route: BridgeRoute): Promise<Response> {
    switch (route.to) {
      case 'health':
        return Response.json({ status: 'ok', version: this.#parts.version, protocolVersion });
      case 'tools':
        return this.#listTools(request);
      case 'events':
        return this.#events.open();
      case 'call':
        return this.#call(request, route.name ?? '');
    }
  }

  #listTools(request: Request): Response {
    const { hash, body } = this.#tools.list;
    const headers = { ETag: `"${hash}"` };
    if (hasTag(request.headers.get('if-none-match'), hash)) {
      return new Response(undefined, { status: 304, headers });
    }
    return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } });
  }

  async #call(request: Request, name: string): Promise<Response> {
    const args = await readArguments(request);
    if (args instanceof Response) return args;
    const ending = new AbortController();
    const { headers, signal } = request;
    signal.addEventListener('abort', () => ending.abort(), { once: true });
    if (signal.aborted) ending.abort();
    const running = callTool(this.#parts, { name, args, headers, signal: ending.signal });
    this.#calls.set(running, ending);
    return running.finally(() => this.#calls.delete(running));
  }

  /** The refusal of a call whose tool is not served; undefined when it is. */
  #unknownTool(route: BridgeRoute): Response | undefined {
    if (route.to !== 'call') return undefined;
    const { name } = route;
    const { names } = this.#tools.list;
    if (name !== undefined && names.has(name)) return undefined;
    const details = this.#whyNot(name ?? '');
    return refuseBridge({
      status: 404,
      error: 'Tool not found',
      ...(details === undefined ? {} : { details }),
    });
  }

  /** What to say of a tool that is not served; undefined when there is nothing to say. */
  #whyNot(name: string): string | undefined {
    const all = this.#parts.service.list(allScopes.effects);
    if (all.some((tool) => tool.name === name)) {
      return `"${name}" is not served here: this server only reads.`;
    }
    const instead = this.#parts.service.insteadOf(name, this.#parts.scopes.effects);
    return instead === undefined ? undefined : `There is no tool of this name; ${instead}.`;
  }

  /** Adds CORS headers to answers below `/bridge/v1`; answers at other paths get none. */
  #withCors(path: string, response: Response): Response {
    return isBridgePath(path) ? this.#guard.withCors(response) : response;
  }
}

function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** Whether an If-None-Match header names this hash: the client has the list already. */
function hasTag(ifNoneMatch: string | null, hash: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${hash}"`);
}
