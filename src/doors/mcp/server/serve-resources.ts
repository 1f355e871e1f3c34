import { type Resource, type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import { VaultError } from '../../../base/vault-error.ts';
import type { ListedNote } from '../../../tools/service/service.ts';
import { viewAt, viewType } from './app-views.ts';
import {
  answer,
  callerOf,
  type DuringRequest,
  type McpConnection,
  scopesIn,
  viewsFor,
} from './mcp-connection.ts';
import { mimeType, resourceAddress, resourceTemplates, resourceUri } from './resource-uri.ts';

/** Answers `resources/…`: lists the notes that changed last, and reads any note or attachment by its URI. */
export function serveResources(
  server: Server,
  connection: McpConnection,
  during: DuringRequest,
): void {
  const { service, subscriptions, bigAnswer } = connection;
  const isOne = service.vaults.length === 1;
  server.setRequestHandler('resources/list', (_request, context) =>
    answer(during(context), 'resources/list', async () => {
      const notes = await service.resources(callerOf(connection, server, context));
      return { resources: notes.map(listedResource) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: isOne ? resourceTemplates.one : resourceTemplates.several,
        name: 'note',
        title: 'A note by its path',
        description: isOne
          ? 'Any note or attachment of the vault, by its path with the extension.'
          : 'Any note or attachment of a vault, by the name of the vault and its path with the extension.',
      },
    ],
  }));
  const byUri = { params: specTypeSchemas.ReadResourceRequestParams };
  server.setRequestHandler('resources/read', byUri, ({ uri }, context) =>
    answer(
      during(context),
      'resources/read',
      async () => {
        const view = viewAt(uri);
        const html = view && (await viewsFor(connection, server, context)?.html(view));
        if (html !== undefined) {
          const _meta = { ui: { prefersBorder: true } };
          return { contents: [{ uri, mimeType: viewType, text: html, _meta }] };
        }
        const { path: asked, ...where } = resourceAddress(uri);
        const caller = { ...callerOf(connection, server, context), ...where };
        const file = await bigAnswer(() => service.readResource(asked, caller));
        if ('text' in file) {
          return { contents: [{ uri, mimeType: mimeType(file.path), text: file.text }] };
        }
        return { contents: [{ uri, mimeType: file.mimeType, blob: file.blob }] };
      },
      uri,
    ),
  );
  // Only in the 2025 protocol; clients of 2026-07-28 send `subscriptions/listen` instead.
  const subscribed = { params: specTypeSchemas.ResourceRequestParams };
  server.setRequestHandler('resources/subscribe', subscribed, ({ uri }, context) =>
    answer(
      during(context),
      'resources/subscribe',
      async () => {
        if (subscriptions === undefined) throw needsSession();
        await subscriptions.add(server, uri, scopesIn(connection, context));
        return {};
      },
      uri,
    ),
  );
  server.setRequestHandler('resources/unsubscribe', subscribed, ({ uri }) => {
    subscriptions?.remove(server, uri);
    return {};
  });
}

function needsSession(): VaultError {
  return new VaultError(
    'invalid_input',
    'Subscriptions need a session: send "initialize", and then the "Mcp-Session-Id" of its answer with every request.',
  );
}

function listedResource(note: ListedNote): Resource {
  const { path, title, bytes, modifiedMs } = note;
  return {
    uri: resourceUri(note),
    name: path,
    title,
    mimeType: mimeType(path),
    size: bytes,
    annotations: { lastModified: new Date(modifiedMs).toISOString() },
  };
}
