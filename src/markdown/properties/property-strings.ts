import type { TextRange } from '../../base/text-range.ts';
import type { Property, PropertyText, Tag } from '../facts/facts.ts';

/** A string somewhere in a property's value. */
export interface PropertyString {
  /** The index of the property that contains it. */
  readonly property: number;
  /** Its place in the value: empty, or a path such as `.0` or `.a.b`. */
  readonly path: string;
  readonly text: string;
  /** The scalar as written, quotes included. */
  readonly range: TextRange;
  /** Whether the source has only a YAML alias (`*name`) of a string written elsewhere. */
  readonly aliased: boolean;
}

/** The content of a block of YAML: its properties in order, and every string in their values. */
export interface PropertyBlock {
  readonly properties: readonly Property[];
  readonly strings: readonly PropertyString[];
}

/**
 * Returns the strings of a property that is a list of words (`tags`, `aliases`): its value, or the
 * entries of its list. The name is compared in any case, as in the app; of several spellings the
 * first counts.
 */
function stringsOf(block: PropertyBlock, name: string): readonly PropertyString[] {
  const index = block.properties.findIndex(
    ({ key }) => key.length === name.length && key.toLowerCase() === name,
  );
  const property = block.properties[index];
  if (property === undefined) return [];
  // The value itself has an empty path, the entries of its list have `.0`, `.1` and so on.
  const depth = Array.isArray(property.value) ? 1 : 0;
  return block.strings.filter(
    ({ property, path }) => property === index && path.split('.').length - 1 === depth,
  );
}

/**
 * Returns the tags in a block of properties, each with a `#`: those of the `tags` property, which
 * is a list or a single string. (Obsidian has ignored `tag` since 1.9.)
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
 * The tag in an entry of `tags`, without its optional `#`; undefined when it is not a tag. Since
 * Obsidian 1.9 an entry with a space or a comma is not one: `tags: a, b` gives no tags at all.
 */
function propertyTagName(text: string): string | undefined {
  const name = text.startsWith('#') ? text.slice(1) : text;
  return name === '' || /[\s,]/.test(name) ? undefined : name;
}

/**
 * Returns the aliases in a block of properties: the `aliases` property, which is a list or a single
 * string.
 */
export function aliasesOf(block: PropertyBlock): PropertyText[] {
  const aliases: PropertyText[] = [];
  for (const { text, range } of stringsOf(block, 'aliases')) {
    const alias = text.trim();
    if (alias !== '') aliases.push({ text: alias, range });
  }
  return aliases;
}
