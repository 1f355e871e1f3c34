import { limits } from '../../../base/limits.ts';
import { checkAllowed } from '../../decide/decide.ts';
import type { DayTotal } from '../../ports/vault-state.ts';
import { wholeVault } from '../../ports/view.ts';
import { formatDate } from '../../text/format-date.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { VaultParts } from '../../vault/vault-parts.ts';

type CountedParts = Pick<VaultParts, 'keeper' | 'clock' | 'dayTotals'>;

/**
 * How large the vault was on each of the last days that were counted, the oldest first; today as it
 * is now. Days before the first were not counted, and a day on which no server ran is missing. Fails
 * with `forbidden` for callers who do not see the whole vault.
 */
export async function listTotals(
  vault: BoundVault,
  { days }: { readonly days: number },
): Promise<{ readonly items: readonly DayTotal[] }> {
  checkAllowed(vault.caller, { wholeVault: 'history' });
  const { parts } = vault.vault;
  const kept = await parts.dayTotals.list(Math.min(days, limits.totalDaysMax));
  const now = await totalNow(parts);
  const before = kept.filter(({ day }) => now === undefined || day < now.day);
  return { items: [...before.toReversed(), ...(now === undefined ? [] : [now])].slice(-days) };
}

/** Keeps how large the vault is today, unless that is kept already or not known yet. */
export async function keepTotal(parts: CountedParts): Promise<void> {
  const [newest] = await parts.dayTotals.list(1);
  if (newest?.day === today(parts)) return;
  const total = await totalNow(parts);
  if (total !== undefined) await parts.dayTotals.put(total);
}

/** The size of the vault as the index knows it; undefined until it knows the names of all files. */
async function totalNow(parts: CountedParts): Promise<DayTotal | undefined> {
  const { keeper } = parts;
  if (!keeper.isReady('names')) return undefined;
  const { files, bytes } = await (await keeper.store()).sizes(wholeVault);
  return { day: today(parts), notes: files.note, bytes };
}

function today({ clock }: Pick<CountedParts, 'clock'>): string {
  return formatDate(clock.nowMs(), 'YYYY-MM-DD');
}
