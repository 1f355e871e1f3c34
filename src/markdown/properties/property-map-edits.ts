import { isScalar, type Pair, type YAMLMap } from 'yaml';
import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { PropertyDocument, WrittenProperty } from './property-document.ts';
import { emitProperty } from './property-emit.ts';
import { propertyEqual } from './property-equal.ts';
import { indented, indentOf, lineStart, nextLine } from './property-lines.ts';
import { pairStart, valueRangeOf } from './yaml-nodes.ts';

/**
 * A map, its entries, the entries that it must get, and a function that changes the value of one
 * entry.
 */
interface MapChange {
  readonly map: YAMLMap;
  readonly before: Readonly<Record<string, PropertyValue>>;
  readonly after: Readonly<Record<string, PropertyValue>>;
  readonly change: (entry: WrittenProperty, value: PropertyValue) => TextEdit[];
}

/**
 * Returns edits for a map with one entry per line: entries that stay and comments are not changed,
 * and new entries come last. Undefined where a name is not plain text, or no entry stays.
 */
export function blockMapEdits(
  { source, eol }: PropertyDocument,
  { map, before, after, change }: MapChange,
): TextEdit[] | undefined {
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    if (!isScalar(pair.key)) return undefined;
    pairs.set(String(pair.key.value), pair);
  }
  const last = map.items.at(-1);
  const stays = [...pairs.keys()].some((key) => Object.hasOwn(after, key));
  if (last === undefined || !stays) return undefined;
  const edits: TextEdit[] = [];
  for (const [key, pair] of pairs) {
    const was = before[key] ?? null;
    const value = Object.hasOwn(after, key) ? after[key] : undefined;
    if (value === undefined) {
      const start = lineStart(source, pairStart(pair, source));
      const end = nextLine(source, valueRangeOf(pair, source).end);
      edits.push({ range: { start, end }, text: '' });
    } else if (!propertyEqual(was, value)) {
      edits.push(...change({ key, pair, value: was }, value));
    }
  }
  const at = nextLine(source, valueRangeOf(last, source).end);
  const indent = indentOf(source, last);
  for (const [key, value] of Object.entries(after)) {
    if (pairs.has(key)) continue;
    const text = indent + indented(emitProperty(key, value), indent, eol) + eol;
    edits.push({ range: { start: at, end: at }, text });
  }
  return edits;
}
