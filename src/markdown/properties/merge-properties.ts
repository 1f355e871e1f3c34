import type { Property, PropertyValue } from '../facts/facts.ts';
import { openProperties } from './property-document.ts';
import { isList, isMapValue, propertyEqual } from './property-equal.ts';
import { setProperties } from './set-property.ts';

/** Properties that the app always treats as lists, even where a single word is written. */
const listKeys = ['tags', 'aliases', 'cssclasses'];

/**
 * Adds properties to a note's own: those that it lacks, or has without a value, are added in their
 * order, lists are united, and every other value of the note stays. Fails with `invalid_input` when
 * the note's block is not valid YAML, and with `too_large` as `setProperties` does.
 */
export function mergeProperties(text: string, others: readonly Property[]): string {
  if (others.length === 0) return text; // Also when its own block is not valid YAML.
  const written = openProperties(text)?.properties ?? [];
  const exact = new Map(written.map((property) => [property.key, property]));
  // The first of several names that differ only in case.
  const folded = new Map(written.toReversed().map((each) => [each.key.toLowerCase(), each]));
  const merged = new Map<string, readonly [key: string, value: PropertyValue]>();
  for (const { key, value } of others) {
    const known = exact.get(key) ?? folded.get(key.toLowerCase());
    const name = known?.key ?? merged.get(key.toLowerCase())?.[0] ?? key;
    const entry = known === undefined ? name.toLowerCase() : name;
    // A property without a value (null) counts as missing.
    const own = merged.get(entry)?.[1] ?? known?.value ?? undefined;
    const united = mergeValues(key, own, value);
    if (united !== own) merged.set(entry, [name, united]);
  }
  return setProperties(text, Array.from(merged.values()));
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
