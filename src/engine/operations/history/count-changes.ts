import type { Door } from '../../../base/caller.ts';
import { clientNameOf } from '../../../base/client-name.ts';
import { limits } from '../../../base/limits.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { ownerDoors } from '../../decide/owner-door.ts';
import { formatDate } from '../../text/format-date.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** The changes by one client on one day, through one door. */
interface DayCount {
  /** The day at the server, such as `2026-11-16`. */
  readonly day: string;
  /** The client's name without its version; absent where the changes have none. */
  readonly client?: string;
  /** The door through which the changes came: one name may mean two apps at two doors. */
  readonly door: Door;
  readonly changes: number;
  /** How many files these changes touched, a file once for each change. */
  readonly files: number;
}

const dayMs = 24 * 60 * 60_000;

/**
 * Counts the changes of the last days by day and client, the newest day first. At most the newest
 * `limits.summariesMax` changes are counted, and `more` is set when there are others. Fails with
 * `forbidden` for callers who do not see the whole vault.
 */
export async function countChanges(
  vault: BoundVault,
  { days }: { readonly days: number },
): Promise<{ readonly items: readonly DayCount[]; readonly more?: true }> {
  checkAllowed(vault.caller, { wholeVault: 'history' });
  const { state, clock } = vault.vault.parts;
  const sinceMs = clock.nowMs() - days * dayMs;
  const filter = { sinceMs, withoutUndosBy: ownerDoors };
  const summaries = await state.summaries(filter, limits.summariesMax);
  const counts = new Map<string, { -readonly [Key in keyof DayCount]: DayCount[Key] }>();
  for (const { timeMs, client, door, files } of summaries) {
    const name = { ...(client === undefined ? {} : { client: clientNameOf(client) }), door };
    const day = formatDate(timeMs, 'YYYY-MM-DD');
    const key = JSON.stringify([day, name]);
    const count = counts.get(key) ?? { day, ...name, changes: 0, files: 0 };
    counts.set(key, count);
    count.changes++;
    count.files += files;
  }
  const isCut = summaries.length === limits.summariesMax;
  return { items: Array.from(counts.values()), ...(isCut ? { more: true } : {}) };
}
