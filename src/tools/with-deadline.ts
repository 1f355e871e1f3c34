import type { Caller } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import { toVaultError, VaultError } from '../base/vault-error.ts';
import type { Timers } from '../engine/ports.ts';

/** The index is waited for no longer than this part of the time: the rest is for saying so. */
const indexShare = 0.8;

/**
 * Runs with a signal that the caller or the deadline aborts; whichever comes first ends the call.
 * One that writes is given a moment more to say whether its change was made: a change that can no
 * longer be called off is finished, and answers as if it had been in time.
 */
export async function withDeadline<T>(
  caller: Caller,
  options: { readonly timers: Timers; readonly writes: boolean },
  run: (caller: Caller) => Promise<T>,
): Promise<T> {
  if (caller.signal.aborted) throw cancelled();
  const { timers, writes } = options;
  const controller = new AbortController();
  const deadlineMs = Math.min(caller.deadlineMs, limits.callDeadlineMaxMs);
  const changes: number[] = [];
  let isLate = false;
  let end: (error: VaultError) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = (error) => {
      controller.abort(error);
      if (!writes) return reject(error);
      timers.after(limits.commitGraceMs, () => {
        isLate = true;
        reject(error);
      });
    };
  });
  ended.catch(() => undefined); // It may come after the answer.
  const abort = (): void => end(cancelled());
  caller.signal.addEventListener('abort', abort, { once: true });
  const cancel = timers.after(deadlineMs, () =>
    end(new VaultError('timeout', `The call took longer than ${deadlineMs} ms; ask for less.`)),
  );
  try {
    const running = run({
      ...caller,
      signal: controller.signal,
      indexWaitMs: Math.min(
        caller.indexWaitMs ?? limits.indexWaitMs,
        Math.floor(deadlineMs * indexShare),
      ),
      onCommit: (change) => {
        changes.push(change);
        caller.onCommit?.(change);
      },
      onTakenBack: () => {
        changes.pop();
        caller.onTakenBack?.();
      },
    });
    return await Promise.race([running, ended]);
  } catch (error) {
    const { signal } = controller;
    if (!signal.aborted || !writes || isUnknown(error)) throw error;
    const change = changes.at(-1);
    // A failure of its own, after a change was made, says more than that time was over.
    if (change !== undefined && !isEnding(error)) throw error;
    throw withOutcome(toVaultError(signal.reason), { change, isLate });
  } finally {
    cancel();
    caller.signal.removeEventListener('abort', abort);
  }
}

function cancelled(): VaultError {
  return new VaultError('cancelled', 'The call was cancelled.');
}

/** Whether an error says that nobody knows what was done: another program was asked to do it. */
function isUnknown(error: unknown): boolean {
  return error instanceof VaultError && error.details['outcome'] === 'unknown';
}

/** Whether an error says no more than that time was over; one with a cause tells what was done. */
function isEnding(error: unknown): boolean {
  if (!(error instanceof VaultError) || error.cause !== undefined) return false;
  return error.code === 'timeout' || error.code === 'cancelled';
}

/** A deadline or a cancellation, with what became of the change. */
function withOutcome(
  { code, message, details }: VaultError,
  { change, isLate }: { readonly change: number | undefined; readonly isLate: boolean },
): VaultError {
  if (change === undefined)
    return new VaultError(code, `${message} Nothing was changed.`, { details });
  const became = isLate
    ? `The change can no longer be called off and is being finished; it is change ${change}.`
    : `The change is made; it is change ${change}.`;
  return new VaultError(code, `${message} ${became}`, { details: { ...details, change } });
}
