import type { Server } from '@modelcontextprotocol/server';
import { ContentServer } from './content-server.ts';
import { introduction } from './introduction.ts';
import type { McpConnection } from './mcp-connection.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { serveTools } from './serve-tools.ts';

/** What never changes while the program runs may be kept by clients of 2026-07-28. */
const unchanging = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const;

/**
 * The SDK's server for one connection, with our handlers in place. Cheap: all that costs lives in
 * the service. Not `McpServer`, which checks arguments a second time and answers failures its way.
 */
export function createMcpServer(connection: McpConnection): Server {
  const { service, version, logger, scopes } = connection;
  const { serverName } = service;
  const { serverInfo, ...says } = introduction(service, { version, effects: scopes.effects });
  const changes = service.onToolsChanged !== undefined;
  const server = new ContentServer(serverInfo, {
    ...says,
    cacheHints: {
      ...(changes ? {} : { 'tools/list': unchanging }),
      'prompts/list': unchanging,
      'resources/templates/list': unchanging,
      'server/discover': unchanging,
    },
  });
  server.oninitialized = () => {
    const { name: client = '', version: clientVersion } = server.getClientVersion() ?? {};
    const protocol = server.getNegotiatedProtocolVersion();
    logger.log('info', 'client', { client, clientVersion, protocol });
  };
  serveTools(server, connection);
  if (serverName !== undefined) return server;
  serveResources(server, connection);
  servePrompts(server, connection);
  return server;
}
