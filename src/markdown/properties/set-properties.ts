import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/apply-edits.ts';
import { findProperty, openProperties } from './property-document.ts';
import { addProperties, setProperty } from './set-property.ts';

type Entry = readonly [key: string, value: PropertyValue];

/**
 * A text with several properties set, as `setProperty` would one after the other. Those that it
 * does not have yet are added at once, so that many cost no more than their own length. Fails with
 * `too_large` when so many of a large block would change that it would take seconds.
 */
export function setProperties(text: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return text; // Also one whose own block is not valid YAML.
  const wanted = lastOfEach(entries);
  const document = openProperties(text);
  const isNew = ([key]: Entry): boolean =>
    document === undefined || findProperty(document, key) === undefined;
  const changed = wanted.filter((entry) => !isNew(entry));
  if (changed.length * (document?.source.length ?? 0) > limits.propertyWorkMax) {
    throw new VaultError(
      'too_large',
      `${changed.length} properties of so large a block cannot be set at once; set fewer.`,
    );
  }
  const edited = changed.reduce(
    (before, [key, value]) => applyEdits(before, setProperty(before, key, value)),
    text,
  );
  const added = wanted.filter(isNew);
  return added.length === 0 ? edited : applyEdits(edited, addProperties(edited, added));
}

/** Names that differ only in case are one property: spelled as first, with the last value. */
function lastOfEach(entries: readonly Entry[]): readonly Entry[] {
  const byName = new Map<string, Entry>();
  for (const [key, value] of entries) {
    const folded = key.toLowerCase();
    byName.set(folded, [byName.get(folded)?.[0] ?? key, value]);
  }
  return Array.from(byName.values());
}
