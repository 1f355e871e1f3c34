import { dayInMonth, dayParts } from './day-number.ts';

/** How a task of the Tasks plugin recurs. */
interface Recurrence {
  /** Counted from the day on which the task is done, not from its dates. */
  readonly whenDone: boolean;
  readonly every: number;
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** Days of the week from 0 for Monday. */
  readonly weekdays?: readonly number[];
  /** Days of the month. */
  readonly on?: readonly DayOfMonth[];
}

/** The `nth` day of a month, or the `nth` of these weekdays in it; -1 is the last. */
interface DayOfMonth {
  readonly nth: number;
  readonly weekday?: number;
}

/** How the words begin that the plugin knows in a rule. */
const ruleWord =
  /^(?:[1-9,]|one|two|three|every|day|week|hour|minute|month|year|on|in|at|the|first|second|third|last|for|time|until|til|mo|tu|we|th|fr|sa|su|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|and|or|repeats)/;

/**
 * Reads a rule such as `every 2 weeks on Monday, Friday when done`. Undefined for a rule that is
 * not among the plain ones. As in the plugin, a rule ends before a word that no rule has: `every day
 * to Bob` is `every day`.
 */
export function parseRecurrence(rule: string): Recurrence | undefined {
  const text = rule.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, written = '', done] = /^every (.*?)( when done)?$/.exec(text) ?? [];
  const words = written.split(' ');
  const other = words.findIndex((word) => !ruleWord.test(word));
  const body = words.slice(0, other === -1 ? words.length : other).join(' ');
  const whenDone = done !== undefined;
  if (/^weekdays?$/.test(body)) {
    return { whenDone, every: 1, unit: 'week', weekdays: [0, 1, 2, 3, 4] };
  }
  const listed = weekdaysIn(body);
  if (listed !== undefined) return { whenDone, every: 1, unit: 'week', weekdays: listed };
  const [, count = '1', unit, on] =
    /^(?:(\d{1,3}) )?(day|week|month|year)s?(?: on (.+))?$/.exec(body) ?? [];
  const every = Number(count);
  if (unit === undefined || every === 0) return undefined;
  const plain = { whenDone, every, unit: unit as Recurrence['unit'] };
  if (on === undefined) return plain;
  if (unit === 'week') {
    const weekdays = weekdaysIn(on);
    return weekdays && { ...plain, weekdays };
  }
  const days = unit === 'month' ? daysOfMonth(on) : undefined;
  return days && { ...plain, on: days };
}

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const listMax = 31;

function weekdayOf(name: string): number | undefined {
  const at = weekdayNames.findIndex((whole) => name === whole || name === whole.slice(0, 3));
  return at === -1 ? undefined : at;
}

function weekdaysIn(list: string): readonly number[] | undefined {
  return all(list.split(/, ?(?:and )?| and /, listMax).map(weekdayOf));
}

function daysOfMonth(list: string): readonly DayOfMonth[] | undefined {
  const [, names] = /^the (.+)$/.exec(list) ?? [];
  return names === undefined
    ? undefined
    : all(names.split(/, ?(?:and )?| and /, listMax).map(dayOfMonth));
}

/** `15th`, `last`, `2nd Friday`, `last Friday`. */
function dayOfMonth(text: string): DayOfMonth | undefined {
  const [, number, name] = /^(?:(\d{1,2})(?:st|nd|rd|th)|last)(?: ([a-z]+))?$/.exec(text) ?? [];
  if (number === undefined && !text.startsWith('last')) return undefined;
  const nth = number === undefined ? -1 : Number(number);
  if (nth === 0 || nth > 31) return undefined;
  if (name === undefined) return { nth };
  const weekday = weekdayOf(name);
  return weekday === undefined || nth > 5 ? undefined : { nth, weekday };
}

function all<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  return items.every((item) => item !== undefined) ? (items as readonly T[]) : undefined;
}

/**
 * The next day of a rule after the day from which it is counted, as numbers (`dayNumber`). A month
 * that lacks the day gets its last day, unless the rule names the day: then that month is skipped.
 * Undefined when there is none in the next years.
 */
export function nextRecurrence(rule: Recurrence, from: number): number | undefined {
  const { every, unit, weekdays, on } = rule;
  const { year, month, day, weekday } = dayParts(from);
  if (weekdays !== undefined) {
    const monday = from - weekday;
    return [0, every]
      .flatMap((week) => weekdays.map((at) => monday + 7 * week + at).sort((a, b) => a - b))
      .find((found) => found > from);
  }
  if (on !== undefined) {
    for (let step = 0; step < monthsMax; step++) {
      const found = on
        .flatMap((named) => dayIn(year, month + step * every, named) ?? [])
        .sort((a, b) => a - b)
        .find((candidate) => candidate > from);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  switch (unit) {
    case 'day':
      return from + every;
    case 'week':
      return from + 7 * every;
    case 'month':
      return dayInMonth(year, month + every, day);
    case 'year':
      return dayInMonth(year + every, month, day);
  }
}

/** So many months of a rule are tried: with fewer, one for February 29 could be missed. */
const monthsMax = 12 * 9;

function dayIn(year: number, month: number, { nth, weekday }: DayOfMonth): number | undefined {
  const first = dayInMonth(year, month, 1);
  const last = dayInMonth(year, month + 1, 1) - 1;
  if (weekday === undefined) {
    const found = nth === -1 ? last : first + nth - 1;
    return found <= last ? found : undefined;
  }
  if (nth === -1) return last - ((dayParts(last).weekday - weekday + 7) % 7);
  const found = first + ((weekday - dayParts(first).weekday + 7) % 7) + 7 * (nth - 1);
  return found <= last ? found : undefined;
}
