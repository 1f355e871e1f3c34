import type { VaultError } from '../../base/vault-error.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { AnyTool, Effect } from './define-tool.ts';
import type { TextContent } from './outcome.ts';

export type ToolsetName = 'cli' | 'notes' | 'obsidian' | 'agent' | 'fs';

/** How results and failures are worded. */
export interface Voice {
  readonly result: (tool: AnyTool, value: unknown) => readonly TextContent[];
  readonly failure: (error: VaultError) => readonly TextContent[];
}

/** What a connection is told once, at the end of its first successful result. */
export interface ToolsetContext {
  /** The block, `\n\n---\n` at its beginning included; undefined while the index is not ready. */
  readonly text: (vault: BoundVault) => Promise<string | undefined>;
  /** After so much idle time it is told again; 0 is never. */
  readonly everyMs: number;
}

/** A list of tools that belong together, and the voice they speak in. */
export interface Toolset {
  readonly name: ToolsetName;
  readonly tools: readonly AnyTool[];
  readonly voice: Voice;
  readonly prompts?: readonly Prompt[];
  readonly context?: ToolsetContext;
  /** The base rules for a model that uses those of these tools that do this. */
  readonly instructions?: (effects: readonly Effect[]) => string;
  /** How protocols that have errors of their own tell failures; as results unless said otherwise. */
  readonly failures?: ToolFailures;
  /** Results are structured too, as the output schemas of its tools say, which lists then show. */
  readonly structured?: true;
  /**
   * What a server is called that serves nothing but this toolset: its contract is that of such a
   * server, which has tools only.
   */
  readonly serverName?: string;
}

/** What a client is told of a toolset before it asks for a tool; is there without loading any. */
export type Introduction = Pick<Toolset, 'instructions' | 'serverName'>;

/** Failures are results that say so, or errors of the protocol. */
export type ToolFailures = 'results' | 'errors';

/** What an argument names, so that it can be completed; `text` is anything, which cannot. */
type PromptArgumentKind = 'note' | 'heading' | 'tag' | 'vault' | 'text';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A `heading` belongs to the note that the argument `name` names. */
  readonly kind: PromptArgumentKind;
}

/** What every call that a text tells to make needs beside its own arguments. */
export interface WhichVault {
  /** The vault that is meant; absent where there is only one. */
  readonly vault?: string;
}

/** A text that a person puts into a conversation by its name. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly run: (
    vault: BoundVault,
    args: Readonly<Record<string, string>>,
    which: WhichVault,
  ) => Promise<string>;
}
