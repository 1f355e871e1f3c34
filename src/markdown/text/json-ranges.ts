import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';

/** A JSON value with its place in the text. The range of a string includes its quotes. */
export type JsonNode =
  | { readonly type: 'object'; readonly range: TextRange; readonly entries: readonly JsonEntry[] }
  | { readonly type: 'array'; readonly range: TextRange; readonly items: readonly JsonNode[] }
  | { readonly type: 'string'; readonly range: TextRange; readonly value: string }
  | { readonly type: 'other'; readonly range: TextRange; readonly value: number | boolean | null };

export interface JsonEntry {
  readonly key: string;
  readonly keyRange: TextRange;
  readonly value: JsonNode;
}

/** The value that was read, or the offset at which reading failed. */
type JsonResult = { readonly root: JsonNode } | { readonly failedAt: number };

/**
 * Parses JSON and keeps the place of every value. Accepts what `JSON.parse` accepts, with or
 * without a byte order mark, but no nesting deeper than `limits.nestingMax`. Never throws.
 */
export function parseJsonRanges(text: string): JsonResult {
  const reader = new JsonReader(text);
  const root = reader.value(0);
  reader.blanks();
  return root !== undefined && reader.at === text.length ? { root } : { failedAt: reader.at };
}

/** The value of a key; of several with that key the last, as in `JSON.parse`. */
export function jsonEntry(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined;
  return node.entries.findLast((entry) => entry.key === key)?.value;
}

/**
 * Returns the offset at which each character of a string's value is written: `offsets[i]` is that
 * of `value[i]`, and a last entry is the end.
 */
export function jsonStringOffsets(text: string, range: TextRange): readonly number[] {
  const offsets: number[] = [];
  let at = range.start + 1;
  for (; at < range.end - 1; at += unitLength(text, at)) offsets.push(at);
  offsets.push(at);
  return offsets;
}

/** A text as it is written inside the quotes of a JSON string. */
export function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** How many characters of the text stand for one character of the value: more for an escape. */
function unitLength(text: string, at: number): number {
  if (text.charAt(at) !== '\\') return 1;
  return text.charAt(at + 1) === 'u' ? 6 : 2;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const blank = /[ \t\r\n]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const words: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class JsonReader {
  readonly #text: string;
  /** How far the text has been read. */
  at: number;

  constructor(text: string) {
    this.#text = text;
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  /** Reads one value; undefined when there is none, and then `at` is where reading failed. */
  value(depth: number): JsonNode | undefined {
    if (depth > limits.nestingMax) return undefined;
    this.blanks();
    const start = this.at;
    switch (this.#text.charAt(start)) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default: {
        for (const [word, value] of words) {
          if (this.#take(word)) return { type: 'other', value, range: { start, end: this.at } };
        }
        const digits = this.#match(number);
        if (digits === undefined) return undefined;
        return { type: 'other', value: Number(digits), range: { start, end: this.at } };
      }
    }
  }

  /** Skips white space. */
  blanks(): void {
    this.#match(blank);
  }

  #object(depth: number): JsonNode | undefined {
    const start = this.at++;
    const entries: JsonEntry[] = [];
    this.blanks();
    if (this.#take('}')) return { type: 'object', entries, range: { start, end: this.at } };
    while (true) {
      this.blanks();
      const key = this.#string();
      if (key === undefined) return undefined;
      this.blanks();
      if (!this.#take(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.push({ key: key.value, keyRange: key.range, value });
      this.blanks();
      if (this.#take('}')) return { type: 'object', entries, range: { start, end: this.at } };
      if (!this.#take(',')) return undefined;
    }
  }

  #array(depth: number): JsonNode | undefined {
    const start = this.at++;
    const items: JsonNode[] = [];
    this.blanks();
    if (this.#take(']')) return { type: 'array', items, range: { start, end: this.at } };
    while (true) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      this.blanks();
      if (this.#take(']')) return { type: 'array', items, range: { start, end: this.at } };
      if (!this.#take(',')) return undefined;
    }
  }

  #string(): (JsonNode & { type: 'string' }) | undefined {
    const start = this.at;
    const end = this.#stringEnd();
    if (end === undefined) return undefined;
    this.at = end;
    const raw = this.#text.slice(start, end);
    const value = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    return { type: 'string', value, range: { start, end } };
  }

  /**
   * The end of a valid string that starts here; undefined when there is none. Not a regular
   * expression, which would recurse on long strings.
   */
  #stringEnd(): number | undefined {
    if (this.#text.charAt(this.at) !== '"') return undefined;
    for (let at = this.at + 1; at < this.#text.length; ) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) return at + 1;
      if (code < 0x20) return undefined;
      if (code !== 0x5c) at++;
      else {
        escaped.lastIndex = at;
        if (!escaped.test(this.#text)) return undefined;
        at = escaped.lastIndex;
      }
    }
    return undefined;
  }

  /** Skips a word; false when something else is here. */
  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.at += match.length;
    return match;
  }
}
