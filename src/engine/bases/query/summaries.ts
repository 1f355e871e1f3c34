import { unique } from '../functions/list-functions.ts';
import {
  deviation,
  earliest,
  greatest,
  latest,
  least,
  mean,
  median,
  sum,
} from '../functions/statistics.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { DateValue } from '../values/date-value.ts';
import { DurationValue } from '../values/duration-value.ts';
import type { Place } from '../values/equality.ts';
import { isEmpty, type Value } from '../values/value.ts';

type Summary = (values: readonly Value[], place: Place) => Value;

/** The summaries that every base has. */
const builtIn: ReadonlyMap<string, Summary> = new Map<string, Summary>([
  ['Average', (values) => mean(numbersOf(values))],
  ['Min', (values) => least(numbersOf(values))],
  ['Max', (values) => greatest(numbersOf(values))],
  ['Sum', (values) => sum(numbersOf(values))],
  ['Range', range],
  ['Median', (values) => median(numbersOf(values))],
  ['Stddev', (values) => deviation(numbersOf(values))],
  ['Earliest', (values) => earliest(datesOf(values))],
  ['Latest', (values) => latest(datesOf(values))],
  ['Checked', (values) => values.filter((value) => value === true).length],
  ['Unchecked', (values) => values.filter((value) => value === false).length],
  ['Empty', (values) => values.filter(isEmpty).length],
  ['Filled', (values) => values.filter((value) => !isEmpty(value)).length],
  // Hypothesis: empty values do not count.
  [
    'Unique',
    (values, place) =>
      unique(
        place,
        values.filter((value) => !isEmpty(value)),
      ).length,
  ],
]);

/** Summarizes the values of a column, one for each row. Throws `unknown_summary`. */
export function summarize(name: string, values: readonly Value[], place: Place): Value {
  const summary = builtIn.get(name);
  if (summary !== undefined) return summary(values, place);
  const names = Array.from(builtIn.keys()).join(', ');
  throw new ExpressionError(
    'unknown_summary',
    `There is no summary "${name}". There are ${names}, and those under "summaries" of the base.`,
  );
}

function numbersOf(values: readonly Value[]): readonly number[] {
  return values.filter((value) => typeof value === 'number');
}

function datesOf(values: readonly Value[]): readonly DateValue[] {
  return values.filter((value) => value instanceof DateValue);
}

function range(values: readonly Value[]): Value {
  const numbers = numbersOf(values);
  const [low, high] = [least(numbers), greatest(numbers)];
  if (low !== null && high !== null) return high - low;
  const dates = datesOf(values);
  const [first, last] = [earliest(dates), latest(dates)];
  return first === null || last === null ? null : new DurationValue(last.ms - first.ms);
}
