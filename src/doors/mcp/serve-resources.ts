import { type Resource, type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type { ListedNote } from '../../tools/service.ts';
import { answer, callerOf, type McpConnection } from './mcp-connection.ts';
import { mimeType, resourcePath, resourceTemplate, resourceUri } from './resource-uri.ts';

/** Answers `resources/…`: the latest notes as a list, all of them by their address. */
export function serveResources(server: Server, connection: McpConnection): void {
  const { service, subscriptions } = connection;
  server.setRequestHandler('resources/list', (_request, context) =>
    answer(connection, 'resources/list', async () => {
      const notes = await service.resources(callerOf(connection, server, context));
      return { resources: notes.map(listedResource) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: resourceTemplate,
        name: 'note',
        title: 'A note by its path',
        description: 'Any note of the vault, by its path with the extension.',
        mimeType: 'text/markdown',
      },
    ],
  }));
  const byUri = { params: specTypeSchemas.ReadResourceRequestParams };
  server.setRequestHandler('resources/read', byUri, ({ uri }, context) =>
    answer(
      connection,
      'resources/read',
      async () => {
        const caller = callerOf(connection, server, context);
        const { path, text } = await service.readResource(resourcePath(uri), caller);
        return { contents: [{ uri, mimeType: mimeType(path), text }] };
      },
      uri,
    ),
  );
  // Of the 2025 era; that of 2026 listens instead.
  const subscribed = { params: specTypeSchemas.ResourceRequestParams };
  server.setRequestHandler('resources/subscribe', subscribed, ({ uri }) =>
    answer(
      connection,
      'resources/subscribe',
      async () => {
        await subscriptions.add(server, uri);
        return {};
      },
      uri,
    ),
  );
  server.setRequestHandler('resources/unsubscribe', subscribed, ({ uri }) => {
    subscriptions.remove(server, uri);
    return {};
  });
}

function listedResource({ path, title, bytes, modifiedMs }: ListedNote): Resource {
  return {
    uri: resourceUri(path),
    name: path,
    title,
    mimeType: mimeType(path),
    size: bytes,
    annotations: { lastModified: new Date(modifiedMs).toISOString() },
  };
}
