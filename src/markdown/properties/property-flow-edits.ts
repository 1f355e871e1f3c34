import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { PropertyDocument, WrittenProperty } from './property-document.ts';
import { emitJson } from './property-emit.ts';
import { colonEnd, pairStart, startOf, valueRangeOf } from './yaml-nodes.ts';

// Edits for a block of properties that is written as JSON, `{…}`, which the app accepts too.

/** Returns edits that give a property inside braces another value. */
export function flowValueEdits(
  { source }: PropertyDocument,
  { pair }: WrittenProperty,
  value: PropertyValue,
): TextEdit[] {
  const range = valueRangeOf(pair, source);
  const colon = source.charAt(colonEnd(pair) - 1) === ':' ? '' : ':';
  const lead = range.start === range.end ? `${colon} ` : '';
  return [{ range, text: lead + emitJson(value) }];
}

/** Returns edits that add properties at the end of the braces, spaced like those before them. */
export function flowAddEdits(
  { source, map, properties }: PropertyDocument,
  entries: readonly (readonly [key: string, value: PropertyValue])[],
): TextEdit[] {
  const texts = entries.map(([key, value]) => `${JSON.stringify(key)}: ${emitJson(value)}`);
  const open = map === undefined ? 0 : startOf(map) + 1;
  const last = properties.at(-1);
  if (last === undefined) return [{ range: { start: open, end: open }, text: texts.join(', ') }];
  const previous = properties.at(-2);
  const from = previous === undefined ? open : valueRangeOf(previous.pair, source).end;
  const blanks = /\s*$/.exec(source.slice(from, pairStart(last.pair, source)))?.[0] ?? '';
  const end = valueRangeOf(last.pair, source).end;
  const lead = previous === undefined && blanks === '' ? ', ' : `,${blanks}`;
  return [{ range: { start: end, end }, text: texts.map((text) => lead + text).join('') }];
}

/** Returns edits that remove a property from the braces, with one of the commas beside it. */
export function flowRemoveEdits(
  { source, properties }: PropertyDocument,
  property: WrittenProperty,
): TextEdit[] {
  const index = properties.indexOf(property);
  const start = pairStart(property.pair, source);
  const end = valueRangeOf(property.pair, source).end;
  const previous = properties[index - 1];
  const next = properties[index + 1];
  if (previous !== undefined) {
    return [{ range: { start: valueRangeOf(previous.pair, source).end, end }, text: '' }];
  }
  return [{ range: { start, end: next ? pairStart(next.pair, source) : end }, text: '' }];
}
