import { foldName } from '../../../base/vault-path.ts';
import { DateValue, parseAnyDate } from '../values/date-value.ts';
import { DurationValue } from '../values/duration-value.ts';
import { isEqual, isTagOrNested, lengthOf, type Place } from '../values/equality.ts';
import { linkFrom } from '../values/link-from.ts';
import { sortedBy } from '../values/order.ts';
import {
  asText,
  FileValue,
  isList,
  isTruthy,
  LinkValue,
  TagValue,
  textOf,
  typeOf,
  type Value,
} from '../values/value.ts';
import {
  type FunctionCall,
  type MethodTable,
  numberArgument,
  spreadArguments,
  textArgument,
} from './function-call.ts';
import { deviation, earliest, greatest, latest, least, mean, median, sum } from './statistics.ts';
import { boundedList, boundedText } from './value-limits.ts';

type List = readonly Value[];

export const listFunctions: MethodTable<List> = new Map<
  string,
  (list: List, call: FunctionCall) => Value
>([
  ['contains', (list, call) => holds(list, call, call.value(0))],
  ['containsAll', (list, call) => spreadArguments(call).every((each) => holds(list, call, each))],
  ['containsAny', (list, call) => spreadArguments(call).some((each) => holds(list, call, each))],
  [
    'filter',
    (list, call) => list.filter((value, index) => isTruthy(call.valueFor(0, { value, index }))),
  ],
  ['map', (list, call) => list.map((value, index) => call.valueFor(0, { value, index }))],
  ['reduce', reduce],
  ['flat', (list, call) => boundedList(charged(list, call).flat() as List, call.range)],
  ['join', join],
  ['reverse', (list, call) => Array.from(charged(list, call)).reverse()],
  ['slice', slice],
  ['sort', sort],
  ['unique', (list, call) => unique(call.place, charged(list, call))],
  ['mean', (list, call) => mean(numbers(list, call))],
  ['median', (list, call) => median(numbers(list, call))],
  ['stddev', (list, call) => deviation(numbers(list, call))],
  ['sum', (list, call) => sum(numbers(list, call))],
  ['min', (list, call) => least(numbers(list, call))],
  ['max', (list, call) => greatest(numbers(list, call))],
  ['earliest', (list, call) => earliest(datesIn(charged(list, call)))],
  ['latest', (list, call) => latest(datesIn(charged(list, call)))],
]);

function charged(list: List, call: FunctionCall): List {
  call.charge(list.length);
  return list;
}

function numbers(list: List, call: FunctionCall): readonly number[] {
  return charged(list, call).filter((value) => typeof value === 'number');
}

/** The dates of a list; texts that are dates count. */
function datesIn(list: List): readonly DateValue[] {
  return list.flatMap((value) => dateOf(value) ?? []);
}

/** Whether a list has a value. A tag is also found by the tags above it: `a` finds `#a/b`. */
function holds(list: List, call: FunctionCall, wanted: Value): boolean {
  const text = asText(wanted);
  return list.some((value) => {
    call.charge(1);
    if (value instanceof TagValue && text !== undefined) return isTagOrNested(value.text, text);
    return isEqual(call.place, value, wanted);
  });
}

function reduce(list: List, call: FunctionCall): Value {
  return list.reduce<Value>(
    (acc, value, index) => call.valueFor(0, { value, index, acc }),
    call.value(1),
  );
}

function join(list: List, call: FunctionCall): string {
  const separator = call.count === 0 ? ',' : (textArgument(call, 0, 'separator') ?? '');
  const text = charged(list, call)
    .map((value) => (value === null ? '' : textOf(value)))
    .join(separator);
  return boundedText(text, call.range);
}

function slice(list: List, call: FunctionCall): List {
  const start = numberArgument(call, 0, 'start') ?? 0;
  return list.slice(start, numberArgument(call, 1, 'end') ?? undefined);
}

function sort(list: List, call: FunctionCall): List {
  call.charge(list.length * Math.ceil(Math.log2(list.length + 1)));
  return sortedBy(list, (value) => value, 'ASC');
}

/** The elements of a list, of equal ones the first. */
export function unique(place: Place, list: List): List {
  const among: Among = {
    files: list.some((value) => value instanceof LinkValue || value instanceof FileValue),
    dates: list.some((value) => value instanceof DateValue),
    // A date without a time is equal to any time of its day, so then all are compared by day.
    days: list.some((value) => dateOf(value)?.hasTime === false),
    durations: list.some((value) => value instanceof DurationValue),
  };
  const seen = new Set<string>();
  return list.filter((value) => {
    const key = equalityKey(place, value, among);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** What a list has, with which texts and numbers may be equal. */
interface Among {
  readonly files: boolean;
  readonly dates: boolean;
  readonly days: boolean;
  readonly durations: boolean;
}

function dateOf(value: Value): DateValue | undefined {
  if (value instanceof DateValue) return value;
  return typeof value === 'string' ? parseAnyDate(value) : undefined;
}

/** A text that is the same for values that `isEqual` finds equal. */
function equalityKey(place: Place, value: Value, among: Among): string {
  if (value === null) return 'null';
  if (isList(value)) {
    return `list ${JSON.stringify(value.map((each) => equalityKey(place, each, among)))}`;
  }
  if (value instanceof FileValue) return `file ${value.path}`;
  if (value instanceof LinkValue) {
    return value.path === null ? `text ${foldName(value.written)}` : `file ${value.path}`;
  }
  if (value instanceof TagValue) return `tag ${foldName(value.text.replace(/^#/, ''))}`;
  const date = among.dates ? dateOf(value) : undefined;
  if (date !== undefined) return `date ${among.days ? date.date().ms : date.ms}`;
  const length = among.durations ? lengthOf(value) : undefined;
  if (length !== undefined) return `duration ${length}`;
  if (typeof value === 'string' && among.files) {
    const { path } = linkFrom(place, value);
    return path === null ? `text ${foldName(value)}` : `file ${path}`;
  }
  if (typeof value !== 'object') return `text ${String(value)}`;
  return `${typeOf(value)} ${textOf(value)}`;
}
