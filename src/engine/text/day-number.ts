import { formatDate } from './format-date.ts';

const dayMs = 86_400_000;

/** The number of a day (`YYYY-MM-DD`) since 1970; undefined when there is no such day. */
export function dayNumber(date: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const number = new Date(0).setUTCFullYear(year, month - 1, day) / dayMs;
  return dayText(number) === date ? number : undefined;
}

/** The day with this number as `YYYY-MM-DD`. */
export function dayText(number: number): string {
  const { year, month, day } = dayParts(number);
  return [String(year).padStart(4, '0'), two(month), two(day)].join('-');
}

/** The parts of a day; months and days count from 1, `weekday` from 0 for Monday. */
export function dayParts(number: number) {
  const date = new Date(number * dayMs);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: (((number + 3) % 7) + 7) % 7,
  };
}

/** The number of a day in a month that may lie outside the year; a day past the end is the last. */
export function dayInMonth(year: number, month: number, day: number): number {
  const last = new Date(0).setUTCFullYear(year, month, 0);
  return Math.min(new Date(0).setUTCFullYear(year, month - 1, day), last) / dayMs;
}

/** The number of the day that it is now, in local time. */
export function todayNumber(nowMs: number): number {
  return dayNumber(formatDate(nowMs, 'YYYY-MM-DD')) ?? 0;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
