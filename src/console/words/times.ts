import { strings } from './strings.ts';

/** Time zone and language for dates; the browser's own when absent. Tests set both. */
interface TimeOptions {
  readonly nowMs: number;
  readonly zone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(
  timeMs: number,
  zone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = `${zone} ${Object.entries(options).join()}`;
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat(strings.locale, {
      ...options,
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
  formats.set(key, known);
  return known.format(timeMs);
}

/** The time of day, such as 16:25. */
export function clockTime(timeMs: number, zone?: string): string {
  return format(timeMs, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** The time of day with seconds. */
export function clockSeconds(timeMs: number): string {
  return format(timeMs, undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

/** A key that is the same for all times of one day. */
export function dayKey(timeMs: number, zone?: string): string {
  return format(timeMs, zone, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** A day as a heading: "Today, Monday 16 November". */
export function dayHeading(timeMs: number, { nowMs, zone }: TimeOptions): string {
  const isThisYear =
    format(timeMs, zone, { year: 'numeric' }) === format(nowMs, zone, { year: 'numeric' });
  const day = format(timeMs, zone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
  return strings.dayHeading(
    nearDay(timeMs, { nowMs, ...(zone === undefined ? {} : { zone }) }),
    day,
  );
}

/** A day and a time inside a sentence: "today, 16:25", "9 November, 16:25". */
export function dayAndTime(timeMs: number, options: TimeOptions): string {
  return `${dayInSentence(timeMs, options)}, ${clockTime(timeMs, options.zone)}`;
}

/** A day inside a sentence: "today", "yesterday", "9 November". */
export function dayInSentence(timeMs: number, options: TimeOptions): string {
  const near = nearDay(timeMs, options);
  if (near !== undefined) return strings.nearDays[near];
  const { nowMs, zone } = options;
  const isThisYear =
    format(timeMs, zone, { year: 'numeric' }) === format(nowMs, zone, { year: 'numeric' });
  return format(timeMs, zone, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

function nearDay(timeMs: number, { nowMs, zone }: TimeOptions): 'today' | 'yesterday' | undefined {
  const day = dayKey(timeMs, zone);
  if (day === dayKey(nowMs, zone)) return 'today';
  return day === dayKey(nowMs - 86_400_000, zone) ? 'yesterday' : undefined;
}

/** The day of a time, as the server writes days: `2026-11-16`. */
export function dayOfYear(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** Such a day for people: "16 Nov", with the year if it is another. */
export function shortDay(day: string): string {
  const timeMs = Date.parse(day);
  const isThisYear = day.startsWith(String(new Date().getFullYear()));
  return format(timeMs, 'UTC', {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}
