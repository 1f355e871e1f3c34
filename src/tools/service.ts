import type { Caller, Progress } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import { toVaultError, VaultError } from '../base/vault-error.ts';
import { stemOf, vaultPath } from '../base/vault-path.ts';
import { fileKind } from '../engine/file-kind.ts';
import { callerProgress } from '../engine/index-progress.ts';
import { listFiles } from '../engine/operations/list-files.ts';
import type { Timers } from '../engine/ports.ts';
import { ServedMemory } from '../engine/served-memory.ts';
import type { ServedNotes } from '../engine/served-notes.ts';
import type { BoundVault, Vault } from '../engine/vault.ts';
import { notFound } from '../engine/vault.ts';
import { openedVault, type VaultSource } from '../engine/vault-source.ts';
import { checkInput } from './check-input.ts';
import { completeRequest } from './complete-request.ts';
import { ContextTurns } from './context-turns.ts';
import type { Prompt } from './define-prompt.ts';
import type { AnyTool, Effect } from './define-tool.ts';
import { listedTool } from './listed-tool.ts';
import type { Outcome, TextContent } from './outcome.ts';
import { runPrompt } from './run-prompt.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Toolset } from './toolset.ts';
import { withDeadline } from './with-deadline.ts';

/** A tool as lists show it: data only, whoever serves it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** JSON Schema of what a caller must send. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Only where the toolset answers with structured results. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

export type ListedPrompt = Omit<Prompt, 'run'>;

/** A note as a list of resources shows it. */
export interface ListedNote {
  readonly path: string;
  readonly title: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** What is to be completed: an argument of a prompt, or the path of a note. */
export type CompletionRequest =
  | {
      readonly of: 'prompt';
      readonly prompt: string;
      readonly argument: string;
      readonly value: string;
      /** The arguments that are filled in already. */
      readonly given: Readonly<Record<string, string>>;
    }
  | { readonly of: 'path'; readonly value: string };

export interface Completions {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * The one way in: everything that doors and the command line may ask of the program. `call` never
 * rejects; the others reject with nothing but a `VaultError`. What the caller may not see is
 * absent from every answer.
 */
export interface Service {
  /** The name of the vault, for people and models to read. */
  readonly vault: string;
  /** The base rules for models, of all toolsets that are served. */
  readonly instructions: string;
  /** The tools that are served to someone who may do this, in order. */
  list(effects: readonly Effect[]): readonly ListedTool[];
  has(name: string): boolean;
  /**
   * Runs a tool. Never rejects. Arguments are checked against the tool's schema, the caller's
   * scopes against its effect, and the call ends when its deadline passes or it is aborted. The
   * first success of a connection ends with the context of the tool's toolset.
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
  /** Resolves when links, tags and names are indexed; tells how far that is meanwhile. */
  ready(onProgress?: (progress: Progress) => void): Promise<void>;
  /** Forgets what is remembered of a connection that has ended. */
  disconnected(connection: string): void;
}

/**
 * A service over one vault, which may have yet to be found: until then only what needs a vault
 * fails. The vault is the caller's to close.
 */
export function createService(
  vault: Vault | VaultSource,
  toolsets: readonly Toolset[],
  timers: Timers,
): Service {
  return new VaultService('open' in vault ? vault : openedVault(vault), toolsets, timers);
}

class VaultService implements Service {
  readonly vault: string;
  readonly instructions: string;
  readonly #source: VaultSource;
  readonly #toolsets: readonly Toolset[];
  readonly #timers: Timers;
  readonly #tools = new Map<string, { readonly tool: AnyTool; readonly toolset: Toolset }>();
  readonly #prompts: readonly Prompt[];
  readonly #served = new ServedMemory(limits);
  readonly #contexts: ContextTurns;
  #subscriptions: Subscriptions | undefined;
  #listed: readonly ListedTool[] | undefined;

  constructor(source: VaultSource, toolsets: readonly Toolset[], timers: Timers) {
    this.vault = source.name;
    this.instructions = toolsets.flatMap(({ instructions = [] }) => instructions).join('\n\n');
    this.#source = source;
    this.#toolsets = toolsets;
    this.#timers = timers;
    for (const toolset of toolsets) {
      for (const tool of toolset.tools) this.#tools.set(tool.name, { tool, toolset });
    }
    this.#prompts = toolsets.flatMap(({ prompts = [] }) => prompts);
    this.#contexts = new ContextTurns(source.clock, limits);
  }

  list(effects: readonly Effect[]): readonly ListedTool[] {
    this.#listed ??= Array.from(this.#tools.values(), ({ tool }) => listedTool(tool));
    return this.#listed.filter(({ effect }) => effects.includes(effect));
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  async call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    const found = this.#tools.get(name);
    const { connection } = caller;
    if (connection !== undefined) this.#contexts.began(connection);
    try {
      if (found === undefined) throw new VaultError('invalid_input', `There is no tool "${name}".`);
      const { tool, toolset } = found;
      const value = await this.#run(tool, args, caller);
      const content = toolset.voice.result(tool, value);
      return { ok: true, value, content: await this.#withContext(content, toolset, caller) };
    } catch (error) {
      const failure = toVaultError(error);
      const voice = (found?.toolset ?? this.#toolsets[0])?.voice;
      return { ok: false, error: failure, content: voice?.failure(failure) ?? [] };
    } finally {
      if (connection !== undefined) this.#contexts.ended(connection);
    }
  }

  resources(caller: Caller): Promise<readonly ListedNote[]> {
    return this.#ask(caller, async (vault) => {
      const { items } = await listFiles(vault, {
        folder: '',
        kinds: ['note'],
        sort: 'modified',
        limit: limits.resourcesMax,
        offset: 0,
      });
      return items.map(({ path, size, mtimeMs }) => ({
        path,
        title: stemOf(path),
        bytes: size,
        modifiedMs: mtimeMs,
      }));
    });
  }

