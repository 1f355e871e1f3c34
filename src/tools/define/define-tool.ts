import type { z } from 'zod';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Draft } from '../../engine/vault/draft.ts';

/** What a tool does to the vault: looks, changes, or takes something away. */
export type Effect = 'read' | 'write' | 'destroy';

/** How words are set off for people on a terminal; the identity where there is no colour. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** Text of notes: as it is, but for a terminal without what would steer it. */
  readonly content: (text: string) => string;
}

/** An argument that may be long: the command line takes it from a file or from stdin too. */
export interface ContentArgument {
  readonly argument: string;
  readonly bytesMax: number;
  /** Where it comes from when it is not given. */
  readonly otherwise?: 'stdin';
}

/** A change as part of a larger one. Its input has nothing that only concerns a call of its own. */
export interface PlannedChange<Input extends z.ZodObject = z.ZodObject> {
  readonly input: Input;
  readonly plan: (draft: Draft, args: z.output<Input>) => Promise<object>;
}

/** One thing that callers can ask for, declared once for every door. */
interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  /** What lists show, where it is less than what is accepted. */
  readonly published?: z.ZodObject;
  readonly output: Output;
  /**
   * The argument that names a note which exists, `path` in its place aside: where several vaults are
   * served, the note tells which one is meant.
   */
  readonly existing?: string;
  /** What it answers when none of several vaults has that note; a failure where that is absent. */
  readonly absent?: object;
  /** It is about no vault in particular: where several are served, none need be named. */
  readonly anyVault?: true;
  /** It reaches files with names that begin with a dot: no tool that a model can call may. */
  readonly raw?: true;
  /** It reaches beyond the vault: another machine, another checkout. */
  readonly openWorld?: true;
  /** How long a call may take unless whoever serves it says otherwise; that of all calls if absent. */
  readonly deadlineMs?: number;
  /** The arguments that history and logs may keep; all others are reduced to their sizes. */
  readonly record: readonly string[];
  /** The arguments that the command line takes without a flag, in order; a list takes all the rest. */
  readonly positional?: readonly string[];
  readonly content?: ContentArgument;
  /** The one change that it makes; a batch joins several. Absent for all that is no plain change. */
  readonly change?: PlannedChange;
  readonly run: (vault: BoundVault, args: z.output<Input>) => Promise<z.output<Output>>;
  /** Whether the answer tells of a fault, so that scripts can see it by the exit code. */
  readonly isFault?: (value: z.output<Output>) => boolean;
  /** The value for people to read, with its last line end. */
  readonly text?: (value: z.output<Output>, paint: Paint) => string;
  /** What programs may want beside the text, by keys of their own. */
  readonly meta?: (value: z.output<Output>) => Readonly<Record<string, unknown>>;
}

/** A tool whose types a list of tools need not know. */
export type AnyTool = Tool<z.ZodObject, z.ZodType>;

/** Declares a tool; exists so that `run` and `text` get their types from the schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): AnyTool {
  return tool as unknown as AnyTool;
}
