import type { Caller } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';

/**
 * At most this part of a short deadline is spent waiting for the index; the rest is for the answer.
 */
const indexShare = 0.8;

/**
 * Runs a call with a signal that is aborted when the caller cancels or the deadline passes; that
 * ends the call. A call that writes gets a moment more (`limits.commitGraceMs`), because a change
 * that can no longer be stopped is finished: if it is done by then, the call answers as if in time,
 * and if not, the failure says whether the change was made. While the vault is new (`isNew`), a call
 * with the usual deadline or a longer one may take `limits.newVaultMs`, because it may have to wait
 * until all notes are read.
 */
export async function withDeadline<T>(
  caller: Caller,
  options: {
    readonly timers: Timers;
    readonly writes: boolean;
    readonly isNew?: () => boolean;
  },
  run: (caller: Caller) => Promise<T>,
): Promise<T> {
  if (caller.signal.aborted) throw cancelled();
  const { timers, writes, isNew } = options;
  const deadlineMs = Math.min(caller.deadlineMs, limits.callDeadlineMaxMs);
  const changes: ChangeName[] = [];
  const ending = new Ending();
  const abort = (): void => ending.end(cancelled());
  caller.signal.addEventListener('abort', abort, { once: true });
  // A part of the usual deadline may be spent already, on finding out which vault is meant.
  const isUsual = deadlineMs > limits.callDeadlineMs * indexShare;
  const endAfter = (ms: number): void =>
    ending.end(new VaultError('timeout', `The call took longer than ${ms} ms; ask for less.`));
  let cancel = timers.after(deadlineMs, () => {
    const moreMs = limits.newVaultMs - deadlineMs;
    if (!isUsual || moreMs <= 0 || isNew?.() !== true) return endAfter(deadlineMs);
    cancel = timers.after(moreMs, () => endAfter(limits.newVaultMs));
  });
  /** Whether the call ended before its change did. */
  let isLate = false;
  try {
    return await new Promise<T>((resolve, reject) => {
      ending.onEnd = (error) => {
        if (!writes) return reject(error);
        timers.after(limits.commitGraceMs, () => {
          isLate = true;
          reject(error);
        });
      };
      run({
        ...caller,
        get signal() {
          return ending.signal;
        },
        indexWaitMs: Math.min(
          caller.indexWaitMs ?? limits.indexWaitMs,
          isUsual ? Number.POSITIVE_INFINITY : Math.floor(deadlineMs * indexShare),
        ),
        onCommit: (change) => {
          changes.push(change);
          caller.onCommit?.(change);
        },
        onTakenBack: () => {
          changes.pop();
          caller.onTakenBack?.();
        },
      }).then(resolve, reject);
    });
  } catch (error) {
    const { reason } = ending;
    if (reason === undefined || !writes || isUnknown(error)) throw error;
    const change = changes.at(-1);
    // After a change was made, another failure says more than that the time is over.
    if (change !== undefined && !isEnding(error)) throw error;
    throw withOutcome(reason, { change, isLate });
  } finally {
    cancel();
    caller.signal.removeEventListener('abort', abort);
  }
}

/**
 * Whether a call is to end early, and why. Makes the signal when it is first used: few calls do.
 */
class Ending {
  reason: VaultError | undefined;
  onEnd: ((reason: VaultError) => void) | undefined;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.reason !== undefined) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  end(reason: VaultError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#controller?.abort(reason);
    this.onEnd?.(reason);
  }
}

function cancelled(): VaultError {
  return new VaultError('cancelled', 'The call was cancelled.');
}

/** Whether an error says that it is not known what was done, because another program did it. */
function isUnknown(error: unknown): boolean {
  return error instanceof VaultError && error.details['outcome'] === 'unknown';
}

/**
 * Whether an error says only that the call ended early. One with a cause also says what was done.
 */
function isEnding(error: unknown): boolean {
  if (!(error instanceof VaultError) || error.cause !== undefined) return false;
  return error.code === 'timeout' || error.code === 'cancelled';
}

/** A timeout or a cancellation that also says what happened to the change. */
function withOutcome(
  { code, message, details }: VaultError,
  { change, isLate }: { readonly change: ChangeName | undefined; readonly isLate: boolean },
): VaultError {
  if (change === undefined)
    return new VaultError(code, `${message} Nothing was changed.`, { details });
  const became = isLate
    ? `The change can no longer be stopped and is being finished; it is change ${change}.`
    : `The change was made; it is change ${change}.`;
  return new VaultError(code, `${message} ${became}`, { details: { ...details, change } });
}
