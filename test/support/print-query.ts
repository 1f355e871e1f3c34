import type { Query, TextQuery, ValueQuery } from '../../src/engine/ports/search-query.ts';

/** A query as someone would type it: what is read from it is the same tree. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'text':
      return printText(query);
    case 'regex':
      return query.of === 'tag' ? `tag:/${query.source}/` : `/${query.source}/`;
    case 'tag':
      return `tag:${query.tag}`;
    case 'property': {
      const key = query.key.kind === 'text' ? printText(query.key) : `/${query.key.source}/`;
      return query.value === undefined ? `[${key}]` : `[${key}:${printValue(query.value)}]`;
    }
    case 'all':
      return `(${query.parts.map(printQuery).join(' ')})`;
    case 'any':
      return `(${query.parts.map(printQuery).join(' OR ')})`;
    case 'not':
      return `-(${printQuery(query.part)})`;
    case 'in':
      return `${query.place}:${printQuery(query.part)}`;
    case 'case':
      return `${query.sensitive ? 'match' : 'ignore'}-case:${printQuery(query.part)}`;
  }
}

function printValue(value: ValueQuery): string {
  switch (value.kind) {
    case 'text':
      return printText(value);
    case 'regex':
      return `/${value.source}/`;
    case 'null':
      return 'null';
    case 'compare':
      return `${value.sign}${value.than}`;
    case 'all':
      return `(${value.parts.map(printValue).join(' ')})`;
    case 'any':
      return `(${value.parts.map(printValue).join(' OR ')})`;
    case 'not':
      return `-(${printValue(value.part)})`;
  }
}

function printText({ text, quoted }: TextQuery): string {
  return quoted ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}
