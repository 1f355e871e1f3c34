import { splitLink } from '../../markdown/facts/link-text.ts';
import { boundedList, boundedText } from '../bases/functions/value-limits.ts';
import type { Operation } from '../bases/query/operate.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { DateValue } from '../bases/values/date-value.ts';
import { DurationValue } from '../bases/values/duration-value.ts';
import {
  FileValue,
  isList,
  LinkValue,
  ObjectValue,
  TagValue,
  type Value,
} from '../bases/values/value.ts';
import { writtenDate, writtenDuration } from './date-literals.ts';

/** The name of a value's type in Dataview, which also is its place among values of other types. */
export function dataviewType(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  if (value instanceof DateValue) return 'date';
  if (value instanceof DurationValue) return 'duration';
  if (value instanceof LinkValue) return 'link';
  return value instanceof FileValue || value instanceof ObjectValue ? 'object' : 'string';
}

/** A property of a note as Dataview reads it: texts may be dates and durations, tags are texts. */
export function fieldValue(value: Value): Value {
  if (value instanceof TagValue) return value.text;
  if (isList(value)) return value.map(fieldValue);
  if (typeof value === 'string') {
    if (!/^-?\d/.test(value)) return value;
    return writtenDate(value) ?? writtenDuration(value) ?? value;
  }
  if (!(value instanceof ObjectValue)) return value;
  return new ObjectValue(new Map(value.keys.map((key) => [key, () => fieldValue(value.get(key))])));
}

/**
 * The same value with its links led to their files, so that it can be compared without asking for
 * facts. Throws `MissingFacts` while they are unknown.
 */
export function settled(value: Value): Value {
  if (isList(value)) return value.map(settled);
  if (!(value instanceof LinkValue)) return value;
  const { path, written, display, isExternal } = value;
  return new LinkValue(written, { display, isExternal, target: () => path });
}

const texts = new Intl.Collator('en');

/**
 * The order of any two values, as operators, SORT and GROUP BY use it. Null is less than everything;
 * values of different types are in the order of the names of their types; links are equal when they
 * lead to the same place.
 */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const [type, other] = [dataviewType(a), dataviewType(b)];
  if (type !== other) return type < other ? -1 : 1;
  if (isList(a) && isList(b)) return compareLists(a, b);
  if (a instanceof LinkValue && b instanceof LinkValue) return compareLinks(a, b);
  if (a instanceof ObjectValue && b instanceof ObjectValue) return compareObjects(a, b);
  if (type === 'string' || type === 'object') return texts.compare(textOfPlain(a), textOfPlain(b));
  return orderedNumber(a) - orderedNumber(b) || 0;
}

function orderedNumber(value: Value): number {
  if (value instanceof DateValue) return value.ms;
  return value instanceof DurationValue ? value.lengthMs : Number(value);
}

/** Texts, and pages by their paths. */
function textOfPlain(value: Value): string {
  if (value instanceof FileValue) return value.path;
  return value instanceof TagValue ? value.text : String(value);
}

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  for (const [at, value] of a.entries()) {
    if (at >= b.length) break;
    const order = compareValues(value, b[at] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareLinks(a: LinkValue, b: LinkValue): number {
  const [left, right] = [a, b].map((link) => {
    const { path, subpath } = splitLink(link.written);
    return { path: link.path ?? path, subpath };
  }) as [LinkPlace, LinkPlace];
  return texts.compare(left.path, right.path) || texts.compare(left.subpath, right.subpath);
}

interface LinkPlace {
  readonly path: string;
  readonly subpath: string;
}

function compareObjects(a: ObjectValue, b: ObjectValue): number {
  const [keys, others] = [a, b].map(({ keys: all }) => Array.from(all).sort()) as [
    string[],
    string[],
  ];
  const order = compareLists(keys, others);
  if (order !== 0) return order;
  return compareLists(
    keys.map((key) => a.get(key)),
    keys.map((key) => b.get(key)),
  );
}

/** Whether a value counts as true: not null, 0, false, or empty. */
export function isTrue(value: Value): boolean {
  if (value === null || typeof value !== 'object') return Boolean(value);
  if (isList(value)) return value.length > 0;
  if (value instanceof DurationValue) return value.lengthMs !== 0;
  return !(value instanceof ObjectValue) || value.size > 0;
}

/** A value as text, as `+` and `join` write it. Null is written as Dataview shows it by default. */
export function dataviewText(value: Value): string {
  if (value === null) return '\\-';
  if (isList(value)) return value.map(dataviewText).join(', ');
  if (typeof value !== 'object') return String(value);
  if (value instanceof LinkValue) {
    return value.display === undefined
      ? `[[${value.written}]]`
      : `[[${value.written}|${value.display}]]`;
  }
  if (value instanceof ObjectValue) {
    const entries = value.keys.map((key) => `${key}: ${dataviewText(value.get(key))}`);
    return `{ ${entries.join(', ')} }`;
  }
  if (value instanceof DateValue || value instanceof DurationValue) return value.toString();
  return textOfPlain(value);
}

const calculations: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/** Applies an operator of Dataview. Throws `type` where the two values do not go together. */
export function operateDataview(operation: Operation): Value {
  const { operator, left, right, range } = operation;
  switch (operator) {
    case '==':
      return compareValues(left, right) === 0;
    case '!=':
      return compareValues(left, right) !== 0;
    case '<':
      return compareValues(left, right) < 0;
    case '>':
      return compareValues(left, right) > 0;
    case '<=':
      return compareValues(left, right) <= 0;
    case '>=':
      return compareValues(left, right) >= 0;
    default: {
      const result = calculated(operation);
      if (result !== undefined) return result;
      const types = `${dataviewType(left)} ${operator} ${dataviewType(right)}`;
      throw new ExpressionError('type', `Dataview cannot calculate ${types}.`, range);
    }
  }
}

function calculated({ operator, left, right, range }: Operation): Value | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    return calculations[operator]?.(left, right);
  }
  if (operator === '+') {
    if (dataviewType(left) === 'string' || dataviewType(right) === 'string') {
      return boundedText(dataviewText(left) + dataviewText(right), range);
    }
    if (isList(left) && isList(right)) return boundedList([...left, ...right], range);
  }
  if (left === null && right === null) return null;
  return withDates(operator, left, right);
}

function withDates(operator: string, left: Value, right: Value): Value | undefined {
  const sign = operator === '+' ? 1 : operator === '-' ? -1 : 0;
  if (left instanceof DateValue || right instanceof DateValue) {
    if (sign === 0) return undefined;
    if (left === null || right === null) return null;
    if (left instanceof DateValue && right instanceof DurationValue)
      return left.plus(right.times(sign));
    if (sign === 1) {
      return left instanceof DurationValue && right instanceof DateValue
        ? right.plus(left)
        : undefined;
    }
    return left instanceof DateValue && right instanceof DateValue
      ? new DurationValue(left.ms - right.ms)
      : undefined;
  }
  if (left instanceof DurationValue && right instanceof DurationValue) {
    return sign === 0 ? undefined : left.plus(right.times(sign));
  }
  if (left instanceof DurationValue && typeof right === 'number') {
    if (operator === '*') return left.times(right);
    return operator === '/' ? left.times(1 / right) : undefined;
  }
  const isProduct = operator === '*' && typeof left === 'number' && right instanceof DurationValue;
  return isProduct ? right.times(left) : undefined;
}
