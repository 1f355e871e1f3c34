import { formatDate } from '../../text/format-date.ts';
import { addDuration } from '../../text/moment-dates.ts';
import type { DateValue } from '../values/date-value.ts';
import { RelativeText, type Value } from '../values/value.ts';
import { type FunctionCall, type MethodTable, textArgument } from './function-call.ts';
import { boundedText } from './value-limits.ts';

export const dateFunctions: MethodTable<DateValue> = new Map<
  string,
  (date: DateValue, call: FunctionCall) => Value
>([
  ['date', (date) => date.date()],
  ['time', (date) => date.time().slice(0, 'HH:mm:ss'.length)],
  ['format', format],
  [
    'relative',
    (date, { place }) => new RelativeText(relative(date.ms, place.world.nowMs), date.ms),
  ],
]);

/** The fields of a date. */
export const dateFields: ReadonlyMap<string, (time: Date) => number> = new Map([
  ['year', (time: Date) => time.getFullYear()],
  ['month', (time: Date) => time.getMonth() + 1],
  ['day', (time: Date) => time.getDate()],
  ['hour', (time: Date) => time.getHours()],
  ['minute', (time: Date) => time.getMinutes()],
  ['second', (time: Date) => time.getSeconds()],
  ['millisecond', (time: Date) => time.getMilliseconds()],
]);

function format(date: DateValue, call: FunctionCall): string | null {
  const text = textArgument(call, 0, 'format');
  return text === null ? null : boundedText(formatDate(date.ms, text), call.range);
}

/** How far away a time is, in the words of moment. */
function relative(ms: number, nowMs: number): string {
  const words = distance(Math.min(ms, nowMs), Math.max(ms, nowMs));
  return ms > nowMs ? `in ${words}` : `${words} ago`;
}

/** Each unit, below how many of it moment uses it, and its words for one and for more. */
const steps: readonly (readonly [ms: number, below: number, one: string, more: string])[] = [
  [1_000, 45, 'a few seconds', 'a few seconds'],
  [60_000, 45, 'a minute', 'minutes'],
  [3_600_000, 22, 'an hour', 'hours'],
  [86_400_000, 26, 'a day', 'days'],
];

function distance(fromMs: number, toMs: number): string {
  for (const [size, below, one, more] of steps) {
    const count = Math.round((toMs - fromMs) / size);
    if (count >= below) continue;
    if (size === 1_000) return one;
    return count <= 1 ? one : `${count} ${more}`;
  }
  const months = monthsBetween(fromMs, toMs);
  const [count, one, more] =
    Math.round(months) < 11
      ? [Math.round(months), 'a month', 'months']
      : [Math.round(months / 12), 'a year', 'years'];
  return count <= 1 ? one : `${count} ${more}`;
}

/** Months of the calendar, and the days that are left as a part of a month of mean length. */
function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const span = (to.getFullYear() - from.getFullYear()) * 12 + to.getMonth() - from.getMonth();
  const whole = addDuration(fromMs, { months: span, days: 0, ms: 0 }) > toMs ? span - 1 : span;
  const restMs = toMs - addDuration(fromMs, { months: whole, days: 0, ms: 0 });
  return whole + restMs / (30.436875 * 86_400_000);
}
