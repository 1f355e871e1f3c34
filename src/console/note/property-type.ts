import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { parseWholeLink } from '../../markdown/facts/link-text.ts';
import type { NoteIconName } from './note-icon.tsx';

/** What kind of value a property has, as the name of the picture beside it. */
export function propertyType(key: string, value: PropertyValue): NoteIconName {
  if (/^tags?$/i.test(key)) return 'tag';
  if (Array.isArray(value)) {
    const [first] = value as readonly PropertyValue[];
    return typeof first === 'string' && parseWholeLink(first) !== undefined ? 'link' : 'list';
  }
  if (typeof value === 'boolean') return 'checkbox';
  if (typeof value === 'number') return 'number';
  if (value === null || typeof value !== 'string') return value === null ? 'text' : 'object';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)) return 'time';
  return parseWholeLink(value) !== undefined || /^https?:\/\//i.test(value) ? 'link' : 'text';
}
