import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a client says of itself. */
export interface Client {
  readonly info?: Implementation | undefined;
  readonly capabilities?: ClientCapabilities | undefined;
}

/** The client of a request: as it said in the handshake of 2025, or says in each request of 2026. */
export function clientOf(server: Server, context: ServerContext): Client {
  const info = server.getClientVersion();
  if (info !== undefined) return { info, capabilities: server.getClientCapabilities() };
  // The SDK has checked it; its type does not say so.
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return {
    info: envelope?.[CLIENT_INFO_META_KEY] as Implementation | undefined,
    capabilities: envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
  };
}
