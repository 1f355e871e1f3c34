import { sentTool } from '../../src/doors/mcp/server/sent-tool.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { listedTool } from '../../src/tools/service/listed-tool.ts';

/** The list of a toolset as MCP sends it. */
export function sentList({ tools }: Toolset): string {
  return JSON.stringify({ tools: tools.map((tool) => sentTool(listedTool(tool), new Set())) });
}
