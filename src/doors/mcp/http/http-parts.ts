import type { Visitor } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import type { Logger } from '../../../base/logger.ts';
import { faultOrigin } from '../../../base/logger.ts';
import type { Service } from '../../../tools/service/service.ts';
import type { McpConnection } from '../server/mcp-connection.ts';

/** The limits of the HTTP door that a test may want to reach. */
export const httpLimits: HttpLimits = limits;
export interface HttpLimits {
  readonly sessionsMax: number;
  readonly sessionIdleMs: number;
  readonly sessionAgeMaxMs: number;
  readonly sessionEventsMax: number;
  readonly sessionEventBytesMax: number;
  readonly sessionEventMs: number;
  readonly allEventBytesMax: number;
  readonly requestsAtOnceMax: number;
  readonly tokenLookMs: number;
}

/** What must outlive the process, so that clients do not notice a restart. */
export interface SessionBook {
  /** The key that ids are signed with; the same after a restart. */
  key(): Promise<Uint8Array>;
  /** Remembers a deleted session until it could not be revived any more. */
  deleted(connection: string, untilMs: number): Promise<void>;
  isDeleted(connection: string): Promise<boolean>;
}

/** What the HTTP door is made of. */
export interface HttpParts {
  readonly service: Service;
  readonly logger: Logger;
  /** The program's version. */
  readonly version: string;
  /** How long a call of this tool may take; without a name, how long all else may. */
  readonly deadlineMs: (tool?: string) => number;
  readonly book: SessionBook;
  /** Whether a token is still valid: the sessions and streams of others are closed. */
  readonly isValid: (token: string) => Promise<boolean>;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly nowMs: () => number;
  readonly limits: HttpLimits;
}

/** The connection of one request whose client is not remembered afterwards. */
export function passingConnection(
  parts: HttpParts,
  visitor: Visitor,
  given: Pick<McpConnection, 'signal' | 'bigAnswer'>,
): McpConnection {
  const { service, logger, version, deadlineMs, nowMs } = parts;
  const { scopes } = visitor;
  return { service, logger, version, deadlineMs, nowMs, scopes, door: 'mcp-http', ...given };
}

/** Tells the log of what the SDK could not do, without its messages: they quote what was sent. */
export function protocolFault({ logger }: HttpParts): (error: Error) => void {
  return (error) => logger.log('debug', 'protocol', faultOrigin(error));
}
