import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller, Door, Scopes } from '../../../base/caller.ts';
import { faultOrigin, type Logger } from '../../../base/logger.ts';
import { toVaultError, type VaultError } from '../../../base/vault-error.ts';
import type { Service } from '../../../tools/service/service.ts';
import { type AppViews, showsViews } from './app-views.ts';
import { protocolError } from './mcp-errors.ts';
import type { ResourceSubscriptions } from './resource-subscriptions.ts';

/** The connection of one client, over stdio or HTTP. */
export interface McpConnection {
  readonly service: Service;
  readonly logger: Logger;
  readonly door: Door;
  /**
   * Random; the history groups the changes of a connection by it. Absent for a request without a
   * session.
   */
  readonly id?: string;
  /** The program's version. */
  readonly version: string;
  /** What the client may do. A request over HTTP may come with other scopes: see `scopesIn`. */
  readonly scopes: Scopes;
  /** The id of the client's token, if it has one. */
  readonly token?: string | undefined;
  /** Aborted when the server stops before calls have finished; they are still answered. */
  readonly signal: AbortSignal;
  /** See `Caller`; absent where the connection does not say so. */
  readonly hasLeft?: () => boolean;
  /** How long a call of this tool may take; without a name, how long any other request may take. */
  readonly deadlineMs: (tool?: string) => number;
  /** The vault that the client works in, where several are served; see `Caller.prefers`. */
  readonly prefers?: () => Promise<string | undefined>;
  /** What a session that is revived takes up again; absent where none is. */
  readonly kept?: KeptSession;
  /** Absent where no client is offered any; see `viewsFor`. */
  readonly views?: AppViews;
  /** Absent where the client cannot be notified later: a request without a session. */
  readonly subscriptions?: ResourceSubscriptions;
  /**
   * Runs work whose answer may be large. Only a few run at once, and over stdio none begins while
   * the client has not read earlier answers.
   */
  readonly bigAnswer: <T>(work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
  /** Called after each request that was answered, for the owner; absent where nobody wants to know. */
  readonly heard?: (call: HeardCall) => void;
}

/** A request of a client, without anything that it is about. */
export interface HeardCall {
  /** The client's name and version; absent when it has not said them. */
  readonly client?: string;
  readonly method: string;
  readonly tool?: string;
  readonly ms: number;
  readonly ok: boolean;
}

/** What is kept of a session, so that a client that comes back need not say it again. */
interface KeptSession {
  /** The level that the client has set for the log; undefined when it has set none. */
  logLevel(): string | undefined;
  /** Never rejects: a level that cannot be kept holds as long as the session is open. */
  setLogLevel(level: string): Promise<void>;
}

/** Longer names of clients are cut, because history and log keep them. */
const clientCharsMax = 100;

/** The connection during one request, whose log the client may hear; see `ClientLog`. */
export type DuringRequest = (context: ServerContext) => McpConnection;

/**
 * What the client of a request says about itself: in the handshake of the 2025 protocol, or in each
 * request of 2026-07-28.
 */
export function clientOf(
  server: Server,
  context: ServerContext,
): {
  readonly info?: Implementation | undefined;
  readonly capabilities?: ClientCapabilities | undefined;
} {
  const info = server.getClientVersion();
  if (info !== undefined) return { info, capabilities: server.getClientCapabilities() };
  // The SDK has checked the envelope, but its type does not say so.
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return {
    info: envelope?.[CLIENT_INFO_META_KEY] as Implementation | undefined,
    capabilities: envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
  };
}

/** The views that the client of a request can show; undefined where it has not said that it shows any. */
export function viewsFor(
  { views }: McpConnection,
  server: Server,
  context: ServerContext,
): AppViews | undefined {
  return showsViews(clientOf(server, context).capabilities) ? views : undefined;
}

/** What the SDK hands, with each request of a POST, to our handlers. See `scopesIn`. */
export function authInfoOf(scopes: Scopes): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { scopes } };
}

/**
 * What the client of a request may do. Tokens of one grant share its sessions, and a request with a
 * token for reading must not be served with what another token allows.
 */
export function scopesIn({ scopes }: McpConnection, { http }: ServerContext): Scopes {
  return (http?.authInfo?.extra?.['scopes'] as Scopes | undefined) ?? scopes;
}

/** The caller that the service sees for a request. */
export function callerOf(
  connection: McpConnection,
  server: Server,
  context: ServerContext,
): Caller {
  const { door, id, token, deadlineMs, hasLeft } = connection;
  const { info } = clientOf(server, context);
  return {
    door,
    ...(id === undefined ? {} : { connection: id }),
    scopes: scopesIn(connection, context),
    ...(token === undefined ? {} : { token }),
    signal: AbortSignal.any([context.mcpReq.signal, connection.signal]),
    ...(hasLeft === undefined ? {} : { hasLeft }),
    deadlineMs: deadlineMs(),
    ...(info === undefined ? {} : { client: clientName(info) }),
  };
}

/** The same, for a request that may leave open which of several vaults is meant. */
export async function preferringCaller(
  connection: McpConnection,
  server: Server,
  context: ServerContext,
): Promise<Caller> {
  const prefers = await connection.prefers?.();
  const caller = callerOf(connection, server, context);
  return prefers === undefined ? caller : { ...caller, prefers };
}

/**
 * Answers and logs a request other than `tools/call`: a failure becomes a JSON-RPC error. `uri` is
 * the resource that the request is about.
 */
export async function answer<T>(
  connection: McpConnection,
  method: string,
  run: () => Promise<T> | T,
  uri?: string,
): Promise<T> {
  const { logger, nowMs } = connection;
  const startMs = nowMs();
  try {
    const result = await run();
    const ms = nowMs() - startMs;
    logger.log('debug', 'request', { method, ms, ok: true });
    connection.heard?.({ method, ms, ok: true });
    return result;
  } catch (thrown) {
    const error = toVaultError(thrown);
    const ms = nowMs() - startMs;
    logger.log('debug', 'request', { method, ms, ok: false, code: error.code });
    connection.heard?.({ method, ms, ok: false });
    logBug(logger, error);
    throw protocolError(error, uri);
  }
}

/** Logs where an internal error was thrown; other errors are not bugs and are not logged. */
export function logBug(logger: Logger, error: VaultError): void {
  if (error.code === 'internal') logger.log('error', 'bug', faultOrigin(error.cause ?? error));
}

/** The name and version of a client as one text. */
export function clientName({ name, version }: Implementation): string {
  return `${name}/${version}`.replace(/\p{Cc}/gu, ' ').slice(0, clientCharsMax);
}
