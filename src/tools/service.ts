import type { Caller, Progress } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import { toVaultError, VaultError } from '../base/vault-error.ts';
import type { Timers } from '../engine/ports.ts';
import type { Vault } from '../engine/vault.ts';
import { progressMessage } from '../engine/vault.ts';
import { checkInput } from './check-input.ts';
import type { Prompt } from './define-prompt.ts';
import type { AnyTool, Effect } from './define-tool.ts';
import type { Outcome } from './outcome.ts';
import type { Toolset } from './toolset.ts';

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

/** A service over one vault. The vault is the caller's to close. */
export function createService(vault: Vault, toolsets: readonly Toolset[], timers: Timers): Service {
  const tools = new Map<string, { tool: AnyTool; toolset: Toolset }>();
  for (const toolset of toolsets) {
    for (const tool of toolset.tools) tools.set(tool.name, { tool, toolset });
  }

  async function call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    const found = tools.get(name);
    const voice = (found?.toolset ?? toolsets[0])?.voice;
    try {
      if (found === undefined) throw new VaultError('invalid_input', `There is no tool "${name}".`);
      const { tool } = found;
      checkScopes(tool, caller);
      const input = checkInput(tool.name, tool.input, args);
      const call = { tool: tool.name, args: recordedArgs(tool, input) };
      const value = await withDeadline(tool, caller, timers, (bound) =>
        tool.run(vault.bind(bound, call), input),
      );
      return { ok: true, value, content: found.toolset.voice.result(tool, value) };
    } catch (error) {
      const failure = toVaultError(error);
      return { ok: false, error: failure, content: voice?.failure(failure) ?? [] };
    }
  }

  return {
    list: () => Array.from(tools.values(), ({ tool }) => tool),
    has: (name) => tools.has(name),
    call,
    ready: async (onProgress) => {
      const { keeper } = vault.parts;
      await keeper.wait('facts', {
        waitMs: Number.POSITIVE_INFINITY,
        onProgress: (progress) =>
          onProgress?.({ done: progress.done, message: progressMessage(progress) }),
      });
    },
  };
}

function checkScopes(tool: AnyTool, caller: Caller): void {
  if (caller.scopes.effects.includes(tool.effect)) return;
  throw new VaultError(
    'forbidden',
    `"${tool.name}" changes the vault, and this connection may only ${caller.scopes.effects.join(' and ')}.`,
  );
}

/** The arguments that history may keep. */
function recordedArgs(tool: AnyTool, input: object): Record<string, unknown> {
  const kept = Object.entries(input).filter(([name]) => tool.record.includes(name));
  return Object.fromEntries(kept);
}

/**
 * Runs with a signal that the caller or the deadline aborts; whichever comes first ends the call.
 * A call that writes is given a moment more to say whether its change was made: one that can no
 * longer be called off is finished, and answers as if it had been in time.
 */
async function withDeadline<T>(
  tool: AnyTool,
  caller: Caller,
  timers: Timers,
  run: (caller: Caller) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const deadlineMs = Math.min(caller.deadlineMs, limits.callDeadlineMaxMs);
  const writes = tool.effect !== 'read';
  let committed = false;
  let end: (error: VaultError) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = (error) => {
      controller.abort(error);
      if (!writes) reject(error);
      else timers.after(limits.commitGraceMs, () => reject(overdue(error, committed)));
    };
  });
  ended.catch(() => undefined); // It may come after the answer.
  const abort = (): void => end(new VaultError('cancelled', 'The call was cancelled.'));
  if (caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  caller.signal.addEventListener('abort', abort, { once: true });
  const cancel = timers.after(deadlineMs, () =>
    end(new VaultError('timeout', `The call took longer than ${deadlineMs} ms; ask for less.`)),
  );
  const onCommit = (): void => {
    committed = true;
    caller.onCommit?.();
  };
  try {
    const running = run({ ...caller, signal: controller.signal, onCommit });
    return await Promise.race([running, ended]);
  } catch (error) {
    if (!writes || !controller.signal.aborted || committed) throw error;
    throw overdue(controller.signal.reason, committed);
  } finally {
    cancel();
    caller.signal.removeEventListener('abort', abort);
  }
}

/** A deadline or a cancellation, with what became of the change. */
function overdue(error: unknown, committed: boolean): VaultError {
  const { code, message, details } = toVaultError(error);
  const outcome = committed ? 'The change is made, and is being finished.' : 'Nothing was changed.';
  if (message.endsWith(outcome)) return toVaultError(error);
  return new VaultError(code, `${message} ${outcome}`, { details: { ...details, committed } });
}
