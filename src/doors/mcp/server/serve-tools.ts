import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { allScopes, type Caller } from '../../../base/caller.ts';
import { type Outcome, textsOf } from '../../../tools/define/outcome.ts';
import type { ListedTool, Service } from '../../../tools/service/service.ts';
import { unknownTool } from '../../../tools/service/unknown-tool.ts';
import { readableViews } from './app-views.ts';
import { askingOf } from './ask-client.ts';
import {
  answer,
  type DuringRequest,
  logBug,
  type McpConnection,
  preferringCaller,
  scopesIn,
  viewsFor,
} from './mcp-connection.ts';
import { toolError } from './mcp-errors.ts';
import { progressOf } from './report-progress.ts';
import { sentTool } from './sent-tool.ts';

/**
 * The argument with which a view marks its calls; tools ignore names that begin with `_`. Such a call
 * does not count as one of the connection: the person sees what it reads and changes, and the model
 * that uses the same connection does not. A model can set it too, so the brake counts it as one.
 */
const calledByView = '_view';

const noViews: ReadonlySet<never> = new Set();

/** Answers `tools/list` and `tools/call`. */
export function serveTools(server: Server, connection: McpConnection, during: DuringRequest): void {
  const { service } = connection;
  server.setRequestHandler('tools/list', (_request, context) =>
    answer(during(context), 'tools/list', async () => {
      await service.toolsKnown?.();
      const tools = service.list(scopesIn(connection, context).effects);
      const views = viewsFor(connection, server, context);
      const shown = views === undefined ? noViews : await readableViews(tools, views);
      return { tools: tools.map((tool) => sentTool(tool, shown)) };
    }),
  );
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (!(await service.has(params.name))) {
      const instead = service.insteadOf(params.name, scopesIn(connection, context).effects);
      const failure = unknownTool(params.name, instead);
      throw toolError(failure, failure.message);
    }
    return callTool(server, during(context), context, params);
  });
}

/**
 * Runs a tool. A failure is a result with `isError`; but if the call asked the user something that
 * is not answered yet, the client gets the questions, and a toolset may ask for JSON-RPC errors.
 */
async function callTool(
  server: Server,
  connection: McpConnection,
  context: ServerContext,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
): Promise<CallToolResult | InputRequiredResult> {
  const { service, nowMs } = connection;
  const startMs = nowMs();
  const asking = askingOf(server, context);
  const progress = progressOf(context, nowMs);
  const { connection: id, ...visitor } = await preferringCaller(connection, server, context);
  const isOfView =
    args[calledByView] === true &&
    viewsFor(connection, server, context) !== undefined &&
    isForViews(listedTool(service, name));
  const caller: Caller = {
    ...visitor,
    ...(id === undefined ? {} : isOfView ? { viewOf: id } : { connection: id }),
    request: `${typeof context.mcpReq.id} ${context.mcpReq.id}`,
    deadlineMs: connection.deadlineMs(name),
    ...(asking === undefined ? {} : { ask: asking.ask }),
    ...(progress === undefined ? {} : { progress: progress.tell }),
  };
  const outcome = await service.call(name, args, caller);
  progress?.end();
  const open = outcome.ok ? undefined : asking?.open();
  const ms = nowMs() - startMs;
  const { ok } = outcome;
  const { client } = caller;
  connection.heard?.({
    ...(client === undefined ? {} : { client }),
    method: 'tools/call',
    tool: name,
    ms,
    ok,
  });
  connection.logger.log('info', 'call', {
    tool: name,
    ms,
    ok,
    ...(outcome.ok ? {} : { code: outcome.error.code }),
    ...(open === undefined ? {} : { asked: Object.keys(open).length }),
    inChars: charsOf(Object.values(args)),
    outChars: charsOf(textsOf(outcome.content)),
  });
  if (!outcome.ok) logBug(connection.logger, outcome.error);
  if (open !== undefined) return inputRequired({ inputRequests: open });
  if (!outcome.ok && listedTool(service, name)?.failures === 'errors') {
    throw toolError(outcome.error, textsOf(outcome.content).join('\n\n'));
  }
  return toolResult(outcome);
}

/** Whether views call this tool: to read something, or to undo what they show. */
function isForViews(tool: ListedTool | undefined): boolean {
  return tool?.effect === 'read' || tool?.appView !== undefined;
}

function listedTool(service: Service, name: string): ListedTool | undefined {
  return service.list(allScopes.effects).find((candidate) => candidate.name === name);
}

function toolResult(outcome: Outcome): CallToolResult {
  const content = outcome.content.map((piece) => ({ ...piece })) as CallToolResult['content'];
  if (!outcome.ok) return { content, isError: true };
  const { structured } = outcome;
  return structured === undefined ? { content } : { content, structuredContent: { ...structured } };
}

/** How many characters the texts have together; values that are not text are not counted. */
function charsOf(values: readonly unknown[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
