import type { DateValue } from '../values/date-value.ts';

/** The mean; null when there are no numbers. */
export function mean(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : sum(numbers) / numbers.length;
}

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number | null {
  const sorted = Array.from(numbers).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return mean(sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1));
}

/** The standard deviation of the population. */
export function deviation(numbers: readonly number[]): number | null {
  const center = mean(numbers);
  if (center === null) return null;
  const variance = mean(numbers.map((each) => (each - center) ** 2));
  return variance === null ? null : Math.sqrt(variance);
}

/** The sum; 0 when there are no numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

export function least(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b));
}

export function greatest(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.max(a, b));
}

export function earliest(dates: readonly DateValue[]): DateValue | null {
  return dates.length === 0 ? null : dates.reduce((a, b) => (b.ms < a.ms ? b : a));
}

export function latest(dates: readonly DateValue[]): DateValue | null {
  return dates.length === 0 ? null : dates.reduce((a, b) => (b.ms > a.ms ? b : a));
}
