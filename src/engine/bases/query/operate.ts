import type { TextRange } from '../../../base/text-range.ts';
import { titled } from '../functions/function-call.ts';
import { boundedList, boundedText } from '../functions/value-limits.ts';
import type { BinaryOperator } from '../syntax/expression.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { DateValue } from '../values/date-value.ts';
import { DurationValue, parseDuration } from '../values/duration-value.ts';
import { isEqual, type Place } from '../values/equality.ts';
import { orderOf } from '../values/order.ts';
import { asText, isList, textOf, typeOf, type Value } from '../values/value.ts';

/** What an operator is applied to. `&&` and `||` are not here: they may skip their right side. */
export interface Operation {
  readonly operator: Exclude<BinaryOperator, '&&' | '||'>;
  readonly left: Value;
  readonly right: Value;
  readonly range: TextRange;
}

/** Applies an operator. Throws `type` where the two values do not go together. */
export function operate(place: Place, operation: Operation): Value {
  const { operator, left, right } = operation;
  switch (operator) {
    case '==':
      return isEqual(place, left, right);
    case '!=':
      return !isEqual(place, left, right);
    case '<':
      return holds(orderOf(left, right), (order) => order < 0);
    case '>':
      return holds(orderOf(left, right), (order) => order > 0);
    case '<=':
      return holds(orderOf(left, right), (order) => order <= 0);
    case '>=':
      return holds(orderOf(left, right), (order) => order >= 0);
    default:
      return calculate(operation);
  }
}

function holds(order: number | undefined, test: (order: number) => boolean): boolean {
  return order !== undefined && test(order);
}

function calculate(operation: Operation): Value {
  const { operator, left, right, range } = operation;
  if (typeof left === 'number' && typeof right === 'number') {
    return numbers[operator]?.(left, right) ?? null;
  }
  const result = withDates(operation);
  if (result !== undefined) return inRange(result, range);
  if (operator === '+') {
    if (asText(left) !== undefined || asText(right) !== undefined) {
      return boundedText(textOf(left) + textOf(right), range);
    }
    if (isList(left) && isList(right)) return boundedList([...left, ...right], range);
  }
  const isText = asText(left) !== undefined || asText(right) !== undefined;
  if ((left === null || right === null) && !isText) return null;
  throw wrongOperands(operation);
}

const numbers: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/** Refuses a date that no calendar has, and a duration without end. */
function inRange(value: Value, range: TextRange): Value {
  const isWrong =
    (value instanceof DateValue && Number.isNaN(new Date(value.ms).getTime())) ||
    (value instanceof DurationValue && !Number.isFinite(value.lengthMs));
  if (!isWrong) return value;
  throw new ExpressionError('type', `The ${typeOf(value)} is out of range.`, range);
}

/** What an operator gives for dates and durations; undefined where it is not about them. */
function withDates({ operator, left, right }: Operation): Value | undefined {
  if (left instanceof DateValue) {
    if (operator !== '+' && operator !== '-') return undefined;
    if (operator === '-' && right instanceof DateValue) {
      return new DurationValue(left.ms - right.ms);
    }
    const by = durationFrom(right);
    return by === undefined ? undefined : left.plus(operator === '+' ? by : by.times(-1));
  }
  if (right instanceof DateValue) {
    return left instanceof DurationValue && operator === '+' ? right.plus(left) : undefined;
  }
  if (!(left instanceof DurationValue)) return undefined;
  if (operator === '+' || operator === '-') {
    const by = right instanceof DurationValue ? right : textDuration(right);
    return by === undefined ? undefined : left.plus(operator === '+' ? by : by.times(-1));
  }
  if (operator === '/' && right instanceof DurationValue) return left.lengthMs / right.lengthMs;
  if (typeof right !== 'number') return undefined;
  if (operator === '*') return left.times(right);
  return operator === '/' ? left.times(1 / right) : undefined;
}

/** What can be added to a date: a duration, a text that is one, or milliseconds. */
function durationFrom(value: Value): DurationValue | undefined {
  if (value instanceof DurationValue) return value;
  return typeof value === 'number' ? new DurationValue(value) : textDuration(value);
}

function textDuration(value: Value): DurationValue | undefined {
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

function wrongOperands({ operator, left, right, range }: Operation): ExpressionError {
  const [a, b] = [titled(typeOf(left)), titled(typeOf(right))];
  const hint =
    left instanceof DateValue && typeof right === 'string'
      ? ' A duration is written like "7d" or "1M".'
      : right instanceof DurationValue && typeof left === 'number'
        ? ' The duration must stand on the left.'
        : asText(left) !== undefined || asText(right) !== undefined
          ? ' A text becomes a number by number(x), a date by date(x).'
          : '';
  return new ExpressionError('type', `Cannot calculate ${a} ${operator} ${b}.${hint}`, range);
}
