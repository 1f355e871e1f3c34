/**
 * Writes a moment in local time as a format string of `moment` says, in English. Daily notes and
 * templates use it. Text that is not a token stays, so every format gives a result; line breaks in
 * it are dropped, as `moment` does.
 */
export function formatDate(timeMs: number, format: string): string {
  const time = new Date(timeMs);
  const pieces = format.replace(longToken, (token) => longFormats.get(token) ?? token).match(piece);
  return (pieces ?? []).map((token) => writers.get(token)?.(time) ?? literal(token)).join('');
}

/**
 * `[text]`, or one token, which a backslash turns into text. The odd `|` comes from moment itself.
 */
const piece =
  /\[[^[]*\]|\\?(?:[Hh]mm(?:ss)?|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|w[ow|]?|W[oW|]?|Qo?|N{1,5}|Y{4,6}|YY|y{2,4}|yo?|g{4,5}|gg|G{4,5}|GG|hh?|HH?|kk?|mm?|ss?|S{1,9}|zz?|ZZ?|.)/g;

/** Tokens that stand for a whole format, as `longFormats` says. */
const longToken = /\[[^[]*\]|\\?(?:LTS|LT|L{1,4}|l{1,4})/g;

const longFormats: ReadonlyMap<string, string> = new Map([
  ['LT', 'h:mm A'],
  ['LTS', 'h:mm:ss A'],
  ['L', 'MM/DD/YYYY'],
  ['LL', 'MMMM D, YYYY'],
  ['LLL', 'MMMM D, YYYY h:mm A'],
  ['LLLL', 'dddd, MMMM D, YYYY h:mm A'],
  ['l', 'M/D/YYYY'],
  ['ll', 'MMM D, YYYY'],
  ['lll', 'MMM D, YYYY h:mm A'],
  ['llll', 'ddd, MMM D, YYYY h:mm A'],
]);

/** The English names of the months, from January. */
export const months: readonly string[] =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
/** The English names of the days of a week, from Sunday. */
export const weekdays: readonly string[] =
  'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

type Writer = (time: Date) => string;
type Count = (time: Date) => number;

const writers: ReadonlyMap<string, Writer> = new Map([
  ['Y', (time) => (year(time) <= 9999 ? padded(year(time), 4) : `+${year(time)}`)],
  ['YY', (time) => padded(year(time) % 100, 2)],
  ['YYYY', (time) => padded(year(time), 4)],
  ['YYYYY', (time) => padded(year(time), 5)],
  ['YYYYYY', (time) => (year(time) < 0 ? '' : '+') + padded(year(time), 6)],
  ...['N', 'NN', 'NNN', 'NNNNN'].map((token): [string, Writer] => [
    token,
    (time) => (year(time) > 0 ? 'AD' : 'BC'),
  ]),
  ['NNNN', (time) => (year(time) > 0 ? 'Anno Domini' : 'Before Christ')],
  ...counted('y', yearOfEra),
  ['yy', (time) => padded(yearOfEra(time), 2)],
  ['yyy', (time) => padded(yearOfEra(time), 3)],
  ['yyyy', (time) => padded(yearOfEra(time), 4)],
  ...counted('Q', (time) => Math.floor(time.getMonth() / 3) + 1),
  ...counted('M', (time) => time.getMonth() + 1, { paddedToken: 'MM' }),
  ['MMM', (time) => monthName(time).slice(0, 3)],
  ['MMMM', monthName],
  ...counted('D', (time) => time.getDate(), { paddedToken: 'DD' }),
  ...counted('DDD', dayOfYear),
  ['DDDD', (time) => padded(dayOfYear(time), 3)],
  ...counted('d', (time) => time.getDay()),
  ['dd', (time) => weekdayName(time).slice(0, 2)],
  ['ddd', (time) => weekdayName(time).slice(0, 3)],
  ['dddd', weekdayName],
  ['e', (time) => String(time.getDay())],
  ['E', (time) => String(time.getDay() || 7)],
  ...counted('w', (time) => englishWeek(time).week, { paddedToken: 'ww' }),
  ['gg', (time) => padded(englishWeek(time).year % 100, 2)],
  ['gggg', (time) => padded(englishWeek(time).year, 4)],
  ['ggggg', (time) => padded(englishWeek(time).year, 5)],
  ...counted('W', (time) => isoWeek(time).week, { paddedToken: 'WW' }),
  ['GG', (time) => padded(isoWeek(time).year % 100, 2)],
  ['GGGG', (time) => padded(isoWeek(time).year, 4)],
  ['GGGGG', (time) => padded(isoWeek(time).year, 5)],
  ['A', (time) => (time.getHours() < 12 ? 'AM' : 'PM')],
  ['a', (time) => (time.getHours() < 12 ? 'am' : 'pm')],
  ...counted('H', (time) => time.getHours(), { paddedToken: 'HH' }),
  ...counted('h', twelveHours, { paddedToken: 'hh' }),
  ...counted('k', (time) => time.getHours() || 24, { paddedToken: 'kk' }),
  ...counted('m', (time) => time.getMinutes(), { paddedToken: 'mm' }),
  ...counted('s', (time) => time.getSeconds(), { paddedToken: 'ss' }),
  ['Hmm', (time) => time.getHours() + minutes(time)],
  ['Hmmss', (time) => time.getHours() + minutes(time) + seconds(time)],
  ['hmm', (time) => twelveHours(time) + minutes(time)],
  ['hmmss', (time) => twelveHours(time) + minutes(time) + seconds(time)],
  ...Array.from({ length: 9 }, (_, index): [string, Writer] => [
    'S'.repeat(index + 1),
    (time) => `${padded(time.getMilliseconds(), 3)}000000`.slice(0, index + 1),
  ]),
  ['Z', (time) => offset(time, ':')],
  ['ZZ', (time) => offset(time, '')],
  ['z', () => ''],
  ['zz', () => ''],
  ['X', (time) => String(Math.floor(time.getTime() / 1000))],
  ['x', (time) => String(time.getTime())],
]);

/**
 * The tokens of a number: plain, as an ordinal (`Do`), and padded to two digits where such a token
 * exists.
 */
function counted(
  token: string,
  count: Count,
  { paddedToken }: { paddedToken?: string } = {},
): [string, Writer][] {
  const plain: [string, Writer][] = [
    [token, (time) => String(count(time))],
    [`${token}o`, (time) => ordinal(count(time))],
  ];
  return paddedToken === undefined
    ? plain
    : [...plain, [paddedToken, (time) => padded(count(time), 2)]];
}

function literal(token: string): string {
  return token.startsWith('[') && token.length > 1 ? token.slice(1, -1) : token.replace(/\\/g, '');
}

function padded(count: number, digits: number): string {
  return (count < 0 ? '-' : '') + String(Math.abs(count)).padStart(digits, '0');
}

function ordinal(count: number): string {
  const isTeen = Math.floor((count % 100) / 10) === 1;
  return count + ((isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10]) ?? 'th');
}

function year(time: Date): number {
  return time.getFullYear();
}

function yearOfEra(time: Date): number {
  return year(time) > 0 ? year(time) : 1 - year(time);
}

function monthName(time: Date): string {
  return months[time.getMonth()] ?? '';
}

function weekdayName(time: Date): string {
  return weekdays[time.getDay()] ?? '';
}

function twelveHours(time: Date): number {
  return time.getHours() % 12 || 12;
}

function minutes(time: Date): string {
  return padded(time.getMinutes(), 2);
}

function seconds(time: Date): string {
  return padded(time.getSeconds(), 2);
}

function offset(time: Date, separator: string): string {
  const east = -Math.round(time.getTimezoneOffset());
  const [hours, rest] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  return (east < 0 ? '-' : '+') + padded(hours, 2) + separator + padded(rest, 2);
}

/** Days since 1970, without regard to changes of the clock. */
function dayNumber(atYear: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(atYear, month, date) / 86_400_000;
}

function dayOfYear(time: Date): number {
  return dayNumber(year(time), time.getMonth(), time.getDate()) - dayNumber(year(time), 0, 0);
}

interface Week {
  readonly year: number;
  readonly week: number;
}

/** Weeks begin on Monday; the first week has the year's first Thursday. */
function isoWeek(time: Date): Week {
  return weekOf(time, { day: (time.getDay() + 6) % 7, anchor: 3 });
}

/** Weeks begin on Sunday; the first week has January 1. */
function englishWeek(time: Date): Week {
  return weekOf(time, { day: time.getDay(), anchor: 6 });
}

/** A week belongs to the year of its anchor day, which is counted from the week's first day. */
function weekOf(time: Date, { day, anchor }: { day: number; anchor: number }): Week {
  const today = dayNumber(year(time), time.getMonth(), time.getDate());
  const anchorDay = today - day + anchor;
  const anchorYear = new Date(anchorDay * 86_400_000).getUTCFullYear();
  const week = Math.floor((anchorDay - dayNumber(anchorYear, 0, 1)) / 7) + 1;
  return { year: anchorYear, week };
}
