import { type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { CompletionRequest } from '../../tools/service.ts';
import { answer, callerOf, type McpConnection } from './mcp-connection.ts';
import { resourceTemplate } from './resource-uri.ts';

/** Answers `prompts/…`, and `completion/complete` for their arguments and for paths of notes. */
export function servePrompts(server: Server, connection: McpConnection): void {
  const { service } = connection;
  server.setRequestHandler('prompts/list', () => ({
    prompts: service.prompts().map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments.map(({ name, description, required }) => ({
        name,
        description,
        required,
      })),
    })),
  }));
  const byName = { params: specTypeSchemas.GetPromptRequestParams };
  server.setRequestHandler('prompts/get', byName, ({ name, arguments: args = {} }, context) =>
    answer(connection, 'prompts/get', async () => {
      const text = await service.prompt(name, args, callerOf(connection, server, context));
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
  const byArgument = { params: specTypeSchemas.CompleteRequestParams };
  server.setRequestHandler('completion/complete', byArgument, (params, context) =>
    answer(connection, 'completion/complete', async () => {
      const request = completionRequest(params);
      const caller = callerOf(connection, server, context);
      const { values, total } = await service.complete(request, caller);
      const shown = values.slice(0, limits.completionsMax);
      return { completion: { values: shown, total, hasMore: total > shown.length } };
    }),
  );
}

type CompleteParams = (typeof specTypeSchemas.CompleteRequestParams)['~standard'] extends {
  readonly types?: { readonly output: infer Params } | undefined;
}
  ? Params
  : never;

function completionRequest({ ref, argument, context }: CompleteParams): CompletionRequest {
  const { name, value } = argument;
  if (ref.type === 'ref/prompt') {
    return {
      of: 'prompt',
      prompt: ref.name,
      argument: name,
      value,
      given: context?.arguments ?? {},
    };
  }
  if (ref.uri === resourceTemplate && name === 'path') return { of: 'path', value };
  throw new VaultError(
    'invalid_input',
    `Of resources, only the argument "path" of "${resourceTemplate}" is completed.`,
  );
}
