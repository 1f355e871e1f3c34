import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { isObject } from '../../../base/json.ts';
import type { AppView } from '../../../tools/define/define-tool.ts';
import type { ListedTool } from '../../../tools/service/service.ts';

// The extension "MCP Apps", version 2026-01-26: a tool names a page, and a client that shows such
// pages reads it as a resource. Only clients that say so in their capabilities are told of them.

/** The pages that show answers inside of clients; the program supplies them. */
export interface AppViews {
  /** The page as one HTML file; undefined where this copy of the program does not have it. */
  html(view: AppView): Promise<string | undefined>;
}

/** The MIME type of the pages. */
export const viewType = 'text/html;profile=mcp-app';

const extension = 'io.modelcontextprotocol/ui';
const uriStart = 'ui://vaultdoor/';
const views: readonly AppView[] = ['changes', 'find'];

/** What a client says that shows such pages. */
export const viewCapabilities: ClientCapabilities = {
  extensions: { [extension]: { mimeTypes: [viewType] } },
};

/** Whether a client has said that it shows such pages. */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  const said: unknown = capabilities?.extensions?.[extension];
  const types = isObject(said) ? said['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(viewType);
}

/** The URI of a view. */
export function viewUri(view: AppView): string {
  return `${uriStart}${view}`;
}

/** The view that a URI names; undefined for any other URI. */
export function viewAt(uri: string): AppView | undefined {
  return views.find((view) => viewUri(view) === uri);
}

/** The views of these tools that can be read. */
export async function readableViews(
  tools: readonly ListedTool[],
  { html }: AppViews,
): Promise<ReadonlySet<AppView>> {
  const wanted = [...new Set(tools.flatMap(({ appView }) => appView ?? []))];
  const found = await Promise.all(wanted.map((view) => html(view)));
  return new Set(wanted.filter((_, at) => found[at] !== undefined));
}
