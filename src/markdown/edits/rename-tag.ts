import type { PropertyValue } from '../facts/facts.ts';
import { isList } from '../properties/property-equal.ts';
import { setProperty } from '../properties/set-property.ts';
import { scanNote } from '../scan/scan-note.ts';
import type { TextEdit } from '../text/text-edit.ts';

/** A tag and its new name, both without `#`. */
interface TagRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns edits that rename a tag and those nested under it throughout a note: in the text, and in
 * the `tags` property, where a tag that would then be listed twice is left out. `count` is the
 * number of tags renamed. Case does not matter, and an entry of the property keeps its `#` if it
 * has one.
 */
export function renameTag(
  text: string,
  rename: TagRename,
): { readonly edits: readonly TextEdit[]; readonly count: number } {
  const { tags, propertyTags, frontmatter } = scanNote(text);
  const edits: TextEdit[] = [];
  for (const { tag, range } of tags) {
    const rest = restAfter(tag.slice(1), rename.from);
    if (rest === undefined) continue;
    const start = range.start + 1;
    edits.push({ range: { start, end: range.end - rest.length }, text: rename.to });
  }
  const inText = edits.length;
  const inProperty = propertyTags.filter(
    ({ tag }) => restAfter(tag.slice(1), rename.from) !== undefined,
  ).length;
  const property = frontmatter?.properties?.find(({ key }) => key.toLowerCase() === 'tags');
  if (inProperty > 0 && property !== undefined) {
    edits.push(...setProperty(text, property.key, renamedValue(property.value, rename)));
  }
  return { edits, count: inText + inProperty };
}

/**
 * What follows `from` in a tag that is it or nested under it: nothing, or `/…`; undefined for
 * another tag.
 */
function restAfter(tag: string, from: string): string | undefined {
  const names = tag.split('/');
  const depth = from.split('/').length;
  const head = names.slice(0, depth).join('/');
  if (head.toLowerCase() !== from.toLowerCase()) return undefined;
  return tag.slice(head.length);
}

/** The value of `tags` after the rename. */
function renamedValue(value: PropertyValue, rename: TagRename): PropertyValue {
  if (!isList(value)) return renamedEntry(value, rename) ?? value;
  const entries = value.map((entry) => ({ entry, renamed: renamedEntry(entry, rename) }));
  const known = new Set(
    entries.filter(({ renamed }) => renamed === undefined).map(({ entry }) => keyOf(entry)),
  );
  return entries.flatMap(({ entry, renamed }) => {
    if (renamed === undefined) return [entry];
    const isNew = !known.has(keyOf(renamed));
    known.add(keyOf(renamed));
    return isNew ? [renamed] : [];
  });
}

/** An entry with the new name; undefined when it is not this tag. */
function renamedEntry(entry: PropertyValue, { from, to }: TagRename): string | undefined {
  if (typeof entry !== 'string') return undefined;
  const hash = entry.startsWith('#') ? '#' : '';
  const rest = restAfter(entry.slice(hash.length), from);
  return rest === undefined ? undefined : hash + to + rest;
}

/** The same for all spellings of one tag. */
function keyOf(entry: PropertyValue): unknown {
  return typeof entry === 'string' ? entry.replace(/^#/, '').toLowerCase() : entry;
}
