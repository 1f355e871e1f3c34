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

/** Texts as lists of files show them: without regard to case, `b9` before `b10`. */
const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares two texts for sorting. Texts that differ in case only keep a fixed order. */
export function compareTexts(a: string, b: string): number {
  return texts.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** What a value is sorted by: values of a lower rank come first. */
interface SortKey {
  readonly rank: number;
  readonly by: number | string;
}

function sortKey(value: Value): SortKey {
  if (typeof value === 'boolean') return { rank: 0, by: Number(value) };
  if (typeof value === 'number') return { rank: 1, by: value };
  if (value instanceof DateValue || value instanceof RelativeText) return { rank: 2, by: value.ms };
  if (value instanceof DurationValue) return { rank: 3, by: value.lengthMs };
  return { rank: 4, by: value instanceof LinkValue ? value.shown : textOf(value) };
}

/**
 * Compares two values that are not empty for sorting: booleans, numbers, dates, durations, then all
 * others by their text.
 */
function compareValues(a: Value, b: Value): number {
  const [left, right] = [sortKey(a), sortKey(b)];
  if (left.rank !== right.rank) return left.rank - right.rank;
  if (typeof left.by === 'string' || typeof right.by === 'string') {
    return texts.compare(String(left.by), String(right.by));
  }
  return difference(left.by, right.by) ?? 0;
}

/** Sorts values in one direction. Empty ones are last in both, and equal ones keep their order. */
export function compareInDirection(a: Value, b: Value, direction: 'ASC' | 'DESC'): number {
  const [aEmpty, bEmpty] = [isEmpty(a), isEmpty(b)];
  if (aEmpty || bEmpty) return Number(aEmpty) - Number(bEmpty);
  const order = compareValues(a, b);
  return direction === 'ASC' ? order : -order;
}
