import { VaultError } from '../../base/vault-error.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { AnyTool } from '../define/define-tool.ts';
import type { Prompt, PromptArgument } from '../define/toolset.ts';
import type { ListedPrompt, ListedTool } from './service.ts';

// No tool and no prompt has an argument `vault`. The service takes it out of the arguments of a
// call, and adds it to the tools and prompts in lists when there are several vaults.

const namesCharsMax = 60;

/**
 * Splits arguments into the vault that they name and the rest. Fails with `invalid_input` when the
 * name is not a text.
 */
export function splitVault<Args>(args: Args): { readonly vault?: string; readonly rest: Args } {
  if (typeof args !== 'object' || args === null || !('vault' in args)) return { rest: args };
  const { vault, ...rest } = args;
  // Some clients send null or an empty text for arguments that they leave out.
  if (vault === undefined || vault === null || vault === '') return { rest: rest as Args };
  if (typeof vault === 'string') return { vault, rest: rest as Args };
  throw new VaultError('invalid_input', 'Wrong arguments: "vault": it must be text.');
}

/** The existing note that a call of a tool names; undefined when it names none. */
export function existingNote(tool: AnyTool, args: unknown): NoteName | undefined {
  if (tool.existing === undefined || typeof args !== 'object' || args === null) return undefined;
  const { path, names, [tool.existing]: name = names } = args as Readonly<Record<string, unknown>>;
  if (isText(path)) return tool.existing === 'path' ? { path, exact: true } : { path };
  // Of several notes, the first tells the vault.
  const first: unknown = Array.isArray(name) ? name[0] : name;
  return isText(first) ? first : undefined;
}

/** The existing note that the arguments of a prompt name; undefined when they name none. */
export function promptNote(
  prompt: Pick<Prompt, 'arguments'>,
  args: Readonly<Record<string, string>>,
): NoteName | undefined {
  const argument = noteArgument(prompt);
  const name = argument && args[argument.name];
  return isText(name) ? name : undefined;
}

/** A tool as lists show it when there are several vaults: with the argument `vault`. */
export function withVaultProperty(
  listed: ListedTool,
  tool: AnyTool,
  vaults: readonly string[],
): ListedTool {
  if (tool.anyVault) return listed;
  const { inputSchema, outputSchema } = listed;
  const vault = { type: 'string', description: about(vaults, tool.existing !== undefined) };
  const answered = { type: 'string', description: 'The vault that this is about' };
  return {
    ...listed,
    inputSchema: withProperty(inputSchema, { vault }),
    ...(outputSchema && { outputSchema: withProperty(outputSchema, { vault: answered }) }),
  };
}

function withProperty(
  { properties, ...schema }: Readonly<Record<string, unknown>>,
  added: object,
): Readonly<Record<string, unknown>> {
  return { ...schema, properties: { ...(properties as object | undefined), ...added } };
}

/** A prompt as lists show it when there are several vaults: with the argument `vault`. */
export function withVaultArgument(prompt: ListedPrompt, vaults: readonly string[]): ListedPrompt {
  const hasNote = noteArgument(prompt) !== undefined;
  const vault: PromptArgument = {
    name: 'vault',
    description: about(vaults, hasNote),
    required: !hasNote,
    kind: 'vault',
  };
  return { ...prompt, arguments: [...prompt.arguments, vault] };
}

/** The names of vaults as sentences list them: `"A", "B"`. */
export function quotedNames(vaults: readonly string[]): string {
  return vaults.map((name) => `"${name}"`).join(', ');
}

/**
 * The description of the argument `vault`, short because every tool repeats it. `noteTells` is for
 * calls that name an existing note, whose vault is then looked for.
 */
function about(vaults: readonly string[], noteTells: boolean): string {
  if (noteTells) return 'Vault, if several have the note';
  const names = quotedNames(vaults);
  return names.length > namesCharsMax ? 'Vault; a wrong one lists them' : `Vault, one of ${names}`;
}

function noteArgument(prompt: Pick<Prompt, 'arguments'>): PromptArgument | undefined {
  return prompt.arguments.find(({ kind }) => kind === 'note');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
