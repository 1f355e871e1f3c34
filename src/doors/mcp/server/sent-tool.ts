import type { Tool } from '@modelcontextprotocol/server';
import type { AppView } from '../../../tools/define/define-tool.ts';
import type { ListedTool } from '../../../tools/service/service.ts';
import { viewUri } from './app-views.ts';

/**
 * A tool as `tools/list` sends it. What says nothing is left out, because every conversation pays for
 * the list: a title that only repeats the name, and `readOnlyHint: false`, the protocol's default.
 * `shown` are the views that this client is offered.
 */
export function sentTool(tool: ListedTool, shown: ReadonlySet<AppView>): Tool {
  const { name, title, description, effect, inputSchema, outputSchema, openWorld, appView } = tool;
  return {
    name,
    ...(title === undefined || isNameInWords(title, name) ? {} : { title }),
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as Tool['outputSchema'] }),
    ...(effect === undefined
      ? {}
      : {
          annotations: {
            ...(effect === 'read'
              ? { readOnlyHint: true }
              : { destructiveHint: effect === 'destroy' }),
            openWorldHint: openWorld === true,
          },
        }),
    ...(appView === undefined || !shown.has(appView)
      ? {}
      : { _meta: { ui: { resourceUri: viewUri(appView) } } }),
  };
}

/** Whether a title is what clients make of the name by themselves, as `List notes` of `list_notes`. */
function isNameInWords(title: string, name: string): boolean {
  return title.toLowerCase() === name.replaceAll('_', ' ');
}
