import { foldName } from '../base/vault-path.ts';
import type { Property, PropertyValue } from '../markdown/facts.ts';
import { foldedWords, rowTest, wordRow } from './query-words.ts';
import { matchesIn, regexOf } from './regex-of.ts';
import type { PropertyQuery, ValueQuery } from './search-query.ts';

type ValueTest = (value: PropertyValue) => boolean;

/** A test for a property: of this name, whatever its case, and of such a value. */
export function propertyTest({ key, value }: PropertyQuery): (property: Property) => boolean {
  const isNamed = nameTest(key);
  const isOfValue = value === undefined ? () => true : valueTest(value);
  return (property) => isNamed(property.key) && isOfValue(property.value);
}

function nameTest(key: PropertyQuery['key']): (name: string) => boolean {
  if (key.kind === 'regex') {
    const regex = regexOf(key.source, { sensitive: false });
    return (name) => matchesIn(regex, name);
  }
  const wanted = foldName(key.text);
  return (name) => foldName(name) === wanted;
}

function valueTest(query: ValueQuery): ValueTest {
  switch (query.kind) {
    case 'null':
      return (value) => value === null;
    case 'text': {
      const holds = rowTest(wordRow(query, []));
      return (value) => textsOf(value).some((text) => holds(foldedWords(text)));
    }
    case 'regex': {
      const regex = regexOf(query.source, { sensitive: false });
      return (value) => textsOf(value).some((text) => matchesIn(regex, text));
    }
    case 'compare':
      return (value) => scalarsOf(value).some((scalar) => compares(scalar, query));
    case 'all': {
      const tests = query.parts.map(valueTest);
      return (value) => tests.every((test) => test(value));
    }
    case 'any': {
      const tests = query.parts.map(valueTest);
      return (value) => tests.some((test) => test(value));
    }
    case 'not': {
      const test = valueTest(query.part);
      return (value) => !test(value);
    }
  }
}

type Scalar = string | number | boolean;

/** A value, or those of a list; of others what stands in them. */
function scalarsOf(value: PropertyValue): readonly Scalar[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [value];
  return Object.values(value).flatMap(scalarsOf);
}

function textsOf(value: PropertyValue): readonly string[] {
  return scalarsOf(value).map(String);
}

const date = /^\d{4}-\d{2}/;

/** Numbers as numbers, dates as they are written, which is their order. */
function compares(value: Scalar, { sign, than }: ValueQuery & { kind: 'compare' }): boolean {
  if (typeof value === 'boolean') return false;
  const [left, right] = [Number(value), Number(than)];
  if (!Number.isNaN(left) && !Number.isNaN(right) && value !== '') return holds(left, sign, right);
  return date.test(String(value)) && date.test(than) && holds(String(value), sign, than);
}

function holds<T extends string | number>(left: T, sign: '<' | '<=' | '>' | '>=', right: T) {
  switch (sign) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
