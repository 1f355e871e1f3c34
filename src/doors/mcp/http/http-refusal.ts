import type { RequestId } from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';

/** Why a request is not served, for HTTP and for JSON-RPC. */
interface HttpRefusal {
  readonly status: number;
  /** A sentence that tells the user what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON-RPC code; by default -32000, which the SDK uses for all HTTP refusals. */
  readonly code?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  /** The id of the refused request; null when it is not known, or for a batch. */
  readonly id?: RequestId | null;
}

/** How long a client should wait before it tries again. */
const tryAgain = { 'Retry-After': String(Math.ceil(limits.busyRetryMs / 1_000)) };

/** A refusal as a JSON-RPC error, whose message clients of both protocol versions read. */
export function refuseHttp({
  status,
  message,
  headers,
  code = -32000,
  id = null,
  data,
}: HttpRefusal): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id },
    { status, ...(headers === undefined ? {} : { headers }) },
  );
}

/** A refusal with 503: the client may try again soon. */
export function refuseForNow(message: string): Response {
  return refuseHttp({ status: 503, message, headers: tryAgain });
}

/** A refusal with 429: this client asks for too much at once (`busy`). */
export function refuseBusy(message: string): Response {
  const data = { errorCode: 'BUSY', retryAfterMs: limits.busyRetryMs };
  return refuseHttp({ status: 429, message, headers: tryAgain, data });
}

/** The refusal of a session id that is unknown, deleted, expired, or of another visitor. */
export function sessionNotFound(): Response {
  const message = 'Session not found. Send "initialize" without a session id to begin a new one.';
  return refuseHttp({ status: 404, code: -32001, message });
}

/**
 * Tells a client that came back for an answer that the answer is no longer kept. If the request is
 * known, this is sent as its answer, in an event stream: after a refusal, clients would go on
 * waiting for the answer.
 */
export function answerLost(request: RequestId | undefined): Response {
  const message =
    'The connection broke, and the answer is no longer kept, perhaps because the server was restarted. The request may have been carried out: check before you send it again.';
  if (request === undefined) return refuseHttp({ status: 400, message });
  const answer = { jsonrpc: '2.0', id: request, error: { code: -32000, message } };
  return new Response(`event: message\ndata: ${JSON.stringify(answer)}\n\n`, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' },
  });
}
