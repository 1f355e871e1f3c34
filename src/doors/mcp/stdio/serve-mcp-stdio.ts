import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { RequestId, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Scopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { faultOrigin, type Logger } from '../../../base/logger.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import type { Service } from '../../../tools/service/service.ts';
import type { AppViews } from '../server/app-views.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import type { McpConnection } from '../server/mcp-connection.ts';
import type { LargeReader } from '../server/read-message.ts';
import { ResourceSubscriptions } from '../server/resource-subscriptions.ts';
import { ClientRoots, type VaultOfFolder } from './client-roots.ts';
import { StdioTransport } from './stdio-transport.ts';

interface McpStdioParts {
  readonly service: Service;
  readonly input: Readable;
  readonly output: Writable;
  readonly logger: Logger;
  /** Aborted when the server should stop. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  /**
   * Called once, with the first request that may need a vault, or after the first answer. Work that
   * begins earlier would make the client wait for that answer.
   */
  readonly onNeeded?: () => void;
  /** How many of the first requests have been answered already (`greeting.ts`); none unless given. */
  readonly answered?: number;
  /** See `StdioTransport`. */
  readonly onListed?: StdioTransport['onlisted'];
  readonly readLarge?: LargeReader;
  readonly views?: AppViews;
  /** Finds the vault of a folder that the client works in; absent where only one is served. */
  readonly vaultOfFolder?: VaultOfFolder;
  /** How long calls may go on after the end; `limits.shutdownMs` unless given. */
  readonly shutdownMs?: number;
}

/**
 * Serves one client over two streams, in both versions of the protocol. Resolves after the client
 * has left or the signal came, when every request is answered and every answer written.
 */
export async function serveMcpStdio(parts: McpStdioParts): Promise<void> {
  const { service, logger, signal, scopes, deadlineMs, views } = parts;
  const id = randomBytes(8).toString('hex');
  const ending = new AbortController();
  const transport = new StdioTransport(parts);
  const caller = { door: 'mcp-stdio', connection: id, scopes, signal: ending.signal } as const;
  let hasLeft = false;
  let server: Server | undefined;
  let roots: ClientRoots | undefined;
  const subscriptions = new ResourceSubscriptions({
    service,
    caller: { ...caller, deadlineMs: deadlineMs() },
    notify: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => undefined),
  });
  const stopToolChanges = service.onToolsChanged?.(() => {
    server?.sendToolListChanged().catch(() => undefined);
  });
  const bigAnswers = new Semaphore(limits.resourceReadsMax);
  const connection: McpConnection = {
    service,
    logger,
    door: 'mcp-stdio',
    id,
    version: parts.version,
    scopes,
    signal: ending.signal,
    hasLeft: () => hasLeft,
    deadlineMs,
    subscriptions,
    ...(views === undefined ? {} : { views }),
    bigAnswer: (work) =>
      bigAnswers.run(async () => {
        await transport.caughtUp();
        return work();
      }),
    prefers: async () => roots?.vault,
    nowMs: Date.now,
  };
  transport.onlisten = (listener, uris) => listenTo(uris, { listener, subscriptions, logger });
  if (parts.onNeeded !== undefined) transport.onneeded = parts.onNeeded;
  transport.onlisted = parts.onListed;
  const leave = (): void => transport.stop();
  signal.addEventListener('abort', leave, { once: true });
  const handle = serveStdio(
    () => {
      server = createMcpServer(connection);
      if (parts.vaultOfFolder !== undefined) roots = new ClientRoots(server, parts.vaultOfFolder);
      return server;
    },
    {
      transport,
      maxSubscriptions: limits.subscriptionsMax,
      // The message is not logged, because the SDK quotes in it what the client sent.
      onerror: (error) => logger.log('debug', 'protocol', faultOrigin(error)),
    },
  );
  if (signal.aborted) leave();
  await transport.finished;
  hasLeft = true;
  await finishRequests(transport, ending, parts.shutdownMs);
  // Closing notifies the listeners; a client that does not read must not hold it up.
  const unread = setTimeout(() => transport.abandon(), limits.lastAnswersMs);
  await handle.close();
  clearTimeout(unread);
  ending.abort();
  subscriptions.close();
  stopToolChanges?.();
  signal.removeEventListener('abort', leave);
  service.disconnected(id);
}

/** Subscribes a listener to these resources; with none, the listener has stopped. */
async function listenTo(
  uris: readonly string[],
  parts: {
    readonly listener: RequestId;
    readonly subscriptions: ResourceSubscriptions;
    readonly logger: Logger;
  },
): Promise<void> {
  const { listener, subscriptions, logger } = parts;
  if (uris.length === 0) subscriptions.removeAll(listener);
  const begun = uris.map((uri) =>
    // A listener is acknowledged even if it may not see a resource; it just hears of no change.
    subscriptions.add(listener, uri).catch((error: unknown) => {
      logger.log('debug', 'not listening', { code: toVaultError(error).code });
    }),
  );
  await Promise.all(begun);
}

/**
 * Waits until all requests are answered. After `shutdownMs` they are aborted, and soon given up.
 */
async function finishRequests(
  transport: StdioTransport,
  ending: AbortController,
  shutdownMs: number = limits.shutdownMs,
): Promise<void> {
  if (await transport.drained(shutdownMs)) return;
  ending.abort();
  if (!(await transport.drained(limits.lastAnswersMs))) transport.abandon();
}
