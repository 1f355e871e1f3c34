import type { Toolset } from '../../src/tools/define/toolset.ts';
import { listedTool } from '../../src/tools/service/listed-tool.ts';

/** The list of a toolset as MCP sends it, with every annotation spelled out. */
export function sentList({ tools }: Toolset): string {
  const sent = tools.map(listedTool).map(({ effect, ...tool }) => ({
    ...tool,
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: effect === 'read',
      openWorldHint: false,
    },
  }));
  return JSON.stringify({ tools: sent });
}
