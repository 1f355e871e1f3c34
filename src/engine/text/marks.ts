import type { Scopes } from '../../base/caller.ts';
import { foldName } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { ChangedMarks, MarkedText } from '../ports/note-work.ts';
import type { FileKind } from '../ports/records.ts';
import type { Marks } from '../ports/view.ts';
import { scalarsOf } from './property-scalars.ts';
import { factsOf } from './scan-file.ts';

/** The mark of a note whose tags and properties cannot all be read: it may have any. */
const unreadable = 'unreadable properties';

/** The problems of a note because of which some of its tags or properties are not known. */
export const unreadableCodes: readonly string[] = ['invalid_properties', 'too_deep'];

/** The marks that hide notes from someone with these scopes; undefined when there are none. */
export function marksOf({ hideTags = [], hideProperties = [] }: Scopes): Marks | undefined {
  if (hideTags.length === 0 && hideProperties.length === 0) return undefined;
  return { tags: hideTags, properties: hideProperties };
}

/**
 * Which of these marks a file has: tags as `#tag`, properties as `key=value`. Only notes can have
 * marks. A note whose properties are not valid YAML counts as marked, because what its owner meant
 * cannot be told.
 */
export function marksIn(text: string, kind: FileKind, marks: Marks): readonly string[] {
  if (kind !== 'note') return [];
  const { propertyTags, tags, frontmatter, problems } = factsOf(kind, text);
  const properties = frontmatter?.properties ?? [];
  const found = new Set(
    marksInProperties(
      properties.map(({ key, value }) => [key, value]),
      marks,
    ),
  );
  if (problems.some(({ code }) => unreadableCodes.includes(code))) found.add(unreadable);
  for (const { tag } of [...propertyTags, ...tags]) addTagMarks(found, tag, marks);
  return Array.from(found);
}

/**
 * Which of these marks the properties of a note have. Names and values are compared as text, in any
 * case; a list or a map has the mark when one value in it does. Tags count also where the app no
 * longer reads them: `tag: x` and `tags: a, b`.
 */
export function marksInProperties(
  properties: readonly (readonly [key: string, value: PropertyValue])[],
  marks: Marks,
): readonly string[] {
  const found = new Set<string>();
  for (const mark of marks.properties) {
    const { key, value } = splitMark(mark);
    const has = properties.some(([name, held]) => keyOf(name) === key && isValue(held, value));
    if (has) found.add(mark);
  }
  for (const [name, value] of properties) {
    if (!holdsTags(name)) continue;
    const words = typeof value === 'string' ? value.split(/[\s,]+/) : scalarsOf(value).map(String);
    for (const word of words) addTagMarks(found, word, marks);
  }
  return Array.from(found);
}

/**
 * Whether notes with properties of these names and types may have a mark that is not among the tags
 * which the app reads: then their values have to be looked at.
 */
export function mayBeMarked(
  shape: readonly (readonly [key: string, type: string])[],
  marks: Marks,
): boolean {
  const keys = new Set(marks.properties.map((mark) => splitMark(mark).key));
  if (shape.some(([name]) => keys.has(keyOf(name)))) return true;
  const ofTags = shape.filter(([name]) => holdsTags(name));
  const isRead = ofTags.every(([name, type]) => name.toLowerCase() === 'tags' && type === 'list');
  return marks.tags.length > 0 && (!isRead || ofTags.length > 1);
}

/**
 * The marks that a file had before a change, and those that the change adds. `before` is absent for a
 * new file, `after` for a deleted one.
 */
export function changedMarks(
  before: MarkedText | undefined,
  after: MarkedText | undefined,
  marks: Marks,
): ChangedMarks {
  const had = before === undefined ? [] : marksIn(before.text, before.kind, marks);
  const has = after === undefined ? [] : marksIn(after.text, after.kind, marks);
  return {
    had,
    added: has.filter((mark) => !had.includes(mark)),
  };
}

/** The folded forms of a tag that is a mark: the tag itself, and how those nested under it begin. */
export function tagMark(mark: string): { readonly tag: string; readonly nested: string } {
  const tag = foldName(mark.replace(/^#/, ''));
  return { tag, nested: `${tag}/` };
}

function addTagMarks(found: Set<string>, written: string, { tags }: Marks): void {
  const folded = foldName(written.replace(/^#/, ''));
  for (const mark of tags) {
    const { tag, nested } = tagMark(mark);
    if (folded === tag || folded.startsWith(nested)) found.add(`#${mark.replace(/^#/, '')}`);
  }
}

/** The folded name and value of a mark `key=value`. */
function splitMark(mark: string): { readonly key: string; readonly value: string } {
  const at = mark.indexOf('=');
  const [key, value] = at === -1 ? [mark, ''] : [mark.slice(0, at), mark.slice(at + 1)];
  return { key: keyOf(key), value: foldName(value.trim()) };
}

/** The folded name of a property; white space around it, which YAML keeps in quotes, is left out. */
function keyOf(name: string): string {
  return foldName(name.trim());
}

/** Whether a value, or one in its list or map, is this text; `key=` is the mark of empty values. */
function isValue(held: PropertyValue, wanted: string): boolean {
  const scalars = scalarsOf(held);
  if (wanted === '' && scalars.length === 0) return true;
  return scalars.some(
    (scalar) =>
      foldName(String(scalar).trim()) === wanted ||
      (typeof scalar === 'number' && wanted !== '' && scalar === Number(wanted)),
  );
}

function holdsTags(key: string): boolean {
  return ['tags', 'tag'].includes(keyOf(key));
}
