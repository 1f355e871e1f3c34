import type { Effect, Right, ServedToolset, Visitor } from '../../../base/caller.ts';
import { faultOrigin, type Logger } from '../../../base/logger.ts';
import type { SessionBook } from '../../../base/session-book.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import type { Service } from '../../../tools/service/service.ts';
import type { AppViews } from '../server/app-views.ts';
import type { HeardCall, McpConnection } from '../server/mcp-connection.ts';
import type { LargeReader } from '../server/read-message.ts';

/** The limits of this door. Tests use smaller ones. */
export interface HttpLimits {
  readonly sessionsMax: number;
  readonly sessionsPerTokenMax: number;
  readonly sessionsPerAddressMax: number;
  readonly sessionIdleMs: number;
  readonly sessionAgeMaxMs: number;
  readonly sessionEventsMax: number;
  readonly sessionEventBytesMax: number;
  readonly sessionEventMs: number;
  readonly allEventBytesMax: number;
  readonly requestsAtOnceMax: number;
  readonly tokenLookMs: number;
}

/** How a client that has signed in asks the owner for more than it was allowed. */
export interface AsksMore {
  /** The most that the owner can allow. */
  readonly rights: readonly Right[];
  /**
   * The `WWW-Authenticate` header with which a call is refused that has these effects; the client then
   * signs in anew. Undefined for visitors who have not signed in.
   */
  readonly challenge: (
    visitor: Visitor,
    asked: { readonly host: string; readonly path: string; readonly needs: readonly Effect[] },
  ) => string | undefined;
}

/** What the parts of this door need from the program. */
export interface HttpParts {
  /** Serves visitors whose token is not for certain toolsets. */
  readonly service: Service;
  /**
   * The service with these toolsets and vaults, for visitors whose token or grant is for them; always the
   * same one for the same ones. Absent where all visitors get `service`.
   */
  readonly serviceOf?: (
    tools: readonly ServedToolset[] | undefined,
    vaults?: readonly string[],
  ) => Promise<Service>;
  /** How visitors who have signed in ask for more; absent where nobody signs in. */
  readonly asksMore?: AsksMore;
  readonly logger: Logger;
  /** The program's version. */
  readonly version: string;
  /** How long a call of this tool may take; without a name, how long any other request may take. */
  readonly deadlineMs: (tool?: string) => number;
  readonly book: SessionBook;
  /**
   * Whether a token is still valid, and for these folders; when it is not, its sessions and streams are
   * closed.
   */
  readonly isValid: (token: string, folders: readonly VaultFolder[]) => Promise<boolean>;
  readonly readLarge?: LargeReader;
  /** Absent where no client is offered views. */
  readonly views?: AppViews;
  /** Called after each request of a client, with the id of its token; absent where nobody listens. */
  readonly onCall?: (call: HeardCall & { readonly token?: string }) => void;
  /** Called when a session was opened or has ended. */
  readonly onSessions?: () => void;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly nowMs: () => number;
  readonly limits: HttpLimits;
}

/** A visitor, and the service with the toolsets that are for this visitor. */
export interface ServedVisitor extends Visitor {
  readonly service: Service;
}

/** Whose sessions or streams are counted together, and how many there may be. */
export interface Owner {
  readonly id: string;
  readonly sessionsMax: number;
}

/**
 * The owner of what a visitor opens: a token or an address. Behind a proxy, clients without a token
 * cannot be told apart; they are limited by the number of all sessions alone.
 */
export function ownerOf({ token, address, isDirect }: Visitor, limits: HttpLimits): Owner {
  const { sessionsPerTokenMax, sessionsPerAddressMax } = limits;
  if (token !== undefined) return { id: `token ${token}`, sessionsMax: sessionsPerTokenMax };
  if (isDirect) return { id: `address ${address}`, sessionsMax: sessionsPerAddressMax };
  return { id: 'proxy', sessionsMax: Number.POSITIVE_INFINITY };
}

/** The connection of a single request, whose client is forgotten afterwards. */
export function requestConnection(
  parts: HttpParts,
  visitor: ServedVisitor,
  given: Pick<McpConnection, 'signal' | 'bigAnswer'>,
): McpConnection {
  const { logger, version, deadlineMs, nowMs, views } = parts;
  const { service, scopes, token } = visitor;
  return {
    service,
    logger,
    version,
    deadlineMs,
    nowMs,
    scopes,
    token,
    door: 'mcp-http',
    ...heardBy(parts, { token }),
    ...(views === undefined ? {} : { views }),
    ...given,
  };
}

/** `McpConnection.heard` for the requests of one visitor; empty where nobody listens. */
export function heardBy(
  { onCall }: HttpParts,
  { token, client }: { readonly token: string | undefined; readonly client?: string },
): Pick<McpConnection, 'heard'> {
  if (onCall === undefined) return {};
  const from = {
    ...(client === undefined ? {} : { client }),
    ...(token === undefined ? {} : { token }),
  };
  return { heard: (call) => onCall({ ...from, ...call }) };
}

/** Logs an error of the SDK without its message, which may quote what the client sent. */
export function logProtocolFault({ logger }: HttpParts): (error: Error) => void {
  return (error) => logger.log('debug', 'protocol', faultOrigin(error));
}
