/** The length of a day. */
export const dayMs = 86_400_000;
/** The mean lengths by which months and years count as fields of a duration. */
const monthMs = 30.436875 * dayMs;
const yearMs = 365.2425 * dayMs;

/** A span of time: months, which move a date by the calendar, and milliseconds. */
export class DurationValue {
  readonly ms: number;
  readonly months: number;

  constructor(ms: number, months = 0) {
    this.ms = ms;
    this.months = months;
  }

  /** The whole length in milliseconds, with months of mean length. */
  get lengthMs(): number {
    return this.ms + this.months * monthMs;
  }

  plus(other: DurationValue): DurationValue {
    return new DurationValue(this.ms + other.ms, this.months + other.months);
  }

  times(factor: number): DurationValue {
    const months = this.months * factor;
    const whole = Math.trunc(months);
    return new DurationValue(this.ms * factor + (months - whole) * monthMs, whole);
  }

  /** In the form of ISO 8601, which `duration()` reads. */
  toString(): string {
    const isNegative = this.lengthMs < 0;
    const months = isNegative ? -this.months : this.months;
    let seconds = Math.abs(this.ms) / 1000;
    const part = (size: number): number => {
      const count = Math.floor(seconds / size);
      seconds -= count * size;
      return count;
    };
    const [days, hours, minutes] = [part(86_400), part(3_600), part(60)];
    const date = written([
      [Math.trunc(months / 12), 'Y'],
      [months % 12, 'M'],
      [days, 'D'],
    ]);
    const time = written([
      [hours, 'H'],
      [minutes, 'M'],
      [Number(seconds.toFixed(3)), 'S'],
    ]);
    const text = `${date}${time === '' ? '' : `T${time}`}`;
    return `${isNegative ? '-' : ''}P${text === '' ? 'T0S' : text}`;
  }
}

function written(parts: readonly (readonly [number, string])[]): string {
  return parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
}

/** The fields of a duration: its whole length in a unit, fractions kept. */
export const durationUnits: ReadonlyMap<string, number> = new Map([
  ['years', yearMs],
  ['months', monthMs],
  ['weeks', 7 * dayMs],
  ['days', dayMs],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
  ['milliseconds', 1],
]);

type Unit = { readonly months: number } | { readonly ms: number };

/** The units of a written duration, by months or else by milliseconds. `M` is a month, `m` a minute. */
const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...named(['y', 'year', 'years'], { months: 12 }),
  ...named(['M', 'month', 'months'], { months: 1 }),
  ...named(['w', 'week', 'weeks'], { ms: 7 * dayMs }),
  ...named(['d', 'day', 'days'], { ms: dayMs }),
  ...named(['h', 'hour', 'hours'], { ms: 3_600_000 }),
  ...named(['m', 'minute', 'minutes'], { ms: 60_000 }),
  ...named(['s', 'second', 'seconds'], { ms: 1_000 }),
]);

function named<T>(names: readonly string[], unit: T): (readonly [string, T])[] {
  return names.map((name) => [name, unit] as const);
}

const writtenPart = /\s*([-+]?\d{1,12}(?:\.\d{1,9})?)\s*([A-Za-z]+)/y;
const isoDuration =
  /^([-+])?P(?=.)(?:(\d{1,9}(?:\.\d{1,9})?)Y)?(?:(\d{1,9}(?:\.\d{1,9})?)M)?(?:(\d{1,9}(?:\.\d{1,9})?)W)?(?:(\d{1,9}(?:\.\d{1,9})?)D)?(?:T(?=.)(?:(\d{1,9}(?:\.\d{1,9})?)H)?(?:(\d{1,9}(?:\.\d{1,9})?)M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;
const isoUnits = ['y', 'M', 'w', 'd', 'h', 'm', 's'];

/** Reads `1d`, `2 weeks`, `1h 30m`, `-1.5h`, or ISO 8601 (`P1DT2H`); undefined for other texts. */
export function parseDuration(text: string): DurationValue | undefined {
  const trimmed = text.trim();
  const iso = isoDuration.exec(trimmed);
  if (iso !== null) {
    const sign = iso[1] === '-' ? -1 : 1;
    return isoUnits
      .map((unit, at) => amount(Number(iso[at + 2] ?? 0), unit))
      .reduce<DurationValue>((sum, part) => sum.plus(part ?? none), none)
      .times(sign);
  }
  let sum: DurationValue | undefined;
  writtenPart.lastIndex = 0;
  while (writtenPart.lastIndex < trimmed.length) {
    const part = writtenPart.exec(trimmed);
    const value = part === null ? undefined : amount(Number(part[1]), part[2] ?? '');
    if (value === undefined) return undefined;
    sum = (sum ?? none).plus(value);
  }
  return sum;
}

const none = new DurationValue(0);

function amount(count: number, unit: string): DurationValue | undefined {
  const size = units.get(unit) ?? units.get(unit.length > 1 ? unit.toLowerCase() : unit);
  if (size === undefined) return undefined;
  return 'ms' in size
    ? new DurationValue(count * size.ms)
    : new DurationValue(0, size.months).times(count);
}
