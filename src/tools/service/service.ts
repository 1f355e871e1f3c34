import type { Caller, Effect, Progress, Right } from '../../base/caller.ts';
import type { Vault } from '../../engine/open/vault.ts';
import { openedVault, type VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { FileEvent } from '../../engine/ports/raw-disk.ts';
import type { AppView } from '../define/define-tool.ts';
import type { Outcome } from '../define/outcome.ts';
import type { Prompt, ToolFailures, Toolset } from '../define/toolset.ts';
import { VaultsService } from './vaults-service.ts';

/** A tool as lists show it. Plain data, because another server may be behind the service. */
export interface ListedTool {
  readonly name: string;
  /** Absent when the server behind this service does not say it. */
  readonly title?: string;
  readonly description: string;
  /** Absent when the server behind this service does not say it; then the tool may do anything. */
  readonly effect?: Effect;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of the result; only in toolsets with structured results. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** How MCP reports its failures; as results when absent. */
  readonly failures?: ToolFailures;
  /** It reaches beyond the vault: another machine, another checkout. */
  readonly openWorld?: true;
  /** See `Tool.appView`. */
  readonly appView?: AppView;
}

/** A prompt as lists show it. */
export type ListedPrompt = Omit<Prompt, 'run' | 'effect'>;

/** A note as a list of resources shows it. */
export interface ListedNote {
  /** The name of its vault, when there are several. */
  readonly vault?: string;
  readonly path: string;
  readonly title: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A note, canvas or base as text, or an attachment as base64 with its type. */
export type ReadFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly blob: string; readonly mimeType: string };

/** A request to complete an argument of a prompt, the path of a note, or the name of a vault. */
export type CompletionRequest =
  | {
      readonly of: 'prompt';
      readonly prompt: string;
      readonly argument: string;
      readonly value: string;
      /** The arguments that are filled in already. */
      readonly given: Readonly<Record<string, string>>;
    }
  | { readonly of: 'path'; readonly value: string }
  | { readonly of: 'vault'; readonly value: string };

/** The best completions, and how many there are in all. */
export interface Completions {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * Everything that doors and the command line may ask of the program. `call` never rejects; the
 * other methods reject only with a `VaultError`. What the caller may not see is absent from every
 * answer. When there are several vaults, `Caller.vault` names the one that is meant; requests that
 * several vaults can answer need no name.
 */
export interface Service {
  /** The names of the vaults, as people and models see them. */
  readonly vaults: readonly string[];
  /** The server's name, if its only toolset sets one; see `Toolset.serverName`. */
  readonly serverName?: string;
  /** Names the vaults, and gives the rules for a model that may use tools with these effects. */
  instructions(effects: readonly Right[]): string;
  /** The tools for a caller who may use tools with these effects, in order. */
  list(effects: readonly Right[]): readonly ListedTool[];
  /** Whether there is a tool of this name. A promise when another server has to be asked first. */
  has(name: string): boolean | Promise<boolean>;
  /**
   * What to use in place of a tool that does not exist, for a caller who may use tools with these
   * effects: `use read_note`. Undefined when no tool is similar.
   */
  insteadOf(name: string, effects: readonly Right[]): string | undefined;
  /**
   * Resolves when `list` is complete, or after a short while. Absent when it is always complete.
   */
  toolsKnown?(): Promise<void>;
  /**
   * Calls back when the list of tools changes, until the returned function is called. Absent when
   * it never changes.
   */
  onToolsChanged?(listener: () => void): () => void;
  /**
   * Runs a tool. Never rejects. Arguments are checked against the tool's schema, the caller's
   * scopes against its effect, and the call ends when its deadline passes or it is aborted. The
   * argument `vault` names a vault, whatever the tool. The first successful answer to a connection
   * in each vault also carries the context of the tool's toolset (`ToolsetContext`).
   */
  call(name: string, args: unknown, caller: Caller): Promise<Outcome>;
  /** The notes that changed last, newest first, at most `limits.resourcesMax`. */
  resources(caller: Caller): Promise<readonly ListedNote[]>;
  /**
   * The text of the note at exactly this path, which the connection then counts as having read; or
   * the bytes of an attachment.
   */
  readResource(path: string, caller: Caller): Promise<ReadFile>;
  /** The prompts for a caller who may use tools with these effects. */
  prompts(effects: readonly Right[]): readonly ListedPrompt[];
  /** The text of a prompt. Fails with `invalid_input` for an unknown one or a missing argument. */
  prompt(name: string, args: Readonly<Record<string, string>>, caller: Caller): Promise<string>;
  complete(request: CompletionRequest, caller: Caller): Promise<Completions>;
  /**
   * Calls back when the file at exactly this path changes on disk, appears or disappears, whoever
   * changes it. The returned function ends the subscription. Fails with `not_found` for a path that
   * the caller may not see.
   */
  subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void>;
  /**
   * Reports every file and folder that appears, changes or disappears in a folder of the vault,
   * including dot names, whoever changes it. Resolves when watching has begun; the returned
   * function ends it. The path may be a file, or a folder that does not exist yet. Absent when the
   * vaults belong to another server.
   */
  watch?(
    watched: { readonly path: string; readonly recursive: boolean },
    caller: Caller,
    onEvents: (events: readonly FileEvent[]) => void,
  ): Promise<() => void>;
  /** Resolves when links, tags and names are indexed; reports the progress until then. */
  ready(onProgress?: (progress: Progress) => void): Promise<void>;
  /** Forgets what is remembered of a connection that has ended. */
  disconnected(connection: string): void;
}

/**
 * Makes a service over one vault or several with different names. A vault that is not there yet
 * makes only those requests fail that need it. The service does not close the vaults.
 */
export function createService(
  vaults: Vault | VaultSource | readonly (Vault | VaultSource)[],
  toolsets: readonly Toolset[],
  timers: Timers,
): Service {
  const sources = [vaults].flat().map((vault) => ('open' in vault ? vault : openedVault(vault)));
  return new VaultsService(sources, toolsets, timers);
}
