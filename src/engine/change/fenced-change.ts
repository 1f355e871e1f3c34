import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ChangeId, StoredChange } from '../ports/state-store.ts';
import type { VaultParts } from '../vault/vault-parts.ts';

// What the owner of a vault does when another machine has taken the vault over in the middle of a change.

/**
 * Thrown when another machine has taken the vault over while this change was carried out. That machine
 * finishes the change or takes it back.
 */
export class FencedChange extends Error {
  readonly id: ChangeId;

  constructor(id: ChangeId, options?: { readonly cause: unknown }) {
    super(`change ${id} was taken over`, options);
    this.id = id;
  }
}

/** Whether the state or the disk refused because another machine has taken the vault over. */
export function isFenced(error: unknown): boolean {
  if (error instanceof FencedChange) return true;
  return error instanceof VaultError && error.details['fenced'] === true;
}

/** For a call that may fail, because the next recovery does the same: says if it failed because of that. */
export function fencedOrNothing(error: unknown): 'fenced' | undefined {
  return isFenced(error) ? 'fenced' : undefined;
}

/**
 * The change as the next owner of the vault has settled it. Waits for that until the caller's deadline.
 * Fails with `unavailable`, and says whether the change was taken back or is not settled yet.
 */
export async function settledByNext(
  { state, timers, clock }: Pick<VaultParts, 'state' | 'timers' | 'clock'>,
  id: ChangeId,
  {
    caller,
    name,
  }: {
    readonly caller: { readonly signal: AbortSignal; readonly deadlineMs: number };
    readonly name: string | number;
  },
): Promise<StoredChange> {
  const endMs = clock.nowMs() + caller.deadlineMs;
  for (;;) {
    const settled = await read();
    if (settled === 'taken back') throw takenOver();
    if (settled !== undefined) return settled;
    if (caller.signal.aborted || clock.nowMs() >= endMs) throw notKnownYet(name);
    await new Promise<void>((resolve) => {
      timers.after(clusterLimits.settledPollMs, resolve);
    });
  }

  /** Undefined while it is open, and while PostgreSQL does not answer. */
  async function read(): Promise<StoredChange | 'taken back' | undefined> {
    try {
      // In this order: a change that is finished between the two questions is then found.
      const open = await state.unfinished();
      if (open.some((change) => change.id === id)) return undefined;
      const { items } = await state.changes({ ids: [id] }, { limit: 1, offset: 0 });
      return items[0] ?? 'taken back';
    } catch (error) {
      if (error instanceof VaultError && error.code === 'unavailable') return undefined;
      throw error;
    }
  }
}

/** The failure of a change that was not made because another machine has taken the vault over. */
export function takenOver(): VaultError {
  return new VaultError(
    'unavailable',
    'Another machine has taken this vault over in the meantime; nothing was changed. Try again.',
    { details: { fenced: true, retryAfterMs: clusterLimits.settledPollMs } },
  );
}

function notKnownYet(name: string | number): VaultError {
  return new VaultError(
    'unavailable',
    `Another machine has taken this vault over in the meantime. Whether the change was made is not known yet; history will show change ${name} if it was.`,
    { details: { outcome: 'unknown', change: name } },
  );
}
