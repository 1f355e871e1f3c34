import type { PropertyText, Tag } from '../facts/facts.ts';
import { type PropertyBlock, stringsOf } from './property-strings.ts';

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
