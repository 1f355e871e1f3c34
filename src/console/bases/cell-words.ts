import { baseStrings as words } from '../words/base-strings.ts';
import { strings } from '../words/strings.ts';

const unitMs = [86_400_000, 3_600_000, 60_000, 1_000];

/** A duration in its two largest units: "3 days, 4 hours". Months and years are their own. */
export function durationText(ms: number, months = 0): string {
  const isNegative = months < 0 || (months === 0 && ms < 0);
  let rest = Math.abs(ms);
  const all = Math.abs(Math.trunc(months));
  const numbers = [Math.floor(all / 12), all % 12];
  for (const unit of unitMs) {
    const whole = Math.floor(rest / unit);
    numbers.push(whole);
    rest -= whole * unit;
  }
  const parts = numbers.flatMap((number, at) => {
    const unit = words.units[at];
    if (number === 0 || unit === undefined) return [];
    return [numberWords(number, { style: 'unit', unit, unitDisplay: 'long' })];
  });
  const text = parts.slice(0, 2).join(', ') || `${numberWords(rest / 1_000)} s`;
  return isNegative ? `−${text}` : text;
}

/** A number with few digits after the point. Years are numbers too, and have no commas. */
export function numberWords(number: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat('en', {
    maximumFractionDigits: 6,
    useGrouping: Math.abs(number) >= 10_000,
    ...options,
  }).format(number);
}

/** A date, or a date with a time, of the vault's own clock, as people write it. */
export function dateWords(iso: string): string {
  const date = new Date(iso.includes('T') ? `${iso}Z` : iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(strings.locale, {
    dateStyle: 'medium',
    ...(iso.includes('T') ? { timeStyle: 'short', hourCycle: 'h23' } : {}),
    timeZone: 'UTC',
  }).format(date);
}

/** Where in a base an error is, in words. */
export function errorPlace(at: string): string {
  const [, kind = '', name = ''] = /^(\w+)\.(.+)$/s.exec(at) ?? [];
  if (at.startsWith('filters')) return words.aFilter;
  if (/^views\[\d+\]\.filters/.test(at)) return words.aViewFilter;
  const shown = name.slice(0, 80);
  if (kind === 'formula') return words.aFormula(shown);
  if (kind === 'summaries') return words.aSummary(shown.replace(/^\w+\./, ''));
  return kind === 'note' || kind === 'file' ? words.aColumn(shown) : '';
}
