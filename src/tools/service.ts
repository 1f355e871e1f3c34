import type { Caller, Progress } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import { toVaultError, VaultError } from '../base/vault-error.ts';
import type { Timers } from '../engine/ports.ts';
import type { Vault } from '../engine/vault.ts';
import { progressMessage } from '../engine/vault.ts';
import { checkInput } from './check-input.ts';
import type { AnyTool } from './define-tool.ts';
import type { Outcome } from './outcome.ts';
import type { Toolset } from './toolset.ts';

/** The one way in: everything that doors and the command line may ask of the program. */
export interface Service {
  /** The tools of the toolsets that are served, in order. */
  list(): readonly AnyTool[];
  has(name: string): boolean;
  /**
   * Runs a tool. Never rejects. Arguments are checked against the tool's schema, the caller's
   * scopes against its effect, and the call ends when its deadline passes or it is aborted.
   */
  call(name: string, args: unknown, caller: Caller): Promise<Outcome>;
  /** Resolves when links, tags and names are indexed; tells how far that is meanwhile. */
  ready(onProgress?: (progress: Progress) => void): Promise<void>;
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
