import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller, Door, Scopes } from '../../../base/caller.ts';
import type { Logger } from '../../../base/logger.ts';
import { faultOrigin } from '../../../base/logger.ts';
import { toVaultError, type VaultError } from '../../../base/vault-error.ts';
import type { Service } from '../../../tools/service/service.ts';
import { clientOf } from './client-of.ts';
import { protocolError } from './mcp-errors.ts';
import type { ResourceSubscriptions } from './resource-subscriptions.ts';

/** One connection of a client, whatever carries it. */
export interface McpConnection {
  readonly service: Service;
  readonly logger: Logger;
  readonly door: Door;
  /** Random; history groups by it what was done through this connection. Absent if it has no memory. */
  readonly id?: string;
  /** The program's version. */
  readonly version: string;
  readonly scopes: Scopes;
  /** Aborted when calls may not finish any more; they are answered all the same. */
  readonly signal: AbortSignal;
  /** How long a call of this tool may take; without a name, how long all else may. */
  readonly deadlineMs: (tool?: string) => number;
  /** Absent where nobody could be told later. */
  readonly subscriptions?: ResourceSubscriptions;
  /** Runs what may have a big answer: a few at once, and none while the client has yet to read. */
  readonly bigAnswer: <T>(work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
}

/** Longer names of clients are cut: history and log keep them. */
const clientCharsMax = 100;

/** Who makes this request. */
export function callerOf(
  connection: McpConnection,
  server: Server,
  context: ServerContext,
): Caller {
  const { door, id, scopes, deadlineMs } = connection;
  const { info } = clientOf(server, context);
  return {
    door,
    ...(id === undefined ? {} : { connection: id }),
    scopes,
    signal: AbortSignal.any([context.mcpReq.signal, connection.signal]),
    deadlineMs: deadlineMs(),
    ...(info === undefined ? {} : { client: clientName(info) }),
  };
}

/** Runs what is no tool: a failure becomes a JSON-RPC error. `uri` is the resource it is about. */
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
    logger.log('debug', 'request', { method, ms: nowMs() - startMs, ok: true });
    return result;
  } catch (thrown) {
    const error = toVaultError(thrown);
    logger.log('debug', 'request', { method, ms: nowMs() - startMs, ok: false, code: error.code });
    logBug(logger, error);
    throw protocolError(error, uri);
  }
}

/** Tells the log where a failure comes from that should not have happened. */
export function logBug(logger: Logger, error: VaultError): void {
  if (error.code === 'internal') logger.log('error', 'bug', faultOrigin(error.cause ?? error));
}

function clientName({
  name,
  version,
}: {
  readonly name: string;
  readonly version: string;
}): string {
  return `${name}/${version}`.replace(/\p{Cc}/gu, ' ').slice(0, clientCharsMax);
}
