import { type CST, isMap, isScalar, isSeq, type Pair } from 'yaml';
import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { PropertyDocument, WrittenProperty } from './property-document.ts';
import { emitProperty, emitValue, type QuoteStyle } from './property-emit.ts';
import { isList, isMapValue } from './property-equal.ts';
import { indented, indentOf, lineEnd, lineStart } from './property-lines.ts';
import { blockListEdits, flowListEdits } from './property-list-edits.ts';
import { blockMapEdits } from './property-map-edits.ts';
import { colonEnd, pairStart, startOf, valueRangeOf } from './yaml-nodes.ts';

/**
 * Returns edits, relative to the block's content, that give a property on lines of its own another
 * value and keep what can be kept: its name as written, quotes, comments, and the style of a list.
 */
export function valueEdits(
  document: PropertyDocument,
  property: WrittenProperty,
  value: PropertyValue,
): TextEdit[] {
  const { source, eol } = document;
  const { pair, value: before } = property;
  if (
    isSeq(pair.value) &&
    isList(before) &&
    isList(value) &&
    before.length > 0 &&
    value.length > 0
  ) {
    const change = { source, eol, list: pair.value, before, after: value };
    const edits = pair.value.flow ? flowListEdits(change) : blockListEdits(change);
    if (edits !== undefined) return edits;
  }
  if (isMap(pair.value) && !pair.value.flow && isMapValue(before) && isMapValue(value)) {
    const change = (entry: WrittenProperty, value: PropertyValue) =>
      valueEdits(document, entry, value);
    const edits = blockMapEdits(document, { map: pair.value, before, after: value, change });
    if (edits !== undefined) return edits;
  }
  return replaceValue(document, property, value);
}

/**
 * Returns edits that write a property anew in place of its lines, which loses only the comments on
 * them. For the rare values that `valueEdits` cannot handle.
 */
export function rewriteEdits(
  { source, eol }: PropertyDocument,
  { key, pair }: WrittenProperty,
  value: PropertyValue,
): TextEdit[] {
  const start = pairStart(pair, source);
  const end = lineEnd(source, valueRangeOf(pair, source).end);
  const indent = indentOf(source, pair);
  return [{ range: { start, end }, text: indented(emitProperty(key, value), indent, eol) }];
}

/**
 * Returns edits that replace a value as a whole, but keep its name, the comment on its line and those
 * on lines between the two.
 */
function replaceValue(
  { source, eol }: PropertyDocument,
  { pair }: WrittenProperty,
  value: PropertyValue,
): TextEdit[] {
  const text = indented(emitValue(value, quotesOf(pair)), indentOf(source, pair), eol);
  const split = text.indexOf(eol) === -1 ? text.length : text.indexOf(eol);
  // The text after the colon, before any comment on that line, and the lines below it.
  const head = text.slice(0, split);
  const rest = text.slice(split);
  const colon = colonEnd(pair);
  const keyLineEnd = lineEnd(source, colon);
  const range = valueRangeOf(pair, source);
  const start = Math.min(range.start, anchorStart(pair) ?? range.start);
  if (range.start > keyLineEnd) {
    // The old value is below its name.
    const above = source.slice(keyLineEnd, lineStart(source, range.start));
    const end = above.includes('#') ? keyLineEnd + above.trimEnd().length : keyLineEnd;
    return [
      { range: { start: colon, end: colon }, text: head },
      { range: { start: end, end: range.end }, text: rest },
    ];
  }
  const headEnd = headerEnd(pair, source) ?? range.end;
  const restStart = lineEnd(source, headEnd);
  const restEnd = Math.max(restStart, range.end);
  const isSpaced = head.startsWith(' ') && start > colon;
  const first = isSpaced
    ? { range: { start, end: headEnd }, text: head.slice(1) }
    : { range: { start: colon, end: headEnd }, text: head };
  if (rest === '' && restEnd === restStart) return [first];
  return [first, { range: { start: restStart, end: restEnd }, text: rest }];
}

/** Where the sign that opens a block of text (`|` or `>`) ends, if a comment follows it. */
function headerEnd({ value }: Pair, source: string): number | undefined {
  if (!isScalar(value) || !value.type?.startsWith('BLOCK')) return undefined;
  const start = startOf(value);
  const comment = source.slice(start, lineEnd(source, start)).indexOf('#');
  return comment === -1 ? undefined : source.slice(0, start + comment).trimEnd().length;
}

/** The quotes of the old value, which a string in its place keeps. */
function quotesOf({ value }: Pair): QuoteStyle {
  if (!isScalar(value)) return 'PLAIN';
  return value.type === 'QUOTE_DOUBLE' || value.type === 'QUOTE_SINGLE' ? value.type : 'PLAIN';
}

/**
 * Where an anchor or a tag before the value begins; it belongs to the old value and goes with it.
 */
function anchorStart(pair: Pair): number | undefined {
  const sep = (pair.srcToken as CST.CollectionItem | undefined)?.sep;
  return sep?.find(({ type }) => type === 'anchor' || type === 'tag')?.offset;
}
