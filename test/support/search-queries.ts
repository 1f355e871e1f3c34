import type {
  PropertyQuery,
  Query,
  QueryPlace,
  TextQuery,
  ValueQuery,
} from '../../src/engine/ports/search-query.ts';

/** Trees of queries, as tests write them. */

export function word(text: string): TextQuery {
  return { kind: 'text', text, quoted: false };
}

export function quoted(text: string): TextQuery {
  return { kind: 'text', text, quoted: true };
}

/** The last word of a query, which may be the beginning of one. */
export function begun(text: string): TextQuery {
  return { kind: 'text', text, quoted: false, mayGoOn: true };
}

/** Words that all have to be there; the last one may go on. */
export function words(text: string): Query {
  const all = text.split(' ');
  return { kind: 'all', parts: all.map((one, at) => (at === all.length - 1 ? begun : word)(one)) };
}

export function all(...parts: readonly Query[]): Query {
  return { kind: 'all', parts };
}

export function any(...parts: readonly Query[]): Query {
  return { kind: 'any', parts };
}

export function not(part: Query): Query {
  return { kind: 'not', part };
}

export function within(place: QueryPlace, part: Query): Query {
  return { kind: 'in', place, part };
}

export function tagged(tag: string): Query {
  return { kind: 'tag', tag };
}

export function regex(source: string): Query {
  return { kind: 'regex', source };
}

export function property(key: string, value?: ValueQuery): PropertyQuery {
  return { kind: 'property', key: quoted(key), ...(value && { value }) };
}

export function compare(sign: '<' | '<=' | '>' | '>=', than: string): ValueQuery {
  return { kind: 'compare', sign, than };
}
