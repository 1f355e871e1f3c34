import { type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { CompletionRequest } from '../../../tools/service/service.ts';
import {
  answer,
  callerOf,
  type DuringRequest,
  type McpConnection,
  preferringCaller,
  scopesIn,
} from './mcp-connection.ts';
import { resourceTemplates } from './resource-uri.ts';

/** Answers `prompts/…`, and `completion/complete` for their arguments and for paths of notes. */
export function servePrompts(
  server: Server,
  connection: McpConnection,
  during: DuringRequest,
): void {
  const { service } = connection;
  server.setRequestHandler('prompts/list', (_request, context) => ({
    prompts: service.prompts(scopesIn(connection, context).effects).map((prompt) => ({
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
    answer(during(context), 'prompts/get', async () => {
      const caller = await preferringCaller(connection, server, context);
      const text = await service.prompt(name, args, caller);
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
  const byArgument = { params: specTypeSchemas.CompleteRequestParams };
  server.setRequestHandler('completion/complete', byArgument, (params, context) =>
    answer(during(context), 'completion/complete', async () => {
      const { request, vault } = completion(params);
      const caller = callerOf(connection, server, context);
      const where = vault === undefined ? caller : { ...caller, vault };
      const { values, total } = await service.complete(request, where);
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

/** What the client wants completed, and in which vault, if it names one. */
function completion({ ref, argument, context }: CompleteParams): {
  readonly request: CompletionRequest;
  readonly vault?: string | undefined;
} {
  const { name, value } = argument;
  const given = context?.arguments ?? {};
  if (ref.type === 'ref/prompt') {
    return { request: { of: 'prompt', prompt: ref.name, argument: name, value, given } };
  }
  const isSeveral = ref.uri === resourceTemplates.several;
  if ((isSeveral || ref.uri === resourceTemplates.one) && name === 'path') {
    return { request: { of: 'path', value }, vault: given['vault'] };
  }
  if (isSeveral && name === 'vault') return { request: { of: 'vault', value } };
  throw new VaultError(
    'invalid_input',
    'For resources, only the variables of the templates in "resources/templates/list" can be completed.',
  );
}
