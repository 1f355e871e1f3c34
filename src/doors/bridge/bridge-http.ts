import { limits } from '../../base/limits.ts';
import type { HttpHandler, RequestHead } from '../../net/http-handler.ts';
import { BridgeGuard, type BridgeGuardOptions } from './bridge-guard.ts';
import { refuseBridge } from './bridge-refusal.ts';
import { type BridgeRoute, bridgeRoute, isBridgePath } from './bridge-route.ts';
import { type CallParts, callTool } from './call-tool.ts';
import { bodyTooLarge, readCall } from './read-call.ts';
import { ServedTools } from './served-tools.ts';
import { ToolEvents } from './tool-events.ts';

export interface BridgeHttpParts extends CallParts, BridgeGuardOptions {
  /** The program's version. */
  readonly version: string;
  readonly timers: { after(ms: number, call: () => void): () => void };
}

/** Bridge v1 over HTTP, whatever listens for the requests. */
export interface BridgeHttp extends HttpHandler {
  /**
   * Ends the streams that only listen, and resolves when every call has ended. Calls that take longer
   * than this are aborted; they are answered all the same.
   */
  close(graceMs: number): Promise<void>;
}

const protocolVersion = '1';

/**
 * Serves the tools of a service in Bridge v1. Fails with `invalid_input` when an origin that is to be
 * allowed is none.
 */
export function createBridgeHttp(parts: BridgeHttpParts): BridgeHttp {
  const { service, scopes, version, timers } = parts;
  const guard = new BridgeGuard(parts);
  const tools = new ServedTools(service, scopes);
  const events = new ToolEvents({ hash: () => tools.list.hash, timers });
  const stopListening = tools.onChange(() => events.tell());
  const calls = new Map<Promise<Response>, AbortController>();

  function isUnknown(route: BridgeRoute): boolean {
    return route.to === 'call' && (route.name === undefined || !tools.list.names.has(route.name));
  }

  /** What can be refused before the body is read, which is then never read. */
  function refusalOfHead(head: RequestHead): Response | undefined {
    const { method, headers } = head;
    if (method === 'OPTIONS' && isBridgePath(head.path)) return undefined;
    const route = bridgeRoute(head);
    if (route instanceof Response) return route;
    if (Number(headers.get('content-length')) > limits.bridgeBodyBytesMax) return bodyTooLarge();
    return isUnknown(route) ? toolNotFound() : undefined;
  }

  async function answer(request: Request, route: BridgeRoute): Promise<Response> {
    switch (route.to) {
      case 'health':
        return Response.json({ status: 'ok', version, protocolVersion });
      case 'tools':
        return listTools(request);
      case 'events':
        return events.open();
      case 'call':
        return call(request, route.name ?? '');
    }
  }

  function listTools(request: Request): Response {
    const { hash, body } = tools.list;
    const headers = { ETag: `"${hash}"` };
    if (knows(request.headers.get('if-none-match'), hash)) {
      return new Response(undefined, { status: 304, headers });
    }
    return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } });
  }

  async function call(request: Request, name: string): Promise<Response> {
    const args = await readCall(request);
    if (args instanceof Response) return args;
    const ending = new AbortController();
    const { headers, signal } = request;
    signal.addEventListener('abort', () => ending.abort(), { once: true });
    if (signal.aborted) ending.abort();
    const running = callTool(parts, { name, args, headers, signal: ending.signal });
    calls.set(running, ending);
    return running.finally(() => calls.delete(running));
  }

  async function handle(request: Request, path: string): Promise<Response> {
    const { method, headers } = request;
    if (method === 'OPTIONS' && isBridgePath(path)) return new Response(undefined, { status: 204 });
    const route = bridgeRoute({ method, path, headers });
    if (route instanceof Response) return route;
    if (isUnknown(route)) return toolNotFound();
    const answered = await answer(request, route);
    return method === 'HEAD' ? new Response(undefined, answered) : answered;
  }

  /** An answer as clients of Bridge v1 get it; at other addresses nobody is let in from elsewhere. */
  const sent = (path: string, response: Response): Response =>
    isBridgePath(path) ? guard.withCors(response) : response;

  return {
    admit(head) {
      const foreign = guard.refusal(head);
      if (foreign !== undefined) return foreign;
      const refused = hasBody(head.headers) ? refusalOfHead(head) : undefined;
      return refused === undefined ? { scopes, address: head.address } : sent(head.path, refused);
    },
    bodyBytesMax: () => limits.bridgeBodyBytesMax,
    async handle(request) {
      const { pathname } = new URL(request.url);
      return sent(pathname, await handle(request, pathname));
    },
    refuse({ status, message, headers = {} }) {
      if (status === 413) return guard.withCors(bodyTooLarge());
      // What the listener calls a bad request is not about its body.
      const error = status === 400 ? { error: 'Bad request' } : {};
      return guard.withCors(refuseBridge({ status, ...error, details: message, headers }));
    },
    async close(graceMs) {
      stopListening();
      events.close();
      const cancelAbort = timers.after(graceMs, () => {
        for (const ending of calls.values()) ending.abort();
      });
      await Promise.allSettled(calls.keys());
      cancelAbort();
    },
  };
}

function toolNotFound(): Response {
  return refuseBridge({ status: 404, error: 'Tool not found' });
}

function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** Whether someone has the list of this hash already. */
function knows(ifNoneMatch: string | null, hash: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${hash}"`);
}
