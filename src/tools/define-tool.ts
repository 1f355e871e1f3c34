import type { z } from 'zod';
import type { BoundVault } from '../engine/vault.ts';

/** What a tool does to the vault: looks, changes, or takes something away. */
export type Effect = 'read' | 'write' | 'destroy';

/** How words are set off for people on a terminal; the identity where there is no colour. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** One thing that callers can ask for, declared once for every door. */
export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  readonly output: Output;
  /** The arguments that history and logs may keep; all others are reduced to their sizes. */
  readonly record: readonly string[];
  /** The arguments that the command line takes without a flag, in order. */
  readonly positional?: readonly string[];
  readonly run: (vault: BoundVault, args: z.output<Input>) => Promise<z.output<Output>>;
  /** Whether the answer tells of a fault, so that scripts can see it by the exit code. */
  readonly isFault?: (value: z.output<Output>) => boolean;
  /** The value for people to read, with its last line end. */
  readonly text?: (value: z.output<Output>, paint: Paint) => string;
}

/** A tool whose types a list of tools need not know. */
export type AnyTool = Tool<z.ZodObject, z.ZodType>;

/** Declares a tool; exists so that `run` and `text` get their types from the schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): AnyTool {
  return tool as unknown as AnyTool;
}
