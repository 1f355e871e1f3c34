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
  /** What else can be asked about the state of the server, by path; `/health` among them comes first. */
  readonly states?: StatePaths;
  readonly nowMs: () => number;
  /** What else is served under paths of its own: signing in, and the owner's console. */
  readonly doors?: readonly OwnDoor[];
  /** The paths of the public URLs, such as `/notes`: MCP is at `/notes/mcp` too. */
  readonly prefixes?: readonly string[];
}

/** What is answered at some paths: the state of the server, for machines that watch it. */
export type StatePaths = ReadonlyMap<
  string,
  () => { readonly status: number; readonly body: object }
>;

/** A door that decides itself whom it lets in: clients need no token there. */
interface OwnDoor {
  /** Whether this path is one of its own. */
  serves(path: string): boolean;
  /** Resolves when the other methods can be called; absent where they always can. */
  ready?(): Promise<void>;
  bodyBytesMax(head: RequestHead): number | Promise<number>;
  /** Whether web pages of every site may send requests to this path; absent where none may. */
  isOpenToAllOrigins?(path: string): boolean;
  handle(request: Request, address: string): Promise<Response>;
  /** A refusal in the format of this path; undefined when the door is not ready. */
  refusal(path: string, refusal: Refusal): Response | undefined;
}

export type Health = 'ok' | 'vault_not_found' | 'stopping';

const mcpPath = '/mcp';
const healthPath = '/health';
/** The paths of OAuth, where clients without a token try to sign in. They show our answer. */
const signInPaths = /^\/(?:register|authorize|token)$/;

/**
 * Handles the requests of `vaultdoor serve`: MCP at `/mcp`, the state of the server at `/health`, the
 * pages and documents of signing in, and the console.
 */
export function httpHandler(given: HttpHandlerParts): HttpHandler {
  const parts = { ...given, mcpPaths: mcpPathsOf(given.prefixes ?? []) };
  const { front, logger, doors = [], mcpPaths } = parts;
  const refusals = new RefusalLog(logger, parts.nowMs);
  const doorAt = (path: string): OwnDoor | undefined => doors.find((door) => door.serves(path));
  const refuse = (refusal: Refusal, at: { path?: string | undefined; address?: string }) => {
    refusals.refused(refusal, at.address);
    const { path = '' } = at;
    return doorAt(path)?.refusal(path, refusal) ?? refusalResponse(refusal);
  };
  const asksForToken = ({ path, method }: RequestHead): boolean =>
    mcpPaths.has(path) && method !== 'OPTIONS';
  return {
    async admit(head) {
      const { path } = head;
      const door = doorAt(path);
      await door?.ready?.();
      const open = !asksForToken(head);
      const anyOrigin = door?.isOpenToAllOrigins?.(path) === true;
      const admitted = await admittedBy(parts, head, { open, anyOrigin, refusals });
      const nothing = door === undefined ? nothingHere(head, parts) : undefined;
      const answer = 'status' in admitted ? refuse(admitted, head) : (nothing ?? admitted);
      // A door of its own says itself which sites may read its answers.
      const isOurs = door === undefined && answer instanceof Response;
      return isOurs ? withHeaders(answer, front.corsHeaders(head)) : answer;
    },
    // Bodies are only read where the request was let in, with a token if one is needed.
    bodyBytesMax: (head) =>
      doorAt(head.path)?.bodyBytesMax(head) ?? (asksForToken(head) ? limits.httpBodyBytesMax : 0),
    async handle(request, visitor) {
      const { pathname: path } = new URL(request.url);
      const { method, headers } = request;
      const { address } = visitor;
      const door = doorAt(path);
      if (door !== undefined) return door.handle(request, address);
      const response = await answer(parts, request, { path, visitor });
      return withHeaders(response, front.corsHeaders({ method, path, headers, address }));
    },
    refuse: (refusal, path) => refuse(refusal, { path }),
  };
}

function mcpPathsOf(prefixes: readonly string[]): ReadonlySet<string> {
  return new Set(['', ...prefixes].map((prefix) => `${prefix}${mcpPath}`));
}

/** The refusal for a path that is not served; undefined for one that is. */
function nothingHere(
  { path, method }: RequestHead,
  { mcpPaths, states }: Pick<HttpHandlerParts, 'states'> & { mcpPaths: ReadonlySet<string> },
): Response | undefined {
  const isServed = mcpPaths.has(path) || path === healthPath || states?.has(path);
  if (isServed || method === 'OPTIONS') return undefined;
  const message = signInPaths.test(path)
    ? 'This server has no OAuth. Make a token with `vaultdoor token create <name>` and send it as "Authorization: Bearer <token>".'
    : `There is nothing at this address; MCP is at ${mcpPath}.`;
  return refusalResponse({ status: 404, message });
}

/**
 * Lets a request in, or answers why not. Only `/mcp` needs a token: a client that looks for another
 * way to sign in must get the answer that there is none, and browsers send OPTIONS without a token.
 */
async function admittedBy(
  { front }: HttpHandlerParts,
  head: RequestHead,
  {
    refusals,
    ...options
  }: { readonly open: boolean; readonly anyOrigin: boolean; readonly refusals: RefusalLog },
): Promise<Refusal | Visitor> {
  try {
    return await front.admit(head, options);
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
  parts: HttpHandlerParts & { readonly mcpPaths: ReadonlySet<string> },
  request: Request,
  { path, visitor }: { readonly path: string; readonly visitor: Visitor },
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(undefined, { status: 204 });
  if (parts.mcpPaths.has(path)) return parts.mcp.handle(request, visitor);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const headers = { Allow: 'GET, HEAD' };
    return refusalResponse({
      status: 405,
      message: 'This address can only be read: use GET.',
      headers,
    });
  }
  const state = parts.states?.get(path)?.();
  if (state !== undefined) {
    const headers = { 'Cache-Control': 'no-store' };
    return Response.json(
      { ...state.body, version: parts.version },
      { status: state.status, headers },
    );
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
