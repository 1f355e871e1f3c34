import { addDuration } from '../../text/moment-dates.ts';
import { type DurationValue, dayMs } from './duration-value.ts';

/** A point in time on the clock of this machine; without a time of day it means the whole day. */
export class DateValue {
  readonly ms: number;
  readonly hasTime: boolean;

  constructor(ms: number, hasTime: boolean) {
    this.ms = ms;
    this.hasTime = hasTime;
  }

  /** `2025-01-02`, or `2025-01-02T10:00:00` with `.SSS` where it has milliseconds. */
  toString(): string {
    const day = this.#day();
    return this.hasTime ? `${day}T${this.time()}` : day;
  }

  /** The time of day. */
  time(): string {
    const time = new Date(this.ms);
    const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
    const rest = time.getMilliseconds();
    return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`;
  }

  #day(): string {
    const time = new Date(this.ms);
    const year = String(Math.abs(time.getFullYear())).padStart(4, '0');
    const sign = time.getFullYear() < 0 ? '-' : '';
    return `${sign}${year}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  }

  /** The same day without a time. */
  date(): DateValue {
    const time = new Date(this.ms);
    time.setHours(0, 0, 0, 0);
    return new DateValue(time.getTime(), false);
  }

  /**
   * Moves by a duration: months by the calendar, clamped to the end of the month. A day without a
   * time stays one, unless hours or less are added.
   */
  plus(duration: DurationValue): DateValue {
    const wholeMonths = Math.trunc(duration.months);
    const days = Math.trunc(duration.ms / dayMs);
    const ms = duration.ms - days * dayMs;
    const moved = addDuration(this.ms, { months: wholeMonths, days, ms });
    return new DateValue(moved, this.hasTime || ms !== 0);
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const writtenDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[-+]\d{2}:?\d{2})?)?$/;
const compactDate = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2}))?$/;

/** Reads a date as properties have it: `2025-01-02`, with a time and an offset or without. */
export function parseDate(text: string): DateValue | undefined {
  const parts = writtenDate.exec(text);
  return parts === null ? undefined : dateOf(parts);
}

/** Reads what `date()` takes: also `20250718` and `202507181430`. */
export function parseAnyDate(text: string): DateValue | undefined {
  const trimmed = text.trim();
  const compact = compactDate.exec(trimmed);
  return parseDate(trimmed) ?? (compact === null ? undefined : dateOf(compact));
}

function dateOf(parts: RegExpExecArray): DateValue | undefined {
  const at = (part: number): number => Number(parts[part] ?? 0);
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)];
  const millis = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = parts[8];
  if (offset !== undefined) {
    const time = Date.UTC(year, month - 1, day, hour, minute, second, millis);
    return new DateValue(time - offsetMs(offset), true);
  }
  const time = new Date(year, month - 1, day, hour, minute, second, millis);
  // The constructor reads years below 100 as 19xx.
  time.setFullYear(year, month - 1, day);
  return new DateValue(time.getTime(), parts[4] !== undefined);
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000;
}
