import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Effect } from '../../../tools/define/define-tool.ts';
import type { Service } from '../../../tools/service/service.ts';

/** What a server tells of itself in the handshake. */
export interface ServerIntroduction {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** How a server of this service presents itself to someone who may do this. */
export function introduction(
  service: Pick<Service, 'serverName' | 'instructions' | 'onToolsChanged'>,
  { version, effects }: { readonly version: string; readonly effects: readonly Effect[] },
): ServerIntroduction {
  const { serverName: name, onToolsChanged } = service;
  const tools = onToolsChanged === undefined ? {} : { listChanged: true };
  // A toolset whose contract names the server says the rest of the handshake too.
  if (name !== undefined) return { capabilities: { tools }, serverInfo: { name, version } };
  return {
    capabilities: { tools, resources: { subscribe: true }, prompts: {}, completions: {} },
    serverInfo: { name: 'vaultdoor', title: 'Vaultdoor', version },
    instructions: service.instructions(effects),
  };
}
