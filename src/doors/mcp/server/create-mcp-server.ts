import { Server } from '@modelcontextprotocol/server';
import { checkCall } from './check-call.ts';
import { ClientLog } from './client-log.ts';
import { introduction } from './introduction.ts';
import type { McpConnection } from './mcp-connection.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { serveTools } from './serve-tools.ts';

/** Tells clients of 2026-07-28 that they may cache an answer that never changes while we run. */
const unchanging = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const;

/**
 * Makes the SDK's server for one connection, with our handlers. It is cheap to make: everything
 * large is in the service. The SDK's `McpServer` is not used, because it checks arguments a second
 * time and answers failures in its own way.
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
  if (serverName !== undefined) {
    serveTools(server, connection, () => connection);
    return server; // It has only tools; see `introduction`.
  }
  const log = new ClientLog(server, connection);
  const during = log.during.bind(log);
  serveTools(server, connection, during);
  serveResources(server, connection, during);
  servePrompts(server, connection, during);
  return server;
}

type Wrap = Server['_wrapHandler'];

/**
 * The SDK's server, but the content of a tool's result is sent unchanged. The SDK would refuse a
 * whole result because of one item of an unknown type, and remove fields that it does not know. The
 * parameters of a call are checked here first, because the SDK answers with the errors of its schema
 * library, which no model can use.
 */
class ContentServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    // The SDK checks the result without its content, which is put back afterwards.
    return async (request, context) => {
      checkCall(request.params);
      let content: unknown;
      const checked = super._wrapHandler(method, async (...asked) => {
        const result = await handler(...asked);
        if (!Array.isArray(result['content'])) return result;
        content = result['content'];
        return { ...result, content: [] };
      });
      const result = await checked(request, context);
      return content === undefined ? result : { ...result, content };
    };
  }
}
