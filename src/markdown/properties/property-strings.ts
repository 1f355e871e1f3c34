import type { TextRange } from '../../base/text-range.ts';
import type { Property, PropertyText, Tag } from '../facts/facts.ts';

/** A string somewhere in a property's value. */
export interface PropertyString {
  /** Which property holds it, as an index into the properties. */
  readonly property: number;
  /** Where in the value it stands: nothing, or `.0`, `.a.b`. */
  readonly path: string;
  readonly text: string;
  /** The scalar as written, quotes included. */
  readonly range: TextRange;
  /** True where the source holds only a YAML alias (`*name`) of a string written elsewhere. */
  readonly aliased: boolean;
}

/** What a block of YAML says: its properties in order, and every string in their values. */
export interface PropertyBlock {
  readonly properties: readonly Property[];
  readonly strings: readonly PropertyString[];
}

/**
 * The strings of one property that stands for a list of words (`tags`, `aliases`): its own value
 * or the entries of its list. The name is compared without regard to case, as the app does for
 * every property name; of several spellings the first counts.
 */
function stringsOf(block: PropertyBlock, name: string): readonly PropertyString[] {
  const index = block.properties.findIndex(
    ({ key }) => key.length === name.length && key.toLowerCase() === name,
  );
  const property = block.properties[index];
  if (property === undefined) return [];
  const depth = Array.isArray(property.value) ? 1 : 0;
  return block.strings.filter(
    ({ property, path }) => property === index && path.split('.').length - 1 === depth,
  );
}

/**
 * The tags that a block of properties gives its note, each with a `#`: the `tags` property, a
 * list or a single string. (`tag` has been ignored since Obsidian 1.9.)
 */
export function propertyTagsOf(block: PropertyBlock): Tag[] {
  const tags: Tag[] = [];
  for (const { text, range } of stringsOf(block, 'tags')) {
    const name = propertyTagName(text);
    if (name !== undefined) tags.push({ tag: `#${name}`, range });
  }
  return tags;
}

/**
 * The name in an entry of `tags`, without its optional `#`; undefined for what is no tag. Since
 * Obsidian 1.9 an entry with a blank or a comma is none: `tags: a, b` gives no tags at all.
 */
function propertyTagName(text: string): string | undefined {
  const name = text.startsWith('#') ? text.slice(1) : text;
  return name === '' || /[\s,]/.test(name) ? undefined : name;
}

/** The other names of a note: its `aliases` property, a list or a single string. */
export function aliasesOf(block: PropertyBlock): PropertyText[] {
  const aliases: PropertyText[] = [];
  for (const { text, range } of stringsOf(block, 'aliases')) {
    const alias = text.trim();
    if (alias !== '') aliases.push({ text: alias, range });
  }
  return aliases;
}
