import type { RequestId } from '@modelcontextprotocol/server';

/** Why a request is not served, as HTTP and JSON-RPC tell it. */
export interface HttpRefusal {
  readonly status: number;
  /** A sentence that says what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of JSON-RPC; -32000, the SDK's own for whatever HTTP refuses, unless given. */
  readonly code?: number;
  /** Of the request, where one alone is refused. */
  readonly id?: RequestId | null;
}

/** What cannot be done yet may be tried again after this many seconds. */
const retryAfterSeconds = '1';

/** A refusal in the words of MCP: clients of both eras read the message of a JSON-RPC error. */
export function refuseHttp({
  status,
  message,
  headers,
  code = -32000,
  id = null,
}: HttpRefusal): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message }, id },
    { status, ...(headers === undefined ? {} : { headers }) },
  );
}

/** Refuses for now. */
export function refuseForNow(message: string): Response {
  return refuseHttp({ status: 503, message, headers: { 'Retry-After': retryAfterSeconds } });
}

/** Refuses an id that was never given out, or not to this visitor, or is no longer good. */
export function sessionNotFound(): Response {
  const message = 'Session not found. Send "initialize" without a session id to begin a new one.';
  return refuseHttp({ status: 404, code: -32001, message });
}

/**
 * What a client gets that comes back for an answer which is no longer kept. Where it can be told,
 * which request that was, it is an answer in a stream: refused, clients would go on waiting.
 */
export function answerLost(request: RequestId | undefined): Response {
  const message =
    'The connection broke, and the answer is no longer kept, perhaps because the server was restarted. What was asked for may have been done: look before you send it again.';
  if (request === undefined) return refuseHttp({ status: 400, message });
  const answer = { jsonrpc: '2.0', id: request, error: { code: -32000, message } };
  return new Response(`event: message\ndata: ${JSON.stringify(answer)}\n\n`, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' },
  });
}
