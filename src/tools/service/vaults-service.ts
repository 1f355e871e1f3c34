import { type Caller, type Progress, type Right, rightTo } from '../../base/caller.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import { checkAllowed } from '../../engine/decide/decide.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { FileEvent } from '../../engine/ports/raw-disk.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { isAdvised, withSentence } from '../define/advice.ts';
import { checkInput } from '../define/check-input.ts';
import { insteadOfArgument, insteadOfTool } from '../define/elsewhere.ts';
import type { Outcome } from '../define/outcome.ts';
import { mayPropose } from '../define/proposing.ts';
import type { Prompt, Toolset } from '../define/toolset.ts';
import type { KnownArguments } from '../define/unknown-arguments.ts';
import { introduce } from './introduce.ts';
import { listedTool, outputSchemaOf } from './listed-tool.ts';
import { completeRequest, promptNamed, runPrompt } from './prompts.ts';
import { answerOf, type CallInput, type ServedTool, ServedVault } from './served-vault.ts';
import { ServedVaults } from './served-vaults.ts';
import type {
  CompletionRequest,
  Completions,
  ListedNote,
  ListedPrompt,
  ListedTool,
  ReadFile,
  Service,
} from './service.ts';
import { unknownTool } from './unknown-tool.ts';
import {
  existingNote,
  promptNote,
  splitVault,
  withVaultArgument,
  withVaultProperty,
} from './vault-argument.ts';

/**
 * The service over one vault or several. Finds the vault that a request means, and hands the
 * request to its `ServedVault`.
 */
export class VaultsService implements Service {
  readonly vaults: readonly string[];
  readonly serverName?: string;
  readonly instructions: Service['instructions'];
  readonly #vaults: ServedVaults;
  readonly #nowMs: () => number;
  readonly #toolsets: readonly Toolset[];
  readonly #tools = new Map<string, ServedTool>();
  readonly #forProposers = new Set<string>();
  readonly #prompts: readonly Prompt[];
  #listed: readonly ListedTool[] | undefined;

