import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { applyEdits } from '../text/text-edit.ts';
import { findFrontmatter } from './frontmatter-block.ts';
import type { PropertyDocument, WrittenProperty } from './property-document.ts';
import { findProperty, openProperties } from './property-document.ts';
import { emitProperty } from './property-emit.ts';
import { propertyEqual } from './property-equal.ts';
import { flowAddEdits, flowRemoveEdits, flowValueEdits } from './property-flow-edits.ts';
import { indented, indentOf, lineEnd, lineStart, nextLine } from './property-lines.ts';
import { rewriteEdits, valueEdits } from './property-value-edits.ts';
import { setSimply } from './set-simply.ts';
import { isFlow, pairStart, valueRangeOf } from './yaml-nodes.ts';

// Edits are made relative to the content of the block; `firstThatHolds` moves them to the note. A
// block or value is "flow" when it is written in braces or brackets, as in JSON.

type Entry = readonly [key: string, value: PropertyValue];

/**
 * Returns edits that set a property of a note; none when it already has that value. The name is
 * compared in any case, and stays as written. Only lines of that property change. Fails with
 * `invalid_input` when the block is not valid YAML, or the property cannot be changed without
 * affecting others.
 */
export function setProperty(text: string, key: string, value: PropertyValue): TextEdit[] {
  checkPropertyName(key);
  return setSimply(text, key, value) ?? setAny(text, key, value);
}

/** Does what `setProperty` does, for all YAML and all values. */
function setAny(text: string, key: string, value: PropertyValue): TextEdit[] {
  const document = openProperties(text);
  const property = document && findProperty(document, key);
  if (document === undefined || property === undefined)
    return addTo(text, document, [[key, value]]);
  if (propertyEqual(property.value, value)) return [];
  const expected = document.properties.map((other) =>
    other === property ? ([other.key, value] as const) : entryOf(other),
  );
  const asJson = () => flowValueEdits(document, property, value);
  const ways =
    document.map !== undefined && isFlow(document.map)
      ? [asJson]
      : [
          () => valueEdits(document, property, value),
          // JSON fits where the old value was; lines that are written anew lose their comments.
          ...(mayHaveComment(document, property) ? [asJson] : []),
          () => rewriteEdits(document, property, value),
          asJson,
        ];
  return firstThatHolds(text, expected, ways, document);
}

function mayHaveComment({ source }: PropertyDocument, { pair }: WrittenProperty): boolean {
  const end = lineEnd(source, valueRangeOf(pair, source).end);
  return source.slice(pairStart(pair, source), end).includes('#');
}

/**
 * Returns edits that add properties that the note does not have yet, in their order. Fails as
 * `setProperty` does.
 */
function addProperties(text: string, entries: readonly Entry[]): TextEdit[] {
  for (const [key] of entries) checkPropertyName(key);
  return addTo(text, openProperties(text), entries);
}

/** Returns edits that add properties to a block, or a block with them where there is none. */
function addTo(
  text: string,
  document: PropertyDocument | undefined,
  entries: readonly Entry[],
): TextEdit[] {
  if (document === undefined) {
    return firstThatHolds(text, entries, [() => [newBlock(text, entries)]]);
  }
  const expected = [...document.properties.map(entryOf), ...entries];
  return firstThatHolds(text, expected, [() => addEdits(document, entries)], document);
}

/**
 * Returns edits that remove a property and its lines from a note; none when it has no such
 * property. With the last property the whole block is removed, unless a comment is left in it.
 * Fails as `setProperty` does.
 */
export function removeProperty(text: string, key: string): TextEdit[] {
  const document = openProperties(text);
  return document === undefined
    ? []
    : removeFrom(text, document, propertiesCalled(document, [key]));
}

/**
 * Removes several properties, as `removeProperty` would one after the other, and returns the new
 * text. Lines of properties are removed all at once, so that many cost no more than one. Fails as
 * `removeProperty` does, and with `too_large` when a large block is written in braces.
 */
export function removeProperties(text: string, keys: readonly string[]): string {
  const document = keys.length === 0 ? undefined : openProperties(text);
  if (document === undefined) return text;
  const gone = propertiesCalled(document, keys);
  if (document.map === undefined || !isFlow(document.map)) {
    return applyEdits(text, removeFrom(text, document, gone));
  }
  // In braces, which comma goes with a property depends on what is left beside it.
  checkWork(gone.size, document);
  return Array.from(gone).reduce(
    (before, { key }) => applyEdits(before, removeProperty(before, key)),
    text,
  );
}

/** The properties that names mean: with exactly that spelling, or else the first in any case. */
function propertiesCalled(
  { properties }: PropertyDocument,
  keys: readonly string[],
): ReadonlySet<WrittenProperty> {
  const byName = new Map<string, WrittenProperty[]>();
  for (const property of properties) {
    const folded = property.key.toLowerCase();
    const others = byName.get(folded);
    if (others === undefined) byName.set(folded, [property]);
    else others.push(property);
  }
  const called = new Set<WrittenProperty>();
  for (const key of keys) {
    const left = (byName.get(key.toLowerCase()) ?? []).filter((each) => !called.has(each));
    const found = left.find((each) => each.key === key) ?? left[0];
    if (found !== undefined) called.add(found);
  }
  return called;
}

function removeFrom(
  text: string,
  document: PropertyDocument,
  gone: ReadonlySet<WrittenProperty>,
): TextEdit[] {
  if (gone.size === 0) return [];
  const expected = document.properties.filter((each) => !gone.has(each)).map(entryOf);
  const edits = () => Array.from(gone).flatMap((property) => removeEdits(document, property));
  const ways = [edits];
  if (expected.length === 0) ways.unshift(() => removeBlockEdits(text, document, edits()));
  return firstThatHolds(text, expected, ways, document);
}

