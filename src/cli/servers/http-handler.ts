import type { Visitor } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { McpHttp } from '../../doors/mcp/http/mcp-http.ts';
import type { FrontDoor } from '../../net/front-door.ts';
import type { HttpHandler, Refusal, RequestHead } from '../../net/http-handler.ts';
import { RefusalLog } from './refusal-log.ts';

interface HttpHandlerParts {
  readonly mcp: Pick<McpHttp, 'handle'>;
  readonly front: Pick<FrontDoor, 'admit' | 'corsHeaders'>;
  readonly logger: Logger;
  readonly version: string;
  /** The state of the server, for `/health`. */
  readonly health: () => Promise<Health>;
  readonly nowMs: () => number;
}

export type Health = 'ok' | 'vault_not_found' | 'stopping';

const mcpPath = '/mcp';
const healthPath = '/health';
/** The paths of OAuth, where clients without a token try to sign in. They show our answer. */
const signIn = /^\/(?:register|authorize|token)$/;

/** Handles the requests of `vaultdoor serve`: MCP at `/mcp`, the state of the server at `/health`. */
export function httpHandler(parts: HttpHandlerParts): HttpHandler {
  const { front, logger } = parts;
  const refusals = new RefusalLog(logger, parts.nowMs);
  const refuse = (refusal: Refusal, address?: string): Response => {
    refusals.refused(refusal, address);
    return refusalResponse(refusal);
  };
  return {
    async admit(head) {
      const admitted = await admittedBy(front, head, refusals);
      const isRefused = 'status' in admitted;
      const answer = isRefused ? refuse(admitted, head.address) : (nothingHere(head) ?? admitted);
      return answer instanceof Response ? withHeaders(answer, front.corsHeaders(head)) : answer;
    },
    // Bodies are only read where the request was let in, with a token if one is needed.
    bodyBytesMax: (head) => (asksForToken(head) ? limits.httpBodyBytesMax : 0),
    async handle(request, visitor) {
      const { pathname: path } = new URL(request.url);
      const { method, headers } = request;
      const response = await answer(parts, request, { path, visitor });
      const head = { method, path, headers, address: visitor.address };
      return withHeaders(response, front.corsHeaders(head));
    },
    refuse: (refusal) => refuse(refusal),
  };
}

function asksForToken({ path, method }: RequestHead): boolean {
  return path === mcpPath && method !== 'OPTIONS';
}

/** The refusal for a path that is not served; undefined for one that is. */
function nothingHere({ path, method }: RequestHead): Response | undefined {
  if (path === mcpPath || path === healthPath || method === 'OPTIONS') return undefined;
  const message = signIn.test(path)
    ? 'This server has no OAuth. Make a token with `vaultdoor token create <name>` and send it as "Authorization: Bearer <token>".'
    : `There is nothing at this address; MCP is at ${mcpPath}.`;
  return refusalResponse({ status: 404, message });
}

/**
 * Lets a request in, or answers why not. Only `/mcp` needs a token: a client that looks for another
 * way to sign in must get the answer that there is none, and browsers send OPTIONS without a token.
 */
async function admittedBy(
  front: HttpHandlerParts['front'],
  head: RequestHead,
  refusals: RefusalLog,
): Promise<Refusal | Visitor> {
  try {
    return await front.admit(head, { open: !asksForToken(head) });
  } catch (error) {
    const { code, message } = toVaultError(error);
    // The message would have the path of the vault, which stays out of the log.
    const why = code === 'vault_not_found' ? '' : ` ${message}`;
    const status = 503;
    refusals.refused({ status, message: `Tokens cannot be checked: ${code}.${why}` }, head.address);
    return { status, message: 'Tokens cannot be checked now; the log of the server says why.' };
  }
}

async function answer(
  parts: HttpHandlerParts,
  request: Request,
  { path, visitor }: { readonly path: string; readonly visitor: Visitor },
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(undefined, { status: 204 });
  if (path === mcpPath) return parts.mcp.handle(request, visitor);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const headers = { Allow: 'GET, HEAD' };
    return refusalResponse({
      status: 405,
      message: 'This address can only be read: use GET.',
      headers,
    });
  }
  const status = await parts.health();
  return Response.json(
    { status, version: parts.version },
    { status: status === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** The code of JSON-RPC for errors of the server itself, which MCP clients show. */
const refusedCode = -32000;

function refusalResponse({ status, message, headers = {} }: Refusal): Response {
  const error = { code: refusedCode, message };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers: { ...headers } });
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
