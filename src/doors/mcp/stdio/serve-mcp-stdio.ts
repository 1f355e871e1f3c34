import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Scopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import type { Logger } from '../../../base/logger.ts';
import { faultOrigin } from '../../../base/logger.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import type { Service } from '../../../tools/service/service.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import type { McpConnection } from '../server/mcp-connection.ts';
import { ResourceSubscriptions } from '../server/resource-subscriptions.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface McpStdioParts {
  readonly service: Service;
  readonly input: Readable;
  readonly output: Writable;
  readonly logger: Logger;
  /** Told to leave. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  /**
   * Called once, when something is asked that may need a vault, or the first answer is out: work
   * that is begun earlier only keeps the client waiting for it.
   */
  readonly onNeeded?: () => void;
  /** The first line is an "initialize" whose answer is out already (`greeting.ts`). */
  readonly isGreeted?: boolean;
  /** How long what runs may go on after the end; `limits.shutdownMs` unless given. */
  readonly shutdownMs?: number;
}

/**
 * Serves one client over two streams, in both eras of the protocol. Resolves when the client has
 * left or the signal came, all that ran is answered, and every answer is written.
 */
export async function serveMcpStdio(parts: McpStdioParts): Promise<void> {
  const { service, input, output, logger, signal, scopes, deadlineMs, isGreeted = false } = parts;
  const id = randomBytes(8).toString('hex');
  const ending = new AbortController();
  const transport = new StdioTransport({ input, output, isGreeted });
  const turns = new Semaphore(limits.resourceReadsMax);
  let server: Server | undefined;
  const subscriptions = new ResourceSubscriptions({
    service,
    caller: {
      door: 'mcp-stdio',
      connection: id,
      scopes,
      signal: ending.signal,
      deadlineMs: deadlineMs(),
    },
    notify: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => undefined),
  });
  const endNews = service.onToolsChanged?.(() => {
    server?.sendToolListChanged().catch(() => undefined);
  });
  const connection: McpConnection = {
    service,
    logger,
    door: 'mcp-stdio',
    id,
    version: parts.version,
    scopes,
    signal: ending.signal,
    deadlineMs,
    subscriptions,
    bigAnswer: (work) =>
      turns.run(async () => {
        await transport.caughtUp();
        return work();
      }),
    nowMs: Date.now,
  };
  transport.onlisten = async (listener, uris) => {
    if (uris.length === 0) subscriptions.removeAll(listener);
    const begun = uris.map((uri) =>
      // A listener is acknowledged in any case; what it may not see just never changes.
      subscriptions.add(listener, uri).catch((error: unknown) => {
        logger.log('debug', 'not listening', { code: toVaultError(error).code });
      }),
    );
    await Promise.all(begun);
  };
  if (parts.onNeeded !== undefined) transport.onneeded = parts.onNeeded;
  const leave = (): void => transport.stop();
  signal.addEventListener('abort', leave, { once: true });
  const handle = serveStdio(
    () => {
      server = createMcpServer(connection);
      return server;
    },
    {
      transport,
      maxSubscriptions: limits.subscriptionsMax,
      // Messages of the SDK quote what the client sent.
      onerror: (error) => logger.log('debug', 'protocol', faultOrigin(error)),
    },
  );
  if (signal.aborted) leave();
  await transport.finished;
  if (!(await transport.drained(parts.shutdownMs ?? limits.shutdownMs))) {
    ending.abort();
    if (!(await transport.drained(limits.lastAnswersMs))) transport.abandon();
  }
  // Closing tells those who listen, who may not read it.
  const unread = setTimeout(() => transport.abandon(), limits.lastAnswersMs);
  await handle.close();
  clearTimeout(unread);
  ending.abort();
  subscriptions.close();
  endNews?.();
  signal.removeEventListener('abort', leave);
  service.disconnected(id);
}
