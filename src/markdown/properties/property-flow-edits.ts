import type { CST, Pair, YAMLMap } from 'yaml';
import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { PropertyDocument, WrittenProperty } from './property-document.ts';
import { emitJson } from './property-emit.ts';
import { colonEnd, pairStart, startOf, valueRangeOf } from './yaml-nodes.ts';

// Edits for a block of properties that is written in braces, `{…}`, as JSON is. YAML calls this flow
// style; the app accepts it too.

/** Returns edits that give a property another value, written as JSON where the old one was. */
export function flowValueEdits(
  { source }: PropertyDocument,
  { pair }: WrittenProperty,
  value: PropertyValue,
): TextEdit[] {
  const range = valueRangeOf(pair, source);
  // A property without a value may lack the colon too.
  const colon = source.charAt(colonEnd(pair) - 1) === ':' ? '' : ':';
  const lead = range.start === range.end ? `${colon} ` : '';
  return [{ range, text: lead + emitJson(value) }];
}

/** Returns edits that add properties at the end of the braces, spaced like those before them. */
export function flowAddEdits(
  { source, properties }: PropertyDocument,
  map: YAMLMap,
  entries: readonly (readonly [key: string, value: PropertyValue])[],
): TextEdit[] {
  const texts = entries.map(([key, value]) => `${JSON.stringify(key)}: ${emitJson(value)}`);
  const open = startOf(map) + 1;
  const last = properties.at(-1);
  if (last === undefined) return [{ range: { start: open, end: open }, text: texts.join(', ') }];
  // The white space before the last property is used before each new one; a sole property without any
  // gets one space.
  const previous = properties.at(-2);
  const from = previous === undefined ? open : valueRangeOf(previous.pair, source).end;
  const between = source.slice(from, pairStart(last.pair, source));
  const blanks = between.slice(between.trimEnd().length);
  const end = valueRangeOf(last.pair, source).end;
  const lead = previous === undefined && blanks === '' ? ', ' : `,${blanks}`;
  return [{ range: { start: end, end }, text: texts.map((text) => lead + text).join('') }];
}

/**
 * Returns edits that remove a property from the braces, with one of the commas beside it. Comments
 * before and after it stay.
 */
export function flowRemoveEdits(
  { source, properties }: PropertyDocument,
  map: YAMLMap,
  property: WrittenProperty,
): TextEdit[] {
  const index = properties.indexOf(property);
  const start = pairStart(property.pair, source);
  const end = valueRangeOf(property.pair, source).end;
  const previous = properties[index - 1];
  const next = properties[index + 1];
  // If only blanks and one comma are between the property and its neighbour, all of it goes.
  const from = previous === undefined ? start : valueRangeOf(previous.pair, source).end;
  const to = previous === undefined && next !== undefined ? pairStart(next.pair, source) : end;
  const beside = source.slice(from, start) + source.slice(end, to);
  if (/^\s*,\s*$/.test(beside)) return [{ range: { start: from, end: to }, text: '' }];
  const pair = { range: { start, end }, text: '' };
  const comma = commaAfter(map, property.pair);
  return comma === undefined
    ? [pair]
    : [pair, { range: { start: comma, end: comma + 1 }, text: '' }];
}

/** Where the comma after a pair of the braces is; undefined when there is none. */
function commaAfter(map: YAMLMap, pair: Pair): number | undefined {
  const items = (map.srcToken as CST.FlowCollection | undefined)?.items ?? [];
  const after = items[items.indexOf(pair.srcToken as CST.CollectionItem) + 1];
  return after?.start.find(({ type }) => type === 'comma')?.offset;
}
