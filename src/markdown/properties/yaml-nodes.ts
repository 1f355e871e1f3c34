import {
  type CST,
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { TextRange } from '../../base/text-range.ts';

// Where the nodes of the `yaml` library are written. All offsets count from the start of the YAML.
// A `srcToken` is what the library's lexer saw; only it knows the places of `-`, `:` and `?`.

/** Whether nothing is written for a node, as in `key:` or a lone `-`. */
export function isEmptyNode(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && startOf(node) === (node.range?.[1] ?? 0));
}

/** Where a node begins, without its anchor and tag. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Where the value under these keys begins; undefined where nothing is written for it. */
export function valueStart(document: Document, keys: readonly string[]): number | undefined {
  const node = keys.length === 0 ? document.contents : document.getIn(keys, true);
  return isNode(node) && !isEmptyNode(node) ? startOf(node) : undefined;
}

/**
 * Where the text of a node ends. The library counts comments and line ends after a block collection
 * or a block scalar as part of it; we do not.
 */
export function endOf(node: Node, source: string): number {
  if (isCollection(node) && !node.flow) {
    if (isMap(node)) {
      const pair = node.items.at(-1);
      if (pair !== undefined) return pairEnd(pair, source);
    }
    if (isSeq(node) && node.items.length > 0) {
      return itemRange(node, node.items.length - 1, source).end;
    }
  }
  let end = node.range?.[1] ?? 0;
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
    while (source[end - 1] === '\n' || source[end - 1] === '\r') end--;
  }
  return end;
}

/** The range of an entry of a list; where nothing is written, the empty range after its `-`. */
export function itemRange(list: YAMLSeq, index: number, source: string): TextRange {
  const item = list.items[index];
  if (isPair(item)) {
    const start = isNode(item.key) ? startOf(item.key) : colonEnd(item) - 1;
    return { start, end: pairEnd(item, source) };
  }
  if (isNode(item) && !isEmptyNode(item)) return { start: startOf(item), end: endOf(item, source) };
  const end = dashOf(list, index) + 1;
  return { start: end, end };
}

/**
 * The place of the `-` of an entry of a block list; in a list in brackets, the place before the
 * entry.
 */
export function dashOf(list: YAMLSeq, index: number): number {
  const token = list.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
  const dash = token?.items[index]?.start.find(({ type }) => type === 'seq-item-ind');
  if (dash !== undefined) return dash.offset;
  const item = list.items[index];
  return isNode(item) ? startOf(item) - 1 : 0;
}

/** The range of a property's value; where nothing is written, the empty range after its colon. */
export function valueRangeOf(pair: Pair, source: string): TextRange {
  const { value } = pair;
  if (isNode(value) && !isEmptyNode(value)) {
    return { start: startOf(value), end: endOf(value, source) };
  }
  const end = colonEnd(pair);
  return { start: end, end };
}

/** Where a property's name is written. */
export function keyRangeOf(pair: Pair, source: string): TextRange {
  const { key } = pair;
  if (isNode(key) && !isEmptyNode(key)) return { start: startOf(key), end: endOf(key, source) };
  const at = Math.max(0, colonEnd(pair) - 1);
  return { start: at, end: at };
}

/** The offset after the `:` of a pair; after its key where there is no colon (`? key`). */
export function colonEnd(pair: Pair): number {
  const colon = (pair.srcToken as CST.CollectionItem | undefined)?.sep?.find(
    ({ type }) => type === 'map-value-ind',
  );
  if (colon !== undefined) return colon.offset + 1;
  return isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
}

/** Where the first character of a pair stands: its key, or the `?` before it. */
export function pairStart(pair: Pair, source: string): number {
  const explicit = (pair.srcToken as CST.CollectionItem | undefined)?.start.find(
    ({ type }) => type === 'explicit-key-ind',
  );
  return explicit?.offset ?? keyRangeOf(pair, source).start;
}

/** Whether the properties are written as `{…}`: JSON, or YAML that looks like it. */
export function isFlow(map: YAMLMap): boolean {
  return map.flow === true;
}

function pairEnd(pair: Pair, source: string): number {
  return valueRangeOf(pair, source).end;
}
