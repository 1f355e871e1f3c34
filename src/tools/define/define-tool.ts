import type { z } from 'zod';
import type { Effect } from '../../base/caller.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Draft } from '../../engine/vault/draft.ts';
import type { MediaContent } from './outcome.ts';

/** Styles for words on a terminal. Where there is no colour, each function returns its text. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** A piece of a line that a search has found. */
  readonly match: (text: string) => string;
  /** Text of notes. For a terminal, control characters are taken out. */
  readonly content: (text: string) => string;
  /** A moment: at a terminal "3 minutes ago" if it was today, elsewhere a date and a time. */
  readonly when: (timeMs: number) => string;
  /** Whether a person reads it at a terminal, and not a program through a pipe or from a file. */
  readonly isTerminal?: boolean;
  /** How many columns the terminal has; undefined where lines are never cut. */
  readonly columns?: number;
  /** A command of this program to type next, as the reader's shell takes it. */
  readonly command: (words: readonly string[]) => string;
  /** The name of the token or grant with this id; undefined where it is not known. */
  readonly nameOf?: (id: string) => string | undefined;
}

/** An argument that may be long. The command line also takes it from a file or from stdin. */
export interface ContentArgument {
  readonly argument: string;
  readonly bytesMax: number;
  /** Where the command line takes it from when it is not given. */
  readonly otherwise?: 'stdin';
  /**
   * The argument that names a file for the command line. The content is then always the bytes of
   * that file as base64, and there is no flag for it.
   */
  readonly file?: string;
}

/**
 * The change of a tool as one part of a batch. The input has no arguments for a whole call, such as
 * `dry_run`.
 */
export interface PlannedChange<Input extends z.ZodObject = z.ZodObject> {
  readonly input: Input;
  readonly plan: (draft: Draft, args: z.output<Input>) => Promise<object>;
}

/** A page that shows answers inside of clients that show such pages (MCP Apps). */
export type AppView = 'changes' | 'find';

/** One thing that callers can ask for, declared once for every door. */
interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  /** The input schema that lists of tools show, when it is narrower than `input`. */
  readonly published?: z.ZodObject;
  readonly output: Output;
  /**
   * The argument that names an existing note (`path` is always accepted in its place), or several.
   * When several vaults are served, the vault that has this note, or the first of these, is the one
   * that is meant.
   */
  readonly existing?: string;
  /** The answer when none of several vaults has that note. When absent, that is a failure. */
  readonly absent?: object;
  /** It is about no particular vault: when several are served, the caller need not name one. */
  readonly anyVault?: true;
  /**
   * It reaches files whose names begin with a dot. Only tools of the remote protocol, of the command
   * line and of the console may do that, never one that a model can call.
   */
  readonly raw?: true;
  /** What shows its answers to the person, in clients that can. The text is the same for all. */
  readonly appView?: AppView;
  /** It reaches beyond the vault: another machine, another checkout. */
  readonly openWorld?: true;
  /**
   * How long a call may take unless the server sets another time; when absent, as long as any call.
   */
  readonly deadlineMs?: number;
  /** The arguments that history and logs may keep; all others are reduced to their sizes. */
  readonly record: readonly string[];
  /** What history keeps besides, made of other arguments: names of properties without their values. */
  readonly recordAlso?: (args: z.output<Input>) => Readonly<Record<string, unknown>>;
  /**
   * The arguments that the command line takes without a flag, in order. A list takes all the rest.
   */
  readonly positional?: readonly string[];
  /** The command line joins all further words to the last of these, with spaces between them. */
  readonly joinsWords?: true;
  /** Command lines to try, as one types them after `$`. Help shows them, and a test runs them. */
  readonly examples?: readonly string[];
  /** The argument that may be long, if there is one. */
  readonly content?: ContentArgument;
  /**
   * The change that it makes, so that a batch can join several. Absent for tools that make none.
   */
  readonly change?: PlannedChange;
  readonly run: (vault: BoundVault, args: z.output<Input>) => Promise<z.output<Output>>;
  /** Whether the answer reports a fault. The command line then ends with another exit code. */
  readonly isFault?: (value: z.output<Output>) => boolean;
  /** The value as text for people, with a line end at the end. */
  readonly text?: (value: z.output<Output>, paint: Paint) => string;
  /**
   * Sentences that are not part of the result, such as that there is nothing, or how to see the rest.
   * The command line prints them to stderr, after the text.
   */
  readonly remarks?: (value: z.output<Output>) => readonly string[];
  /** The pictures and sounds of the answer, which are sent after the text. */
  readonly media?: (value: z.output<Output>) => readonly MediaContent[];
  /** Values for programs that are sent beside the text, by namespaced keys. */
  readonly meta?: (value: z.output<Output>) => Readonly<Record<string, unknown>>;
}

/** A tool of any input and output, as lists of tools hold them. */
export type AnyTool = Tool<z.ZodObject, z.ZodType>;

/** Declares a tool; exists so that `run` and `text` get their types from the schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): AnyTool {
  return tool as unknown as AnyTool;
}
