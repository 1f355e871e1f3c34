import { formatDate } from '../../text/format-date.ts';
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
    (date, { place }) => new RelativeText(relative(date.ms - place.world.nowMs), date.ms),
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
function relative(ms: number): string {
  const words = distance(Math.abs(ms));
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

/** Each unit, below how many of it moment uses it, and its words for one and for more. */
const steps: readonly (readonly [ms: number, below: number, one: string, more: string])[] = [
  [1_000, 45, 'a few seconds', 'a few seconds'],
  [60_000, 45, 'a minute', 'minutes'],
  [3_600_000, 22, 'an hour', 'hours'],
  [86_400_000, 26, 'a day', 'days'],
  [30.436875 * 86_400_000, 11, 'a month', 'months'],
  [365.2425 * 86_400_000, Number.POSITIVE_INFINITY, 'a year', 'years'],
];

function distance(ms: number): string {
  for (const [size, below, one, more] of steps) {
    const count = Math.round(ms / size);
    if (count >= below) continue;
    if (size === 1_000) return one;
    return count <= 1 ? one : `${count} ${more}`;
  }
  return '';
}
