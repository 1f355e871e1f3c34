import type { NoteFacts, Property, PropertyValue } from '../../markdown/facts/facts.ts';
import { parseFrontmatter } from '../../markdown/properties/frontmatter.ts';
import { isList } from '../../markdown/properties/property-equal.ts';
import { setProperty } from '../../markdown/properties/set-property.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';

/** The tags of one file as they are written, without `#`, in their order, repeats kept. */
export interface WrittenTags {
  readonly inProperties: readonly string[];
  readonly inText: readonly string[];
}

/**
 * The tags that a file's text has, and those of its properties that are meant as tags though the
 * app no longer reads them so: `tag: x` and `tags: a, b` (T17, T19). A rule about tags that
 * overlooked them would be one that a slip of the pen gets around.
 */
export function writtenTags({ frontmatter, tags }: NoteFacts): WrittenTags {
  return {
    inProperties: (frontmatter?.properties ?? []).filter(isAboutTags).flatMap(tagsOf),
    inText: tags.map(({ tag }) => tag.slice(1)),
  };
}

/**
 * A note's text with the tags of its properties spelled as `spell` says, without `#`; undefined
 * leaves one as it is. Only these entries change.
 */
export function respellTags(text: string, spell: (tag: string) => string | undefined): string {
  const properties = parseFrontmatter(text)?.frontmatter.properties ?? [];
  const respelled = (entry: PropertyValue): PropertyValue => {
    const tag = tagOf(entry);
    return tag === undefined ? entry : (spell(tag) ?? entry);
  };
  return properties.filter(isAboutTags).reduce((after, { key, value }) => {
    const wanted = isList(value) ? value.map(respelled) : respelled(value);
    return applyEdits(after, setProperty(after, key, wanted));
  }, text);
}

/** Whether a property is the one for tags, by its name. */
export function isAboutTags({ key }: { readonly key: string }): boolean {
  return ['tags', 'tag'].includes(key.toLowerCase());
}

function tagsOf({ value }: Property): string[] {
  const entries = typeof value === 'string' ? value.split(/[\s,]+/) : isList(value) ? value : [];
  return entries.map(tagOf).filter((tag) => tag !== undefined);
}

/** The tag that an entry is; undefined for what the app does not take for one. */
function tagOf(entry: PropertyValue): string | undefined {
  if (typeof entry !== 'string' || /[\s,]/.test(entry)) return undefined;
  const tag = entry.replace(/^#/, '');
  return tag === '' ? undefined : tag;
}
