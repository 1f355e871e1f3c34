import { DateValue, parseDate } from '../bases/values/date-value.ts';
import { DurationValue, dayMs } from '../bases/values/duration-value.ts';

/** Dates with a name, such as `date(today)`. Weeks begin on Monday; an end is its last millisecond. */
const namedDates: ReadonlyMap<string, (now: Date) => DateValue> = new Map([
  ['now', (now) => new DateValue(now.getTime(), true)],
  ['today', (now) => dayAt(now, 0)],
  ['yesterday', (now) => dayAt(now, -1)],
  ['tomorrow', (now) => dayAt(now, 1)],
  ['sow', (now) => dayAt(now, -sinceMonday(now))],
  ['eow', (now) => before(dayAt(now, 7 - sinceMonday(now)))],
  ['som', (now) => monthAt(now, now.getMonth())],
  ['eom', (now) => before(monthAt(now, now.getMonth() + 1))],
  ['soy', (now) => monthAt(now, 0)],
  ['eoy', (now) => before(monthAt(now, 12))],
]);

const longNames: ReadonlyMap<string, string> = new Map([
  ['start-of-week', 'sow'],
  ['end-of-week', 'eow'],
  ['start-of-month', 'som'],
  ['end-of-month', 'eom'],
  ['start-of-year', 'soy'],
  ['end-of-year', 'eoy'],
]);

/** The date that `date(…)` names without quotes: `today`, `2025-01`, `2025-01-31T10:00`. */
export function dateLiteral(text: string, nowMs: number): DateValue | undefined {
  const named = namedDates.get(longNames.get(text) ?? text);
  return named === undefined ? writtenDate(text) : named(new Date(nowMs));
}

/** A date as Dataview reads it: `2025-01`, `2025-01-31`, or with a time after a `T`. */
export function writtenDate(text: string): DateValue | undefined {
  if (/^\d{4}-\d{2}$/.test(text)) return parseDate(`${text}-01`);
  return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) ? parseDate(hourCompleted(text)) : undefined;
}

/** `2025-01-31T10` is ten o'clock. */
function hourCompleted(text: string): string {
  return /T\d{2}$/.test(text) ? `${text}:00` : text;
}

function dayAt(now: Date, days: number): DateValue {
  const time = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return new DateValue(time.getTime(), false);
}

function monthAt(now: Date, month: number): DateValue {
  return new DateValue(new Date(now.getFullYear(), month, 1).getTime(), false);
}

function before({ ms }: DateValue): DateValue {
  return new DateValue(ms - 1, true);
}

function sinceMonday(now: Date): number {
  return (now.getDay() + 6) % 7;
}

type Unit = { readonly months: number } | { readonly ms: number };

/** The units of durations. Unlike in bases, there is no `M`: `mo` is a month. */
const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...named(['year', 'years', 'yr', 'yrs'], { months: 12 }),
  ...named(['month', 'months', 'mo', 'mos'], { months: 1 }),
  ...named(['week', 'weeks', 'wk', 'wks', 'w'], { ms: 7 * dayMs }),
  ...named(['day', 'days', 'd'], { ms: dayMs }),
  ...named(['hour', 'hours', 'hr', 'hrs', 'h'], { ms: 3_600_000 }),
  ...named(['minute', 'minutes', 'min', 'mins', 'm'], { ms: 60_000 }),
  ...named(['second', 'seconds', 'sec', 'secs', 's'], { ms: 1_000 }),
]);

function named(names: readonly string[], unit: Unit): (readonly [string, Unit])[] {
  return names.map((name) => [name, unit] as const);
}

const part = /[\s,]*(-?\d{1,12}(?:\.\d{1,9})?)\s*([a-z]+)/y;

/** Reads `7 days`, `1 day, 2 hours` or `4hr15m`; undefined for other texts. */
export function writtenDuration(text: string): DurationValue | undefined {
  const trimmed = text.trim();
  let sum: DurationValue | undefined;
  part.lastIndex = 0;
  while (part.lastIndex < trimmed.length) {
    const [, count, name = ''] = part.exec(trimmed) ?? [];
    const unit = units.get(name);
    if (unit === undefined) return undefined;
    const value = 'ms' in unit ? new DurationValue(unit.ms) : new DurationValue(0, unit.months);
    sum = (sum ?? new DurationValue(0)).plus(value.times(Number(count)));
  }
  return sum;
}
