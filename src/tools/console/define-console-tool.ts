import { z } from 'zod';
import type { Effect } from '../../base/caller.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { defineTool } from '../define/define-tool.ts';
import type { ConsoleAnswer, ConsoleAnswers, ConsoleToolName } from './console-answers.ts';

/** A tool of the console. For the fields, see `Tool`. */
interface ConsoleTool<Name extends ConsoleToolName, Input extends z.ZodObject> {
  readonly name: Name;
  readonly title: string;
  readonly effect: Effect;
  readonly raw?: true;
  readonly input: Input;
  readonly record: readonly (keyof z.output<Input> & string)[];
  readonly run: (vault: BoundVault, args: z.output<Input>) => Promise<ConsoleAnswers[Name]>;
}

/**
 * Declares a tool of the console. Its answer gets `at`. No model reads a description of it, and no
 * schema of its answer is listed: the type in `ConsoleAnswers` is what the page compiles against.
 */
export function defineConsoleTool<Name extends ConsoleToolName, Input extends z.ZodObject>(
  tool: ConsoleTool<Name, Input>,
): AnyTool {
  return defineTool({
    ...tool,
    description: `${tool.title}.`,
    output: z.custom<ConsoleAnswer<Name>>(),
    run: async (vault, args) => {
      // Asked before the tool runs: what is changed meanwhile may be in the answer or not.
      const at = await vault.vault.parts.state.latest();
      return { ...(await tool.run(vault, args)), at };
    },
  });
}
