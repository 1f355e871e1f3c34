import type { ValueCondition } from '../../ports/records.ts';
import type { BinaryOperator } from '../syntax/expression.ts';
import { DateValue, parseAnyDate } from '../values/date-value.ts';
import type { Value } from '../values/value.ts';

/** A condition, and whether it says all that the comparison says. */
interface ComparedValue {
  readonly condition: ValueCondition;
  readonly isAll: boolean;
}

const dayMs = 86_400_000;

/** The name of a property by which the index has its values; undefined where it has none. */
export function valueName(name: string | undefined): string | undefined {
  // The index knows only the letters of ASCII in both cases; tags are compared in their own way.
  const isKnown = name !== undefined && /^[\x20-\x7e]+$/.test(name);
  const lower = isKnown ? name.toLowerCase() : 'tags';
  return lower === 'tags' ? undefined : lower;
}

/** The operator for the same comparison with its sides exchanged. */
export function turned(operator: BinaryOperator): BinaryOperator {
  const others: Partial<Record<BinaryOperator, BinaryOperator>> = {
    '<': '>',
    '>': '<',
    '<=': '>=',
    '>=': '<=',
  };
  return others[operator] ?? operator;
}

/** Whether a text is compared as it is, and not as a date, and the index has it so. */
export function isPlainText(text: string): boolean {
  return (
    text !== '' &&
    text.length <= 100 &&
    text.trim() === text &&
    !/[\0\ud800-\udfff]/u.test(text) &&
    !/^\d{4}/.test(text)
  );
}

/**
 * What the value of a property must be for a comparison to hold; undefined when the index cannot
 * tell. Numbers have an order with numbers only. Dates are texts in the index, so a range of texts
 * holds all that can be before or after a date, whatever its form and offset.
 */
export function comparedValue(
  name: string,
  operator: BinaryOperator,
  value: Value,
): ComparedValue | undefined {
  switch (operator) {
    case '==':
      return equalTo(name, value);
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (typeof value === 'number') {
        return Number.isFinite(value)
          ? { condition: { name, number: { operator, than: value } }, isAll: true }
          : undefined;
      }
      return inOrder(name, operator, value);
    default:
      return undefined;
  }
}

/** Numbers, texts and booleans are equal when their texts are. */
function equalTo(name: string, value: Value): ComparedValue | undefined {
  if (typeof value === 'boolean') {
    return { condition: { name, equal: [String(value)] }, isAll: true };
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return { condition: { name, equal: [value, String(value)] }, isAll: true };
  }
  if (typeof value !== 'string' || !isPlainText(value)) return undefined;
  return { condition: { name, equal: keysOf(value) }, isAll: true };
}

/** What the index may have in place of a text that is compared as it is. */
export function keysOf(text: string): readonly (string | number)[] {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text];
}

function inOrder(name: string, operator: '<' | '<=' | '>' | '>=', value: Value) {
  const isDateText = typeof value === 'string' && /^\d{4}/.test(value) && value === value.trim();
  const date = isDateText ? parseAnyDate(value) : value;
  if (!(date instanceof DateValue)) return undefined;
  // The day may be another one by the offset of a time zone.
  const isAbove = operator === '>' || operator === '>=';
  const time = new Date(date.ms + (isAbove ? -2 : 2) * dayMs);
  const year = time.getUTCFullYear();
  if (!(year >= 1000 && year <= 9998)) return undefined;
  // A colon comes right after the digits: so the texts before it are those of all dates of the year.
  const text = isAbove
    ? { from: time.toISOString().slice(0, 10) }
    : { from: '', before: `${year}:` };
  return { condition: { name, text }, isAll: false };
}
