import type { Toolset } from '../../src/tools/define/toolset.ts';
import { listedTool } from '../../src/tools/service/listed-tool.ts';

/** The list of a toolset as MCP sends it. */
export function sentList({ tools }: Toolset): string {
  const sent = tools.map(listedTool).map(({ effect, ...tool }) => ({
    ...tool,
    annotations: {
      ...(effect === 'read' ? { readOnlyHint: true } : { destructiveHint: effect === 'destroy' }),
      openWorldHint: false,
    },
  }));
  return JSON.stringify({ tools: sent });
}
