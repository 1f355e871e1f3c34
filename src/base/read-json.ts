import { limits } from './limits.ts';

/** A JSON text that was read; or why it was not parsed; or where it is malformed, if that is known. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'excess'; readonly message: string }
  | { readonly kind: 'malformed'; readonly at: number | undefined };

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const brackets = { open: 0x5b, close: 0x5d };
const braces = { open: 0x7b, close: 0x7d };

/**
 * Why a JSON text must not be parsed, as a sentence: it nests too deep, or has too many values. Both
 * would hold up all other clients, however short the text is. Looks at each byte once, and stops at the
 * first excess. Whether the text is valid JSON does not matter here.
 */
export function jsonExcess(
  bytes: Uint8Array,
  { valuesMax = limits.jsonValuesMax }: { readonly valuesMax?: number } = {},
): string | undefined {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) {
      isInString = true;
    } else if (byte === brackets.open || byte === braces.open) {
      depth++;
      values++;
      if (depth > limits.jsonDepthMax) {
        return `The JSON nests deeper than ${limits.jsonDepthMax} levels.`;
      }
    } else if (byte === brackets.close || byte === braces.close) {
      depth--;
    } else if (byte === comma) {
      values++;
    }
    if (values > valuesMax) return `The JSON has more than ${valuesMax} values; send less at once.`;
  }
  return undefined;
}

/**
 * Reads a JSON text in UTF-8. Text that is not UTF-8 is malformed: its replacement characters would
 * end up in notes.
 */
export function readJson(bytes: Uint8Array): ReadJson {
  const message = jsonExcess(bytes);
  if (message !== undefined) {
    return isClosed(bytes) ? { kind: 'excess', message } : { kind: 'malformed', at: undefined };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    // The rest of the parser's message is not used: it may quote the text.
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return { kind: 'malformed', at: position === undefined ? undefined : Number(position) };
  }
}

/** Whether a text ends as every list and object does. Otherwise it is not JSON, whatever is in it. */
function isClosed(bytes: Uint8Array): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && (bytes[last] ?? 0) <= space) last--;
  return bytes[last] === brackets.close || bytes[last] === braces.close;
}
