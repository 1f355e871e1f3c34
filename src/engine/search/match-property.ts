import { foldName } from '../../base/vault-path.ts';
import type { Property, PropertyValue } from '../../markdown/facts/facts.ts';
import type { PropertyQuery, ValueQuery } from '../ports/search-query.ts';
import { compares, scalarsOf } from '../text/property-scalars.ts';
import { matchesIn, queryRegex } from './query-regex.ts';
import { exactTest, foldedWords, isExact, rowTest, wordRow } from './query-words.ts';

type ValueTest = (value: PropertyValue) => boolean;

/**
 * Returns a test for properties: whether one has this name, in any case, and a value that matches.
 */
export function propertyTest({ key, value }: PropertyQuery): (property: Property) => boolean {
  const isNamed = nameTest(key);
  const isOfValue = value === undefined ? () => true : valueTest(value);
  return (property) => isNamed(property.key) && isOfValue(property.value);
}

function nameTest(key: PropertyQuery['key']): (name: string) => boolean {
  if (key.kind === 'regex') {
    const regex = queryRegex(key.source, { sensitive: false });
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
      if (isExact(query)) {
        const isIn = exactTest(query);
        return (value) => textsOf(value).some(isIn);
      }
      const holds = rowTest(wordRow(query, []));
      return (value) => textsOf(value).some((text) => holds(foldedWords(text)));
    }
    case 'regex': {
      const regex = queryRegex(query.source, { sensitive: false });
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

function textsOf(value: PropertyValue): readonly string[] {
  return scalarsOf(value).map(String);
}
