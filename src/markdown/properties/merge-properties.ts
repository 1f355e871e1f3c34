import type { Property, PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/text-edit.ts';
import { findProperty, openProperties } from './property-document.ts';
import { isList, isMapValue, propertyEqual } from './property-equal.ts';
import { setProperty } from './set-property.ts';

/** Properties that the app always treats as lists, even where a single word is written. */
const listKeys = ['tags', 'aliases', 'cssclasses'];

/**
 * Adds properties to a note's own: those that it lacks, or has without a value, are added in their
 * order, lists are united, and every other value of the note stays. Fails with `invalid_input` when
 * the note's block is not valid YAML.
 */
export function mergeProperties(text: string, others: readonly Property[]): string {
  let merged = text;
  for (const { key, value } of others) {
    const document = openProperties(merged);
    // A property without a value (null) counts as missing.
    const own = (document && findProperty(document, key)?.value) ?? undefined;
    merged = applyEdits(merged, setProperty(merged, key, mergeValues(key, own, value)));
  }
  return merged;
}

function mergeValues(
  key: string,
  own: PropertyValue | undefined,
  other: PropertyValue,
): PropertyValue {
  if (own === undefined) return other;
  const isListed = isList(own) || (listKeys.includes(key.toLowerCase()) && !isMapValue(own));
  if (!isListed || isMapValue(other)) return own;
  const entries = entriesOf(own);
  const known = new Set(entries.map((entry) => entryKey(key, entry)));
  const objects = entries.filter((entry) => typeof entry === 'object');
  const added = entriesOf(other).filter((entry) => {
    if (entry === null || entry === '') return false;
    if (typeof entry !== 'object') return !known.has(entryKey(key, entry));
    return !objects.some((object) => propertyEqual(object, entry));
  });
  return added.length === 0 ? own : [...entries, ...added];
}

function entriesOf(value: PropertyValue): readonly PropertyValue[] {
  if (isList(value)) return value;
  return value === null || value === '' ? [] : [value];
}

/**
 * The form in which two spellings of an entry are equal: a tag is the same with or without `#`, in
 * any case.
 */
function entryKey(key: string, entry: PropertyValue): PropertyValue {
  const isTag = key.toLowerCase() === 'tags' && typeof entry === 'string';
  return isTag ? entry.replace(/^#/, '').toLowerCase() : entry;
}
