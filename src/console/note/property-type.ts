import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { NoteIconName } from './note-icon.tsx';

/**
 * What kind of value a property has, as the name of the picture beside it. `links` has the paths of
 * the values that are links.
 */
export function propertyType(
  key: string,
  value: PropertyValue,
  links: Pick<ReadonlyMap<string, unknown>, 'has'>,
): NoteIconName {
  if (/^tags?$/i.test(key)) return 'tag';
  if (Array.isArray(value)) return links.has(`${key}.0`) ? 'link' : 'list';
  if (typeof value === 'boolean') return 'checkbox';
  if (typeof value === 'number') return 'number';
  if (value === null || typeof value !== 'string') return value === null ? 'text' : 'object';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)) return 'time';
  return links.has(key) || /^https?:\/\//i.test(value) ? 'link' : 'text';
}