  constructor(sources: readonly VaultSource[], toolsets: readonly Toolset[], timers: Timers) {
    const isOneOfSeveral = sources.length > 1;
    this.#vaults = new ServedVaults(
      sources.map((source) => new ServedVault({ source, timers, isOneOfSeveral })),
    );
    this.vaults = this.#vaults.names;
    this.#nowMs = () => sources[0]?.clock.nowMs() ?? 0;
    this.#toolsets = toolsets;
    for (const toolset of toolsets) {
      for (const tool of toolset.tools) this.#tools.set(tool.name, { tool, toolset });
    }
    // The toolsets share these, so they answer in the words of the first that has them.
    for (const toolset of toolsets.toReversed()) {
      for (const tool of toolset.forProposers ?? []) {
        this.#tools.set(tool.name, { tool, toolset });
        this.#forProposers.add(tool.name);
      }
    }
    this.#prompts = toolsets.flatMap(({ prompts = [] }) => prompts);
    const { serverName, instructions } = introduce(this.vaults, toolsets);
    if (serverName !== undefined) this.serverName = serverName;
    this.instructions = instructions;
  }

  list(effects: readonly Right[]): readonly ListedTool[] {
    this.#listed ??= Array.from(this.#tools.values(), (served) => this.#listedTool(served));
    return this.#listed.flatMap((tool) => {
      if (!this.#isFor(effects, tool.name)) return [];
      const right = tool.effect && rightTo(tool.effect, effects);
      if (right === undefined) return [];
      return [right === 'propose' ? withoutOutput(tool) : tool];
    });
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  insteadOf(name: string, effects: readonly Right[]): string | undefined {
    const tools = this.list(effects);
    const allowed = new Set(tools.map((tool) => tool.name));
    const forbidden = new Set(Array.from(this.#tools.keys()).filter((tool) => !allowed.has(tool)));
    return insteadOfTool(name, { tools, toolsets: this.#toolsets, forbidden });
  }

  async call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    const { effects } = caller.scopes;
    const found = this.#isFor(effects, name) ? this.#tools.get(name) : undefined;
    const { connection } = caller;
    const { all } = this.#vaults;
    if (connection !== undefined) for (const { contexts } of all) contexts.callBegan(connection);
    try {
      if (found === undefined) {
        throw unknownTool(name, this.insteadOf(name, effects));
      }
      return await this.#call(found, args, caller);
    } catch (error) {
      const failure = this.#advised(toVaultError(error), { found, args }, caller);
      const voice = (found?.toolset ?? this.#toolsets[0])?.voice;
      return { ok: false, error: failure, content: voice?.failure(failure) ?? [] };
    } finally {
      if (connection !== undefined) for (const { contexts } of all) contexts.callEnded(connection);
    }
  }

  resources(caller: Caller): Promise<readonly ListedNote[]> {
    return this.#ask(() =>
      joinNotes(this.#vaultsToAsk(caller.vault).map((v) => v.resources(caller))),
    );
  }

  readResource(path: string, caller: Caller): Promise<ReadFile> {
    return this.#ask(() => this.#vaults.namedOrOnly(caller.vault).readResource(path, caller));
  }

  prompts(effects: readonly Right[]): readonly ListedPrompt[] {
    return this.#prompts
      .filter(({ effect }) => effect === undefined || rightTo(effect, effects) !== undefined)
      .map(({ run: _, effect: __, ...prompt }) =>
        this.#vaults.only ? prompt : withVaultArgument(prompt, this.vaults),
      );
  }

  prompt(name: string, given: Readonly<Record<string, string>>, caller: Caller): Promise<string> {
    return this.#ask(async () => {
      const { vault = caller.vault, rest: args } = splitVault(given);
      const note = promptNote(promptNamed(this.#prompts, name), args);
      const chosen = await this.#vaults.choose(vault, note, caller);
      const which = this.#vaults.only === undefined ? { vault: chosen.name } : {};
      const run = (bound: BoundVault): Promise<string> =>
        runPrompt(this.#prompts, { name, args }, bound, which);
      return chosen.ask(caller, run, `prompt ${name}`);
    });
  }

  complete(request: CompletionRequest, caller: Caller): Promise<Completions> {
    return this.#ask(async () => {
      const given = request.of === 'prompt' ? request.given : {};
      const isVault = request.of === 'prompt' && request.argument === 'vault';
      if (isVault || request.of === 'vault') return this.#completeVault(request.value);
      const { vault = caller.vault } = splitVault(given);
      const completing = this.#vaultsToAsk(vault).map((each) =>
        each.ask(caller, (bound) => completeRequest(this.#prompts, request, bound), 'completion'),
      );
      return joinCompletions(completing);
    });
  }

  subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void> {
    return this.#ask(() =>
      this.#vaults.namedOrOnly(caller.vault).subscribe(path, caller, onChange),
    );
  }

  watch(
    watched: { readonly path: string; readonly recursive: boolean },
    caller: Caller,
    onEvents: (events: readonly FileEvent[]) => void,
  ): Promise<() => void> {
    return this.#ask(async () =>
      this.#vaults.namedOrOnly(caller.vault).watch(watched, caller, onEvents),
    );
  }

  async ready(onProgress?: (progress: Progress) => void): Promise<void> {
    await this.#ask(() => Promise.all(this.#vaults.all.map((vault) => vault.ready(onProgress))));
  }

  disconnected(connection: string): void {
    for (const vault of this.#vaults.all) vault.disconnected(connection);
  }

  /** Whether callers with these rights have a tool of this name. */
  #isFor(effects: readonly Right[], name: string): boolean {
    return !this.#forProposers.has(name) || mayPropose(effects);
  }

  async #call(found: ServedTool, given: unknown, caller: Caller): Promise<Outcome> {
    const { tool } = found;
    checkAllowed(caller, { effect: tool.effect });
    const { vault = caller.vault, rest: args } = splitVault(given);
    // The protocol of the remote door ignores arguments that it does not know.
    const unknown = found.toolset.name === 'fs' ? 'ignore' : 'refuse';
    const elsewhere = (argument: string) => insteadOfArgument(found.toolset, tool.name, argument);
    const ignores: KnownArguments['ignores'] = (argument, all) =>
      found.toolset.elsewhere?.ignores?.(tool.name, argument, all) ?? false;
    const checked = checkInput({ ...tool, elsewhere, ignores }, args, { unknown });
    const input = { given: isObject(args) ? args : {}, checked };
    if (tool.anyVault && vault === undefined) return this.#callAnywhere(found, input, caller);
    // Finding the vault counts towards the deadline of the call, and towards its wait for the index.
    const startMs = this.#nowMs();
    const chosen = await this.#choose(found, vault, args, caller);
    if (chosen === undefined) return answerOf(found, tool.absent);
    const tookMs = this.#nowMs() - startMs;
    return chosen.call(found, input, {
      ...caller,
      deadlineMs: Math.max(1, caller.deadlineMs - tookMs),
      indexWaitMs: Math.max(0, (caller.indexWaitMs ?? limits.indexWaitMs) - tookMs),
    });
  }

  /**
   * The vault that a call means; undefined when none has the note and the tool has an answer for
   * that.
   */
  async #choose(
    { tool }: ServedTool,
    vault: string | undefined,
    args: unknown,
    caller: Caller,
  ): Promise<ServedVault | undefined> {
    const note = existingNote(tool, args);
    // The ids of changes are those of one vault, so undoing in a vault that is only preferred could
    // take back another change than the one that is meant.
    const { prefers: _, ...impartial } = caller;
    const isPreferable = tool.effect !== 'destroy' || note !== undefined;
    try {
      return await this.#vaults.choose(vault, note, isPreferable ? caller : impartial);
    } catch (error) {
      const isNowhere = error instanceof VaultError && error.code === 'not_found';
      if (isNowhere && tool.absent !== undefined) return undefined;
      throw error;
    }
  }

  /** Calls a tool in every vault, and returns the first answer. */
  async #callAnywhere(found: ServedTool, input: CallInput, caller: Caller): Promise<Outcome> {
    try {
      return await Promise.any(this.#vaults.all.map((vault) => vault.call(found, input, caller)));
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  /** A failure with the advice of the toolset, unless the tool has given its own. */
  #advised(
    failure: VaultError,
    { found, args }: { readonly found: ServedTool | undefined; readonly args: unknown },
    { scopes }: Caller,
  ): VaultError {
    if (found?.toolset.advice === undefined || isAdvised(failure)) return failure;
    const { tool, toolset } = found;
    const may = (name: string): boolean => {
      const effect = this.#tools.get(name)?.tool.effect;
      return effect !== undefined && rightTo(effect, scopes.effects) !== undefined;
    };
    const takes = (argument: string) => Object.hasOwn(tool.input.shape, argument);
    // A tool that takes the name of a note takes `path` in its place.
    const isByPath = takes('path') && isObject(args) && typeof args['path'] === 'string';
    const existing = tool.existing !== undefined && isByPath ? 'path' : tool.existing;
    const more = toolset.advice?.(failure, { existing, takes, may });
    return more === undefined ? failure : withSentence(failure, more);
  }

  /** Runs a request that is not a tool call. Rejects only with a `VaultError`. */
  async #ask<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toVaultError(error);
    }
  }

  /** The vault of this name, or all vaults. */
  #vaultsToAsk(name: string | undefined): readonly ServedVault[] {
    return name === undefined ? this.#vaults.all : [this.#vaults.named(name)];
  }

  #completeVault(value: string): Completions {
    const begin = foldName(value);
    const values = this.vaults.filter((name) => foldName(name).startsWith(begin));
    return { values, total: values.length };
  }

  #listedTool({ tool, toolset }: ServedTool): ListedTool {
    const { failures, structured } = toolset;
    const listed = {
      ...listedTool(tool),
      ...(structured && { outputSchema: outputSchemaOf(tool) }),
      ...(failures && { failures }),
    };
    return this.#vaults.only ? listed : withVaultProperty(listed, tool, this.vaults);
  }
}

/** A tool whose answers say only what was proposed, so that they do not follow its output schema. */
function withoutOutput({ outputSchema: _, ...tool }: ListedTool): ListedTool {
  return tool;
}

/** The latest notes of several vaults. Fails only when every vault fails. */
async function joinNotes(
  asked: readonly Promise<readonly ListedNote[]>[],
): Promise<readonly ListedNote[]> {
  const notes = (await answersOf(asked)).flat();
  return notes.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, limits.resourcesMax);
}

/** The completions of several vaults, each value once. Fails only when every vault fails. */
async function joinCompletions(asked: readonly Promise<Completions>[]): Promise<Completions> {
  const answers = await answersOf(asked);
  const all = answers.flatMap(({ values }) => values);
  const values = Array.from(new Set(all));
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  return {
    values: values.slice(0, limits.completionsMax),
    total: total - (all.length - values.length),
  };
}

/** The answers of the vaults that did not fail. Fails when all of them failed. */
async function answersOf<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [failed] = settled.filter((each) => each.status === 'rejected');
  if (answers.length === 0 && failed !== undefined) throw failed.reason;
  return answers;
}
