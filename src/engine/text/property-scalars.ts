import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { ValueQuery } from '../ports/search-query.ts';

type Scalar = string | number | boolean;

type Comparison = Extract<ValueQuery, { readonly kind: 'compare' }>;

/**
 * Returns all single values in a property's value: the value itself, or those in its list or map.
 */
export function scalarsOf(value: PropertyValue): readonly Scalar[] {
  if (value === null) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(scalarsOf) : [value];
}

const date = /^\d{4}-\d{2}/;

/**
 * Whether a comparison such as `>=3` is true of a value. Numbers are compared as numbers, dates as
 * text, which is the order of time. Other values never fit.
 */
export function compares(value: Scalar, { sign, than }: Comparison): boolean {
  if (typeof value === 'boolean') return false;
  const [left, right] = [Number(value), Number(than)];
  if (!Number.isNaN(left) && !Number.isNaN(right) && value !== '') return holds(left, sign, right);
  const text = String(value);
  return date.test(text) && date.test(than) && holds(text, sign, than);
}

function holds<T extends string | number>(left: T, sign: Comparison['sign'], right: T): boolean {
  if (left === right) return sign === '<=' || sign === '>=';
  return left < right === sign.startsWith('<');
}