  readResource(path: string, caller: Caller): Promise<{ path: string; text: string }> {
    return this.#ask(caller, async (vault) => {
      const exact = vaultPath(path);
      if ((await vault.stat(exact)) === undefined) throw notFound(exact);
      if (fileKind(exact) === 'attachment') {
        throw new VaultError(
          'invalid_input',
          `"${exact}" is an attachment; notes, canvases and bases can be read as text.`,
          { details: { path: exact } },
        );
      }
      const note = await vault.readText(exact);
      vault.served?.shown(note);
      return { path: note.path, text: note.text };
    });
  }

  prompts(): readonly ListedPrompt[] {
    return this.#prompts.map(({ run: _, ...prompt }) => prompt);
  }

  prompt(name: string, args: Readonly<Record<string, string>>, caller: Caller): Promise<string> {
    return this.#ask(caller, (vault) => runPrompt(this.#prompts, { name, args }, vault));
  }

  complete(request: CompletionRequest, caller: Caller): Promise<Completions> {
    return this.#ask(caller, (vault) => completeRequest(this.#prompts, request, vault));
  }

  subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void> {
    return this.#ask(caller, async (vault) => {
      const exact = vaultPath(path);
      if (!vault.sees(exact)) throw notFound(exact);
      this.#subscriptions ??= new Subscriptions(vault.vault.parts, limits);
      return this.#subscriptions.add(caller.connection ?? '', exact, onChange);
    });
  }

  async ready(onProgress?: (progress: Progress) => void): Promise<void> {
    const { keeper } = (await this.#source.open()).parts;
    await keeper.wait('facts', {
      waitMs: Number.POSITIVE_INFINITY,
      onProgress: (progress) => onProgress?.(callerProgress(progress)),
    });
  }

  disconnected(connection: string): void {
    this.#served.forget(connection);
    this.#contexts.forget(connection);
    this.#subscriptions?.endAll(connection);
  }

  #run(tool: AnyTool, args: unknown, caller: Caller): Promise<unknown> {
    checkEffect(tool.effect, caller);
    const input = checkInput(tool.name, tool.input, args);
    const call = { tool: tool.name, args: recordedArgs(tool, input) };
    const options = { timers: this.#timers, writes: tool.effect !== 'read' };
    return withDeadline(caller, options, async (bound) => {
      const vault = await this.#source.open();
      return tool.run(vault.bind(bound, call, this.#servedTo(bound)), input);
    });
  }

  /** Asks something that is no tool, and changes nothing. */
  async #ask<T>(caller: Caller, run: (vault: BoundVault) => Promise<T>): Promise<T> {
    const options = { timers: this.#timers, writes: false };
    try {
      checkEffect('read', caller);
      return await withDeadline(caller, options, async (bound) => {
        const vault = await this.#source.open();
        return run(vault.bind(bound, undefined, this.#servedTo(bound)));
      });
    } catch (error) {
      throw toVaultError(error);
    }
  }

  /** What a connection was shown; the command line is a new process with each command. */
  #servedTo({ door, connection, signal }: Caller): ServedNotes | undefined {
    if (connection === undefined || door === 'cli') return undefined;
    const served = this.#served.forConnection(connection);
    return {
      ...served,
      shown: (note, range) => {
        // What is read when the call is over already, nobody gets to see.
        if (!signal.aborted) served.shown(note, range);
      },
    };
  }

  /** A result with the context of its toolset at its end, if it is the connection's turn. */
  async #withContext(
    content: readonly TextContent[],
    toolset: Toolset,
    caller: Caller,
  ): Promise<readonly TextContent[]> {
    const { context } = toolset;
    if (context === undefined || caller.connection === undefined) return content;
    const soon = { ...caller, deadlineMs: limits.contextWaitMs };
    const options = { timers: this.#timers, writes: false };
    const text = await this.#contexts.take(caller.connection, toolset, ({ isFirst }) =>
      withDeadline(isFirst ? soon : { ...soon, indexWaitMs: 0 }, options, async (bound) =>
        context.text((await this.#source.open()).bind(bound)),
      ),
    );
    if (text === undefined) return content;
    const last = content.at(-1) ?? { type: 'text', text: '' };
    return [...content.slice(0, -1), { ...last, text: last.text + text }];
  }
}

function checkEffect(effect: Effect, { scopes }: Caller): void {
  if (scopes.effects.includes(effect)) return;
  const may = scopes.effects.length === 0 ? 'do nothing' : `only ${scopes.effects.join(' and ')}`;
  throw new VaultError('forbidden', `${refused[effect]}: this connection may ${may}.`);
}

const refused: Readonly<Record<Effect, string>> = {
  read: 'Nothing can be read here',
  write: 'Nothing can be changed here',
  destroy: 'Nothing can be deleted or undone here',
};

/** The arguments that history may keep. */
function recordedArgs(tool: AnyTool, input: object): Record<string, unknown> {
  const kept = Object.entries(input).filter(([name]) => tool.record.includes(name));
  return Object.fromEntries(kept);
}
