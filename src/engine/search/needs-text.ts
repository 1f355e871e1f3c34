import type { Query, QueryPlace, ValueQuery } from '../ports/search-query.ts';

/**
 * Whether only the text of a file can tell if it matches a query. The index knows words, names,
 * tags and properties; it does not know regular expressions, exact case, and what stands in the
 * same line, block, section or task.
 */
export function needsText(query: Query): boolean {
  switch (query.kind) {
    case 'text':
    case 'tag':
      return false;
    case 'regex':
      return true;
    case 'property':
      return (
        query.key.kind === 'regex' || (query.value !== undefined && hasExpression(query.value))
      );
    case 'all':
    case 'any':
      return query.parts.some(needsText);
    case 'not':
      return needsText(query.part);
    case 'in':
      return !isKnown(query.place) || needsText(query.part);
    case 'case':
      return query.sensitive || needsText(query.part);
  }
}

/** Whether the index knows what stands there. */
function isKnown(place: QueryPlace): boolean {
  return place === 'file' || place === 'path' || place === 'content';
}

function hasExpression(value: ValueQuery): boolean {
  switch (value.kind) {
    case 'regex':
      return true;
    case 'all':
    case 'any':
      return value.parts.some(hasExpression);
    case 'not':
      return hasExpression(value.part);
    default:
      return false;
  }
}

/**
 * Whether a query asks for anything. A query that only excludes would find nearly the whole vault.
 */
export function hasAim(query: Query): boolean {
  switch (query.kind) {
    case 'text':
      return query.text !== '';
    case 'all':
    case 'any':
      return query.parts.some(hasAim);
    case 'not':
      return false;
    case 'in':
      // `task:""` asks for every note with a task.
      return query.place.startsWith('task') || hasAim(query.part);
    case 'case':
      return hasAim(query.part);
    default:
      return true;
  }
}
