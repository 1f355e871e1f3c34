import type { Query, QueryPlace, ValueQuery } from '../ports/search-query.ts';
import { isExact } from './query-words.ts';

/**
 * Whether only the text of a file can tell if it matches a query. The index knows words, names,
 * tags and properties; it does not know regular expressions, exact case, what stands between the
 * words of a quoted text, and what stands in the same line, block, section or task.
 */
export function needsText(query: Query): boolean {
  return needs(query, { isName: false });
}

/** `isName`: whether the part is about the name or path of a file, which the index knows exactly. */
function needs(query: Query, context: { readonly isName: boolean }): boolean {
  switch (query.kind) {
    case 'text':
      return !context.isName && isExact(query);
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
      return query.parts.some((part) => needs(part, context));
    case 'not':
      return needs(query.part, context);
    case 'in':
      return !isKnown(query.place) || needs(query.part, { isName: query.place !== 'content' });
    case 'case':
      return query.sensitive || needs(query.part, context);
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
