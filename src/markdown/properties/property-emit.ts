import { Document, type Scalar, visit } from 'yaml';
import type { PropertyValue } from '../facts/facts.ts';

/** The quotes of the scalar that a new one replaces; the new one keeps them where possible. */
export type QuoteStyle = 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | 'PLAIN';

/** Options with which the YAML library writes what the app writes. */
const appStyle = { lineWidth: 0, nullStr: '' } as const;

/**
 * Writes a value as the app writes it after `name:`, without the last line end. The result starts
 * with a space, or with a line end where the value is a block; it is empty for null.
 */
export function emitValue(value: PropertyValue, quotes: QuoteStyle = 'PLAIN'): string {
  return emit(new Map([['k', value]]), quotes).slice('k:'.length);
}

/** Writes a whole property as the app writes it, without the last line end. */
export function emitProperty(key: string, value: PropertyValue): string {
  return emit(new Map([[key, value]]), 'PLAIN');
}

/** Writes an entry of a list with one entry per line, as the app writes it after `- `. */
export function emitItem(value: PropertyValue, quotes: QuoteStyle = 'PLAIN'): string {
  return emit([value], quotes).slice('- '.length);
}

/** Writes an entry of a list in brackets. */
export function emitFlowItem(value: PropertyValue, quotes: QuoteStyle = 'PLAIN'): string {
  const document = new Document([value], { aliasDuplicateObjects: false });
  settleStyles(document, quotes);
  const text = document.toString({
    lineWidth: 0,
    nullStr: 'null',
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  });
  return text.trimEnd().slice(1, -1);
}

/**
 * Writes a value as JSON, for blocks that are written as JSON, with YAML's words where JSON has
 * none.
 */
export function emitJson(value: PropertyValue): string {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return '.nan';
    if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
    return Object.is(value, -0) ? '-0' : JSON.stringify(value);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(emitJson).join(', ')}]`;
  const entries = Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${emitJson(v)}`);
  return `{${entries.join(', ')}}`;
}

function emit(value: unknown, quotes: QuoteStyle): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  settleStyles(document, quotes);
  return document.toString(appStyle).replace(/\n$/, '');
}

/**
 * Gives strings of one line the quotes that they replace, and double quotes to strings that a block
 * cannot hold. Names keep the quotes that the library gives them.
 */
function settleStyles(document: Document, quotes: QuoteStyle): void {
  visit(document, {
    Scalar(place, node: Scalar) {
      if (typeof node.value !== 'string') return;
      const isMultiline = node.value.includes('\n');
      if (unsafeInBlock.test(node.value)) node.type = 'QUOTE_DOUBLE';
      else if (place === 'key' || isMultiline) return;
      else if (quotes === 'QUOTE_DOUBLE') node.type = quotes;
      else if (quotes === 'QUOTE_SINGLE' && !unsafeInSingle.test(node.value)) {
        node.type = quotes;
      }
    },
  });
}

/**
 * Line ends that a block scalar would lose or gain, and characters that a reader could take for a
 * line end.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafeInBlock = /\r|\n\n$|^\s*\n|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
const unsafeInSingle = /\t/;
