import { months, weekdays } from './format-date.ts';

/** A span of time as moment adds it: months first, then days, then milliseconds. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const isoDuration =
  /^([-+])?P(?:([-+]?\d{1,5})Y)?(?:([-+]?\d{1,5})M)?(?:([-+]?\d{1,5})W)?(?:([-+]?\d{1,5})D)?(?:T(?:([-+]?\d{1,5})H)?(?:([-+]?\d{1,5})M)?(?:([-+]?\d{1,5})S)?)?$/;

/** Reads a duration of ISO 8601 in whole numbers, such as `P1M` or `-P2W`; undefined for others. */
export function parseDuration(text: string): Duration | undefined {
  const parts = isoDuration.exec(text.trim());
  if (parts === null) return undefined;
  const sign = parts[1] === '-' ? -1 : 1;
  const [years, month, weeks, days, hours, minutes, seconds] = [2, 3, 4, 5, 6, 7, 8].map(
    (group) => sign * Number(parts[group] ?? 0),
  ) as [number, number, number, number, number, number, number];
  return {
    months: 12 * years + month,
    days: 7 * weeks + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
}

/** Adds a duration in local time. A day that the month does not have becomes its last day. */
export function addDuration(timeMs: number, { months: count, days, ms }: Duration): number {
  const time = new Date(timeMs);
  if (count !== 0) {
    const date = time.getDate();
    time.setDate(1);
    time.setMonth(time.getMonth() + count);
    time.setDate(Math.min(date, daysIn(time.getFullYear(), time.getMonth())));
  }
  if (days !== 0) time.setDate(time.getDate() + days);
  return time.getTime() + ms;
}

function daysIn(year: number, month: number): number {
  return new Date(year, month + 1, 0).getDate();
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekYear' | 'week';

/** Tokens that are numbers: what they mean, and how many digits they take at most. */
const numbers: ReadonlyMap<string, readonly [Part, number]> = new Map([
  ['YYYY', ['year', 4]],
  ['YY', ['year', 2]],
  ['MM', ['month', 2]],
  ['M', ['month', 2]],
  ['DD', ['day', 2]],
  ['D', ['day', 2]],
  ['Do', ['day', 2]],
  ['HH', ['hour', 2]],
  ['H', ['hour', 2]],
  ['mm', ['minute', 2]],
  ['m', ['minute', 2]],
  ['ss', ['second', 2]],
  ['s', ['second', 2]],
  ['gggg', ['weekYear', 4]],
  ['GGGG', ['weekYear', 4]],
  ['ww', ['week', 2]],
  ['w', ['week', 2]],
  ['WW', ['week', 2]],
  ['W', ['week', 2]],
]);

/** Tokens that are names. */
const names: ReadonlyMap<string, readonly string[]> = new Map([
  ['MMMM', [...months]],
  ['MMM', months.map((name) => name.slice(0, 3))],
  ['dddd', [...weekdays]],
  ['ddd', weekdays.map((name) => name.slice(0, 3))],
]);

const charsMax = 1_000;
const piece = /\[[^[\]]*\]|Do|([A-Za-z])\1*|[^A-Za-z]/g;

/**
 * Reads a local time that is written in a format of moment, in English, as moment does: text around
 * it is passed over, and what the format leaves out is now, or the beginning. Undefined when the
 * text does not fit, and for a format with other tokens than those of dates, weeks and times.
 */
export function parseMoment(text: string, format: string, nowMs: number): number | undefined {
  const found = new Map<Part | 'weekday', number>();
  // Each token looks at the rest of the text.
  if (text.length > charsMax || format.length > charsMax) return undefined;
  let rest = text;
  for (const token of format.match(piece) ?? []) {
    if (!/^[A-Za-z]/.test(token)) continue;
    const taken = takeNumber(rest, token) ?? takeName(rest, token);
    if (taken === undefined) return undefined;
    found.set(taken.part, taken.value);
    rest = rest.slice(taken.end);
  }
  const timeMs = found.has('week') ? weekStart(found, format) : dayAndTime(found, nowMs);
  const weekday = found.get('weekday');
  if (timeMs === undefined || found.size === 0) return undefined;
  return weekday === undefined || new Date(timeMs).getDay() === weekday ? timeMs : undefined;
}

interface Taken {
  readonly part: Part | 'weekday';
  readonly value: number;
  readonly end: number;
}

function takeNumber(text: string, token: string): Taken | undefined {
  const [part, digits] = numbers.get(token) ?? [];
  const start = part === undefined ? -1 : text.search(/\d/);
  if (part === undefined || digits === undefined || start === -1) return undefined;
  const written = /^\d+/.exec(text.slice(start, start + digits))?.[0] ?? '';
  const value = Number(written);
  const century = token === 'YY' ? (value > 68 ? 1900 : 2000) : 0;
  return { part, value: value + century, end: start + written.length };
}

function takeName(text: string, token: string): Taken | undefined {
  const folded = text.toLowerCase();
  const places = (names.get(token) ?? []).map((name) => folded.indexOf(name.toLowerCase()));
  const start = Math.min(...places.filter((place) => place >= 0));
  const value = places.indexOf(start);
  if (value === -1) return undefined;
  const end = start + (names.get(token)?.[value]?.length ?? 0);
  return token.startsWith('M')
    ? { part: 'month', value: value + 1, end }
    : { part: 'weekday', value, end };
}

/** Missing parts before the first that is given are those of now, all others the first ones. */
function dayAndTime(found: ReadonlyMap<string, number>, nowMs: number): number | undefined {
  const now = new Date(nowMs);
  const current = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const given = ['year', 'month', 'day'].map((part) => found.get(part));
  const first = given.findIndex((value) => value !== undefined);
  const [year, month, day] = given.map((value, index) =>
    first === -1 || index < first ? current[index] : (value ?? 1),
  ) as [number, number, number];
  const [hour, minute, second] = ['hour', 'minute', 'second'].map(
    (part) => found.get(part) ?? 0,
  ) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month - 1)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const time = new Date(nowMs);
  time.setHours(0, 0, 0, 0);
  time.setFullYear(year, month - 1, day);
  time.setHours(hour, minute, second, 0);
  return time.getTime();
}

/** The first day of a week: Monday in a format with `W`, Sunday otherwise; see `formatDate`. */
function weekStart(found: ReadonlyMap<string, number>, format: string): number | undefined {
  const [year, week] = [found.get('weekYear'), found.get('week')];
  if (year === undefined || week === undefined || week < 1 || week > 53) return undefined;
  const isIso = /W/.test(format.replace(/\[[^[\]]*\]/g, ''));
  const time = new Date(year, 0, isIso ? 4 : 1);
  const day = isIso ? (time.getDay() + 6) % 7 : time.getDay();
  time.setDate(time.getDate() - day + 7 * (week - 1));
  return time.getTime();
}
