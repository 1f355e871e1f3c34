import { randomBytes } from 'node:crypto';
import { allScopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import type { Logger } from '../../src/base/logger.ts';
import { httpHandler } from '../../src/cli/servers/http-handler.ts';
import { McpHttp } from '../../src/doors/mcp/http/mcp-http.ts';
import { FrontDoor } from '../../src/net/front-door.ts';
import { listenHttp } from '../../src/net/http-listener.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { fixtureService } from './fixtures.ts';

const logger: Logger = { log: () => undefined };

/** Serves the fixtures as `vaultdoor serve` serves a vault, and to all of these public addresses. */
export async function main(publicUrls: readonly string[]): Promise<void> {
  const key = randomBytes(32);
  const mcp = new McpHttp({
    service: fixtureService,
    logger,
    version: '0.0.0',
    deadlineMs: () => limits.callDeadlineMs,
    book: {
      key: async () => key,
      deleted: async () => undefined,
      isDeleted: async () => false,
      keep: async () => undefined,
      recall: async () => undefined,
    },
    isValid: async () => true,
    timers: nodeTimers,
    nowMs: Date.now,
  });
  const front = new FrontDoor({
    allowHosts: [],
    publicUrls,
    tokens: 'off',
    book: { find: async () => undefined },
    scopes: allScopes,
    nowMs: Date.now,
  });
  const handler = httpHandler({
    mcp,
    front,
    logger,
    version: '0.0.0',
    health: async () => 'ok',
    nowMs: Date.now,
  });
  const host = '127.0.0.1';
  const listener = await listenHttp({ host, port: 0, handler, logger });
  process.stdout.write(`http://${host}:${listener.port}/mcp\n`);
  // The runner of TypeScript files leaves with an exit code of its own at once.
  process.removeAllListeners('SIGTERM').once('SIGTERM', async () => {
    await Promise.all([listener.close(limits.shutdownMs), mcp.close(limits.shutdownMs)]);
    process.exit(0);
  });
}
