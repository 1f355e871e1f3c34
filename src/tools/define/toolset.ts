import type { Effect, Right } from '../../base/caller.ts';
import type { VaultError } from '../../base/vault-error.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { AnyTool } from './define-tool.ts';
import type { MediaContent, TextContent } from './outcome.ts';

/** The names of all toolsets. */
export type ToolsetName = 'cli' | 'notes' | 'obsidian' | 'agent' | 'fs' | 'console';

/** How a toolset words results and failures. */
export interface Voice {
  readonly result: (tool: AnyTool, value: unknown) => readonly (TextContent | MediaContent)[];
  readonly failure: (error: VaultError) => readonly TextContent[];
}

/**
 * A text that each connection gets once, with its first successful result. It is made from notes, so
 * the service frames it (`frameContext`).
 */
export interface ToolsetContext {
  /** The text; undefined while the index is not ready. */
  readonly text: (vault: BoundVault) => Promise<string | undefined>;
  /** Whether it is a content item of its own; otherwise it is put behind the result's text. */
  readonly asItem: boolean;
  /** After this time without a call, the connection gets it again; 0 means never. */
  readonly everyMs: number;
}

/** A tool that does what another name promises, and what to give it: `what "tags"`. */
export interface Instead {
  readonly tool: string;
  readonly with?: string;
}

/**
 * What to use in place of tools and arguments that callers expect and that do not exist. Advice
 * about a tool is given only where that tool is served.
 */
export interface Elsewhere {
  /** By the name of the tool that does not exist. Of several, the first that is served is named. */
  readonly tools: Readonly<Record<string, Instead | readonly [Instead, ...Instead[]]>>;
  /** By tool, then by the argument, in lower case, that the tool does not have. */
  readonly arguments: Readonly<Record<string, Readonly<Record<string, Instead | string>>>>;
  /**
   * Whether an argument that a tool does not have asks only for what the tool does anyway. Such an
   * argument is ignored: programs that callers know from before take it. A text says why it cannot
   * be ignored with this value.
   */
  readonly ignores?: (
    tool: string,
    argument: string,
    args: Readonly<Record<string, unknown>>,
  ) => boolean | string;
}

/**
 * A sentence that says which tool or argument leads on after a failure; undefined when there is
 * none. `existing` is the argument of the called tool that names a note, `takes` says whether it
 * has an argument, and `may` whether the caller may use a tool.
 */
export type ToolsetAdvice = (
  failure: VaultError,
  call: {
    readonly existing?: string | undefined;
    readonly takes: (argument: string) => boolean;
    readonly may: (tool: string) => boolean;
  },
) => string | undefined;

/** Tools that belong together, and how their answers are worded. */
export interface Toolset {
  readonly name: ToolsetName;
  readonly tools: readonly AnyTool[];
  /** The tools that only callers have who can do no more than propose some changes. */
  readonly forProposers?: readonly AnyTool[];
  readonly voice: Voice;
  /** The options that it was made with, as far as plans of changes depend on them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly elsewhere?: Elsewhere;
  /** What to add to failures to which their tool has added no advice of its own. */
  readonly advice?: ToolsetAdvice;
  readonly prompts?: readonly Prompt[];
  readonly context?: ToolsetContext;
  /** The basic rules for a model that may use the tools with these effects. */
  readonly instructions?: (effects: readonly Right[]) => string;
  /** How MCP reports failures; as results when absent. */
  readonly failures?: ToolFailures;
  /** Results are also sent as structured content, and lists show the output schemas. */
  readonly structured?: true;
  /**
   * The name of a server that serves only this toolset. Such a server follows the contract of the
   * program with that name, which has tools only: no prompts and no resources.
   */
  readonly serverName?: string;
}

/** What a client learns about a toolset before it asks for a tool. Needs no tool to be loaded. */
export type Introduction = Pick<Toolset, 'instructions' | 'serverName'>;

/** Failures are results with `isError`, or errors of the protocol. */
export type ToolFailures = 'results' | 'errors';

/** What an argument names, so that clients can complete it. A `text` cannot be completed. */
type PromptArgumentKind = 'note' | 'heading' | 'tag' | 'vault' | 'text';

/** An argument of a prompt, which a client lets a person fill in. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A `heading` belongs to the note that the argument `name` names. */
  readonly kind: PromptArgumentKind;
}

/** Which vault is meant. The calls that a prompt suggests pass it on. */
export interface WhichVault {
  /** The vault that is meant; absent when there is only one. */
  readonly vault?: string;
}

/** A text that a person can put into a conversation by choosing its name. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the tools do that the text says to call: it is listed only for those who may. */
  readonly effect?: Effect;
  readonly run: (
    vault: BoundVault,
    args: Readonly<Record<string, string>>,
    which: WhichVault,
  ) => Promise<string>;
}
