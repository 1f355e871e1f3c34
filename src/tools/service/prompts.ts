import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  completeHeadings,
  completeNames,
  completePaths,
  completeTags,
} from '../../engine/operations/list/complete.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Prompt, WhichVault } from '../define/toolset.ts';
import type { CompletionRequest, Completions } from './service.ts';

/** Messages repeat at most this many characters of a name. */
const nameCharsMax = 100;

/** The text of a prompt. Fails with `invalid_input` for an unknown prompt or a missing argument. */
export function runPrompt(
  prompts: readonly Prompt[],
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, string>> },
  vault: BoundVault,
  which: WhichVault,
): Promise<string> {
  const prompt = promptNamed(prompts, name);
  const missing = prompt.arguments
    .filter((argument) => argument.required && (args[argument.name] ?? '').trim() === '')
    .map((argument) => `"${argument.name}"`);
  if (missing.length > 0) {
    throw new VaultError('invalid_input', `The prompt "${name}" needs ${missing.join(' and ')}.`);
  }
  return prompt.run(vault, args, which);
}

/** The prompt of this name. Fails with `invalid_input` when there is none. */
export function promptNamed(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new VaultError('invalid_input', `There is no prompt "${oneLine(name, nameCharsMax)}".`);
}

const nothing: Completions = { values: [], total: 0 };

/** The ways to complete what was typed so far. Fails with `invalid_input` for an unknown prompt. */
export async function completeRequest(
  prompts: readonly Prompt[],
  request: CompletionRequest,
  vault: BoundVault,
): Promise<Completions> {
  const { value } = request;
  const max = limits.completionsMax;
  if (request.of === 'path') return completePaths(vault, value, max);
  if (request.of === 'vault') return nothing; // The service itself completes names of vaults.
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
