import type { Caller, Progress } from '../../base/caller.ts';
import type { Vault } from '../../engine/open/vault.ts';
import { openedVault, type VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { FileEvent } from '../../engine/ports/raw-disk.ts';
import type { Effect } from '../define/define-tool.ts';
import type { Outcome } from '../define/outcome.ts';
import type { Prompt, ToolFailures, Toolset } from '../define/toolset.ts';
import { VaultsService } from './vaults-service.ts';

/** A tool as lists show it: data only, whoever serves it. */
export interface ListedTool {
  readonly name: string;
  /** Absent where the server behind does not tell it. */
  readonly title?: string;
  readonly description: string;
  /** Absent where the server behind does not tell it: the tool may do anything. */
  readonly effect?: Effect;
  /** JSON Schema of what a caller must send. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Only where the toolset answers with structured results. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** How its failures are told; as results unless said otherwise. */
  readonly failures?: ToolFailures;
  /** It reaches beyond the vault: another machine, another checkout. */
  readonly openWorld?: true;
}

export type ListedPrompt = Omit<Prompt, 'run'>;

/** A note as a list of resources shows it. */
export interface ListedNote {
  /** Its vault; only where there are several. */
  readonly vault?: string;
  readonly path: string;
  readonly title: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** What is to be completed: an argument of a prompt, the path of a note, or the name of a vault. */
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

export interface Completions {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * The one way in: everything that doors and the command line may ask of the program. `call` never
 * rejects; the others reject with nothing but a `VaultError`. What the caller may not see is
 * absent from every answer. Where there are several vaults, `Caller.vault` names the one that is
 * meant; what may be found in any of them needs no name.
 */
export interface Service {
  /** The names of the vaults, for people and models to read. */
  readonly vaults: readonly string[];
  /** What the server is called where its only toolset says so; then it serves nothing but tools. */
  readonly serverName?: string;
  /** Which vaults there are, and the base rules of all toolsets for models that may do this. */
  instructions(effects: readonly Effect[]): string;
  /** The tools that are served to someone who may do this, in order. */
  list(effects: readonly Effect[]): readonly ListedTool[];
  /** A promise where another server has to be asked first. */
  has(name: string): boolean | Promise<boolean>;
  /** Resolves when `list` is worth asking; absent where it always is. Waits a short while at most. */
  toolsKnown?(): Promise<void>;
  /** Calls back when `list` answers something else; the answer ends it. Absent where it never does. */
  onToolsChanged?(listener: () => void): () => void;
  /**
   * Runs a tool. Never rejects. Arguments are checked against the tool's schema, the caller's
   * scopes against its effect, and the call ends when its deadline passes or it is aborted. The
   * argument `vault` names a vault, whatever the tool. The first success of a connection in a vault
   * ends with the context of the tool's toolset.
   */
  call(name: string, args: unknown, caller: Caller): Promise<Outcome>;
  /** The notes that changed last, newest first, at most `limits.resourcesMax`. */
  resources(caller: Caller): Promise<readonly ListedNote[]>;
  /** The text of the note at exactly this path. Counts as shown to the connection. */
  readResource(path: string, caller: Caller): Promise<{ path: string; text: string }>;
  prompts(): readonly ListedPrompt[];
  prompt(name: string, args: Readonly<Record<string, string>>, caller: Caller): Promise<string>;
  complete(request: CompletionRequest, caller: Caller): Promise<Completions>;
  /**
   * Calls back when the file at exactly this path has changed on disk, appeared or gone, whoever
   * did it; the answer ends it. Fails with `not_found` for what the caller may not see.
   */
  subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void>;
  /**
   * Tells of every file and folder that comes, changes or goes in a folder of the vault, dot names
   * included, whoever did it; resolves once that is so, and the answer ends it. A folder that is not
   * there yet may be named, and so may a file. Absent where the vaults are another server's.
   */
  watch?(
    watched: { readonly path: string; readonly recursive: boolean },
    caller: Caller,
    onEvents: (events: readonly FileEvent[]) => void,
  ): Promise<() => void>;
  /** Resolves when links, tags and names are indexed; tells how far that is meanwhile. */
  ready(onProgress?: (progress: Progress) => void): Promise<void>;
  /** Forgets what is remembered of a connection that has ended. */
  disconnected(connection: string): void;
}

/**
 * A service over one vault or several, each with a name of its own. One may have yet to be found:
 * until then only what needs it fails. The vaults are the caller's to close.
 */
export function createService(
  vaults: Vault | VaultSource | readonly (Vault | VaultSource)[],
  toolsets: readonly Toolset[],
  timers: Timers,
): Service {
  const sources = [vaults].flat().map((vault) => ('open' in vault ? vault : openedVault(vault)));
  return new VaultsService(sources, toolsets, timers);
}
