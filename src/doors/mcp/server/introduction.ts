import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Right } from '../../../base/caller.ts';
import type { Service } from '../../../tools/service/service.ts';

/** What a server says about itself in the handshake. */
export interface ServerIntroduction {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** The introduction of a server to a client that may use tools with these effects. */
export function introduction(
  service: Pick<Service, 'serverName' | 'instructions' | 'onToolsChanged'>,
  { version, effects }: { readonly version: string; readonly effects: readonly Right[] },
): ServerIntroduction {
  const { serverName: name, onToolsChanged } = service;
  const tools = onToolsChanged === undefined ? {} : { listChanged: true };
  // A toolset whose contract fixes the server's name also fixes the rest of the handshake.
  if (name !== undefined) return { capabilities: { tools }, serverInfo: { name, version } };
  return {
    capabilities: {
      tools,
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
    },
    serverInfo: { name: 'vaultdoor', title: 'Vaultdoor', version },
    instructions: service.instructions(effects),
  };
}
