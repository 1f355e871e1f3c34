import type { Paint } from '../define-tool.ts';
import type { Toolset } from '../toolset.ts';
import { checkTool } from './check.ts';
import { factsTool } from './facts.ts';
import { orphansTool, unresolvedTool } from './graph.ts';
import { infoTool } from './info.ts';
import { backlinksTool, linksTool } from './links.ts';
import { listTool } from './list.ts';
import { propertiesTool } from './properties.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { tagsTool } from './tags.ts';

/** What the command line serves: text for people; programs take the value instead. */
export function cliToolset(paint: Paint): Toolset {
  return {
    name: 'cli',
    tools: [
      infoTool,
      listTool,
      readTool,
      factsTool,
      searchTool,
      linksTool,
      backlinksTool,
      tagsTool,
      propertiesTool,
      unresolvedTool,
      orphansTool,
      checkTool,
    ],
    voice: {
      result: (tool, value) => [
        { type: 'text', text: tool.text?.(value, paint) ?? `${JSON.stringify(value)}\n` },
      ],
      failure: (error) => [{ type: 'text', text: error.message }],
    },
  };
}
