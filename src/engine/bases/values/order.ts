import { type CollatedText, collated, compareCollated } from './collated-text.ts';
import { DateValue, parseAnyDate } from './date-value.ts';
import { DurationValue } from './duration-value.ts';
import { lengthOf } from './equality.ts';
import { asText, isEmpty, LinkValue, RelativeText, textOf, type Value } from './value.ts';

/**
 * Compares two values for `<` and its relatives: negative, zero or positive, and undefined where the
 * two have no order (every comparison is then false).
 */
export function orderOf(a: Value, b: Value): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return difference(a, b);
  if (a instanceof DurationValue || b instanceof DurationValue) {
    return difference(lengthOf(a), lengthOf(b));
  }
  if (a instanceof DateValue || b instanceof DateValue) return difference(timeOf(a), timeOf(b));
  const [left, right] = [asText(a), asText(b)];
  if (left === undefined || right === undefined) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

function timeOf(value: Value): number | undefined {
  if (value instanceof DateValue) return value.ms;
  return typeof value === 'string' ? parseAnyDate(value)?.ms : undefined;
}

function difference(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined || Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a value is sorted by: values of a lower rank come first, and empty ones last of all. */
interface SortKey {
  readonly rank: number;
  readonly by: number | CollatedText;
}

const emptyKey: SortKey = { rank: Number.POSITIVE_INFINITY, by: 0 };

/**
 * What a value is sorted by: booleans, numbers, dates, durations, then all others by their text. It is
 * made once for each value, because a sort looks at a value many times.
 */
export function sortKey(value: Value): SortKey {
  if (typeof value === 'boolean') return { rank: 0, by: Number(value) };
  if (typeof value === 'number') return { rank: 1, by: value };
  if (value instanceof DateValue || value instanceof RelativeText) return { rank: 2, by: value.ms };
  if (value instanceof DurationValue) return { rank: 3, by: value.lengthMs };
  if (isEmpty(value)) return emptyKey;
  return { rank: 4, by: collated(value instanceof LinkValue ? value.shown : textOf(value)) };
}

/** Sorts in one direction. Empty values are last in both, and equal ones keep their order. */
export function compareKeys(a: SortKey, b: SortKey, direction: 'ASC' | 'DESC'): number {
  if (a === emptyKey || b === emptyKey) return Number(a === emptyKey) - Number(b === emptyKey);
  const order =
    a.rank !== b.rank
      ? a.rank - b.rank
      : typeof a.by === 'object' && typeof b.by === 'object'
        ? compareCollated(a.by, b.by)
        : (difference(Number(a.by), Number(b.by)) ?? 0);
  return direction === 'ASC' ? order : -order;
}

/** Some things in the order of their values. */
export function sortedBy<T>(
  items: readonly T[],
  of: (item: T) => Value,
  direction: 'ASC' | 'DESC',
): readonly T[] {
  return items
    .map((item) => ({ item, key: sortKey(of(item)) }))
    .sort((a, b) => compareKeys(a.key, b.key, direction))
    .map(({ item }) => item);
}