function entryOf({ key, value }: WrittenProperty): Entry {
  return [key, value];
}

/** Fails with `invalid_input` or `too_large` for a text that cannot be the name of a property. */
export function checkPropertyName(key: string): void {
  if (key.trim() === '' || /[\r\n]/.test(key)) {
    throw new VaultError('invalid_input', 'A property name must be one line of text.');
  }
  if (key.length > limits.propertyNameCharsMax) {
    throw new VaultError(
      'too_large',
      `A property name has at most ${limits.propertyNameCharsMax} characters.`,
    );
  }
}

/** The edit that gives a note without properties a block of them. */
function newBlock(text: string, entries: readonly Entry[]): TextEdit {
  const at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const newline = text.indexOf('\n');
  const eol = newline > 0 && text.charAt(newline - 1) === '\r' ? '\r\n' : '\n';
  const lines = entries.map(([key, value]) => `${emitProperty(key, value)}\n`).join('');
  const block = `---\n${lines}---\n`;
  return { range: { start: at, end: at }, text: block.replaceAll('\n', eol) };
}

function addEdits(document: PropertyDocument, entries: readonly Entry[]): TextEdit[] {
  const { source, eol, map, properties } = document;
  if (map !== undefined && isFlow(map)) return flowAddEdits(document, map, entries);
  const first = properties[0];
  const indent = first === undefined ? '' : indentOf(source, first.pair);
  const text = entries
    .map(([key, value]) => indent + indented(emitProperty(key, value), indent, eol) + eol)
    .join('');
  return [{ range: { start: source.length, end: source.length }, text }];
}

function removeEdits(document: PropertyDocument, property: WrittenProperty): TextEdit[] {
  const { source, map } = document;
  if (map !== undefined && isFlow(map)) return flowRemoveEdits(document, map, property);
  const start = lineStart(source, pairStart(property.pair, source));
  const end = nextLine(source, valueRangeOf(property.pair, source).end);
  return [{ range: { start, end }, text: '' }];
}

/**
 * Returns edits that remove the block, or the given ones that remove only its properties, where a
 * comment would be lost with the block.
 */
function removeBlockEdits(text: string, document: PropertyDocument, edits: TextEdit[]): TextEdit[] {
  const { block, source, map } = document;
  const left = applyEdits(source, edits).trim();
  // What is left of lines is a comment, what is left of `{…}` are the braces and comments.
  if (map !== undefined && isFlow(map) ? left.includes('#') : left !== '') return edits;
  // A body that itself begins like a block of properties would become one.
  if (findFrontmatter(text.slice(block.bodyStart)) !== undefined) return edits;
  const start = block.range.start - block.content.start;
  return [{ range: { start, end: block.bodyStart - block.content.start }, text: '' }];
}

/**
 * Returns the first of several edits after which the note has exactly the expected properties. YAML
 * has corner cases in which a text that looks right changes a neighbouring value, so every edit is
 * checked by reading the edited note. Fails with `invalid_input` when none passes.
 */
function firstThatHolds(
  text: string,
  expected: readonly Entry[],
  ways: readonly (() => TextEdit[])[],
  document?: PropertyDocument,
): TextEdit[] {
  const shift = document?.block.content.start ?? 0;
  for (const way of ways) {
    const edits = way().map(({ range, text }) => ({
      range: { start: range.start + shift, end: range.end + shift },
      text,
    }));
    if (hasExactly(applyEdits(text, edits), expected)) return edits;
  }
  throw new VaultError(
    'invalid_input',
    'This property cannot be changed without touching others. Edit the lines between the "---" yourself; nothing was changed.',
  );
}

function hasExactly(text: string, expected: readonly Entry[]): boolean {
  try {
    const properties = openProperties(text)?.properties ?? [];
    return (
      properties.length === expected.length &&
      properties.every(({ key, value }, index) => {
        const [name, wanted] = expected[index] ?? [undefined, null];
        return key === name && propertyEqual(value, wanted);
      })
    );
  } catch {
    return false;
  }
}

/**
 * Sets several properties, as `setProperty` would one after the other, and returns the new text.
 * Properties that the text does not have yet are added all at once, so that many cost no more than
 * their length. Fails as `setProperty` does, and with `too_large` when it would take seconds to
 * change all these properties of a large block.
 */
export function setProperties(text: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return text; // Also when its own block is not valid YAML.
  const wanted = lastOfEach(entries);
  const document = openProperties(text);
  const known = new Set(document?.properties.map(({ key }) => key.toLowerCase()));
  const isNew = ([key]: Entry): boolean => !known.has(key.toLowerCase());
  const changed = wanted.filter((entry) => !isNew(entry));
  checkWork(changed.length, document);
  const edited = changed.reduce(
    (before, [key, value]) => applyEdits(before, setProperty(before, key, value)),
    text,
  );
  const added = wanted.filter(isNew);
  return added.length === 0 ? edited : applyEdits(edited, addProperties(edited, added));
}

/** Fails with `too_large` when it would take seconds to change so many properties one by one. */
function checkWork(count: number, document: PropertyDocument | undefined): void {
  if (count * (document?.source.length ?? 0) <= limits.propertyWorkMax) return;
  throw new VaultError(
    'too_large',
    `${count} properties of so large a block cannot be set at once; set fewer.`,
  );
}

/**
 * Treats names that differ only in case as one property, with the first spelling and the last
 * value.
 */
function lastOfEach(entries: readonly Entry[]): readonly Entry[] {
  const byName = new Map<string, Entry>();
  for (const [key, value] of entries) {
    const folded = key.toLowerCase();
    byName.set(folded, [byName.get(folded)?.[0] ?? key, value]);
  }
  return Array.from(byName.values());
}
