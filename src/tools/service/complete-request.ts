import { limits } from '../../base/limits.ts';
import {
  completeHeadings,
  completeNames,
  completePaths,
  completeTags,
} from '../../engine/operations/list/complete.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Prompt } from '../define/define-prompt.ts';
import { promptNamed } from './run-prompt.ts';
import type { CompletionRequest, Completions } from './service.ts';

const nothing: Completions = { values: [], total: 0 };

/** What a piece of an argument could become. Fails with `invalid_input` for an unknown prompt. */
export async function completeRequest(
  prompts: readonly Prompt[],
  request: CompletionRequest,
  vault: BoundVault,
): Promise<Completions> {
  const { value } = request;
  const max = limits.completionsMax;
  if (request.of === 'path') return completePaths(vault, value, max);
  if (request.of === 'vault') return nothing; // The service knows them.
  const prompt = promptNamed(prompts, request.prompt);
  const argument = prompt.arguments.find(({ name }) => name === request.argument);
  switch (argument?.kind) {
    case 'note':
      return completeNames(vault, value, max);
    case 'tag':
      return completeTags(vault, value, max);
    case 'heading':
      return completeHeadings(vault, request.given['name'] ?? '', value, max);
    case 'vault':
    case 'text':
    case undefined:
      return nothing;
  }
}
