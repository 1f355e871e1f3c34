import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { NoteFacts, Property, PropertyValue } from '../../markdown/facts/facts.ts';
import { parseFrontmatter } from '../../markdown/properties/frontmatter.ts';
import { findProperty, openProperties } from '../../markdown/properties/property-document.ts';
import { isList, isMapValue } from '../../markdown/properties/property-equal.ts';
import { setProperty } from '../../markdown/properties/set-property.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import type { WrittenTags } from '../ports/note-work.ts';
import { tagKey } from '../text/tag-name.ts';
import { descriptionIn } from './personal-note.ts';

/** How many lines are named on which a tag is written. */
const tagLinesMax = 10;

/**
 * The entries of a note's `tags` property, always as a list. The property may be a list, one value,
 * or words with spaces or commas between them (which the app has not read as tags since 1.9, although
 * people mean them). Fails with `invalid_input` when it is a map, or the properties are not valid
 * YAML.
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

/** The entries that are text, without their leading `#`. */
export function tagNames(entries: readonly PropertyValue[]): string[] {
  return entries.flatMap((entry) => (typeof entry === 'string' ? [entry.replace(/^#/, '')] : []));
}

/** For each tag, the first lines (counted from 1) on which it is written in the text of a note. */
export function tagLines(text: string, tags: readonly string[]): readonly (readonly number[])[] {
  const lines = new LineIndex(text);
  const found = new Map(tags.map((tag) => [tagKey(tag), new Set<number>()]));
  for (const { tag, range } of scanNote(text).tags) {
    const known = found.get(tagKey(tag));
    if (known !== undefined && known.size < tagLinesMax) known.add(lines.lineAt(range.start) + 1);
  }
  return tags.map((tag) => Array.from(found.get(tagKey(tag)) ?? []));
}

/**
 * The tags in a file's properties and in its text. Properties count even where the app no longer
 * reads them as tags: `tag: x` and `tags: a, b`. Otherwise a slip in writing would get around the
 * rules about tags.
 */
export function writtenTags({ frontmatter, tags }: NoteFacts): WrittenTags {
  return {
    inProperties: (frontmatter?.properties ?? []).filter(holdsTags).flatMap(tagsOf),
    inText: tags.map(({ tag }) => tag.slice(1)),
    isDescribed: descriptionIn(frontmatter?.properties ?? []) !== undefined,
  };
}

/**
 * A note's text with the tags of its properties in another spelling. `spell` gets a tag without `#`
 * and answers the new spelling, or undefined to leave it as it is. Several tags in one text
 * (`tags: a, b`) stay as they are. Nothing else changes.
 */
export function respellTags(text: string, spell: (tag: string) => string | undefined): string {
  const properties = parseFrontmatter(text)?.frontmatter.properties ?? [];
  const respelled = (entry: PropertyValue): PropertyValue => {
    const tag = tagOf(entry);
    return tag === undefined ? entry : (spell(tag) ?? entry);
  };
  return properties.filter(holdsTags).reduce((after, { key, value }) => {
    const wanted = isList(value) ? value.map(respelled) : respelled(value);
    return applyEdits(after, setProperty(after, key, wanted));
  }, text);
}

/** Whether a property holds tags, by its name. */
export function holdsTags({ key }: { readonly key: string }): boolean {
  return ['tags', 'tag'].includes(key.toLowerCase());
}

function tagsOf({ value }: Property): string[] {
  const entries = typeof value === 'string' ? value.split(/[\s,]+/) : isList(value) ? value : [];
  return entries.map(tagOf).filter((tag) => tag !== undefined);
}

/** The tag in an entry, without `#`; undefined when the app would not read it as a tag. */
function tagOf(entry: PropertyValue): string | undefined {
  if (typeof entry !== 'string' || /[\s,]/.test(entry)) return undefined;
  const tag = entry.replace(/^#/, '');
  return tag === '' ? undefined : tag;
}
