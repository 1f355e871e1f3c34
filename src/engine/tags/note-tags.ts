import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { findProperty, openProperties } from '../../markdown/properties/property-document.ts';
import { isList, isMapValue } from '../../markdown/properties/property-equal.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { tagKey } from '../text/tag-name.ts';

/**
 * The entries of a note's `tags` property, as a list whatever is written: one word, words with
 * commas between them (no tags for the app, but meant as such), or a list. Fails with
 * `invalid_input` when it is none of these, or the properties are not valid YAML.
 */
export function tagEntries(text: string): readonly PropertyValue[] {
  const document = openProperties(text);
  const value = document && findProperty(document, 'tags')?.value;
  if (value === undefined || value === null) return [];
  if (isList(value)) return value;
  if (isMapValue(value)) {
    throw new VaultError(
      'invalid_input',
      'The property "tags" of this note is not a list; correct it in the note first.',
    );
  }
  if (typeof value !== 'string') return [value];
  return value.split(/[\s,]+/).filter((word) => word !== '');
}

/** Those entries that are tags, without `#`. */
export function tagNames(entries: readonly PropertyValue[]): string[] {
  return entries.flatMap((entry) => (typeof entry === 'string' ? [entry.replace(/^#/, '')] : []));
}

/** The lines, counted from 1, on which a tag is written in the text of a note. */
export function inlineTagLines(text: string, tag: string): number[] {
  const lines = new LineIndex(text);
  const found = scanNote(text).tags.filter((other) => tagKey(other.tag) === tagKey(tag));
  return [...new Set(found.map(({ range }) => lines.lineAt(range.start) + 1))];
}
