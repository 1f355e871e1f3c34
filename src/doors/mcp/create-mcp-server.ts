import type { Server } from '@modelcontextprotocol/server';
import { ContentServer } from './content-server.ts';
import type { McpConnection } from './mcp-connection.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { serveTools } from './serve-tools.ts';

/** What never changes while the program runs may be kept by clients of 2026-07-28. */
const unchanging = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const;

const everything = {
  resources: { subscribe: true },
  prompts: {},
  completions: {},
} as const;

/**
 * The SDK's server for one connection, with our handlers in place. Cheap: all that costs lives in
 * the service. Not `McpServer`, which checks arguments a second time and answers failures its way.
 */
export function createMcpServer(connection: McpConnection): Server {
  const { service, version, logger, scopes } = connection;
  const { serverName } = service;
  const changes = service.onToolsChanged !== undefined;
  const tools = changes ? { listChanged: true } : {};
  const server = new ContentServer(
    serverName === undefined
      ? { name: 'vaultdoor', title: 'Vaultdoor', version }
      : { name: serverName, version },
    {
      // A toolset whose contract names the server says the rest of the handshake too.
      ...(serverName === undefined
        ? {
            capabilities: { tools, ...everything },
            instructions: service.instructions(scopes.effects),
          }
        : { capabilities: { tools } }),
      cacheHints: {
        ...(changes ? {} : { 'tools/list': unchanging }),
        'prompts/list': unchanging,
        'resources/templates/list': unchanging,
        'server/discover': unchanging,
      },
    },
  );
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
