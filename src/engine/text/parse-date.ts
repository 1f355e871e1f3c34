import { VaultError } from '../../base/vault-error.ts';

const daysFromToday: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

/**
 * Returns the day that a text means, in local time and at the clock time of `nowMs`: `today`,
 * `yesterday`, `tomorrow` or `YYYY-MM-DD`. Fails with `invalid_input` for anything else.
 */
export function parseDate(text: string, nowMs: number): number {
  const now = new Date(nowMs);
  const days = daysFromToday.get(text.trim().toLowerCase());
  if (days !== undefined) return now.setDate(now.getDate() + days);
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim())?.map(Number) ?? [];
  if (year !== undefined && month !== undefined && date !== undefined) {
    now.setFullYear(year, month - 1, date);
    // A day that the month does not have would turn into a day of the next month.
    if (now.getMonth() === month - 1 && now.getDate() === date) return now.getTime();
  }
  throw new VaultError('invalid_input', 'A date is YYYY-MM-DD, today, yesterday or tomorrow.');
}
