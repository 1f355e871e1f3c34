import type { TextRange } from '../../base/text-range.ts';
import type { Property, PropertyValue } from '../facts/facts.ts';
import { Code } from '../text/characters.ts';
import type { PropertyBlock, PropertyString } from './property-strings.ts';
import { plainValue } from './yaml-plain.ts';

/**
 * Reads the forms that nearly every block of properties has: `name: value`, lists with one entry
 * per line, `[a, b]`, simple quotes, and empty values. Undefined when there is anything else, valid
 * or not. What it does return is exactly what `parseYamlBlock` returns, about ten times as fast.
 */
export function parseYamlFast(text: string, content: TextRange): PropertyBlock | undefined {
  const source = text.slice(content.start, content.end);
  if (unusualCharacter.test(source)) return undefined;
  const reader = new FastReader(text, content);
  if (!reader.read() || reader.properties.length === 0) return undefined;
  return { properties: reader.properties, strings: reader.strings };
}

/**
 * Tabs, control characters, lone carriage returns and byte order marks, which are rare and have
 * many rules.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unusualCharacter = /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)/;

/** A name without any character that has a meaning in YAML, up to its colon. */
const simpleKey =
  /[A-Za-z_\u00a0-\uffff](?:[^:#\n\r"'[\]{},&*!|>%@`?]*[^:#\n\r"'[\]{},&*!|>%@`? ])?:(?=[ \r\n]|$)/y;

/** Characters that begin something other than a plain scalar (`-` is handled in the code). */
const indicators = '?:,[]{}#&*!|>\'"%@`';
/** Characters that this reader does not accept in an entry of `[a, b]` without quotes. */
const notInFlowPlain = /[[\]{}"':#&*!|>%@`?]/;

class FastReader {
  readonly properties: Property[] = [];
  readonly strings: PropertyString[] = [];
  readonly #text: string;
  readonly #end: number;
  readonly #keys = new Set<string>();
  /** Start of the current line. */
  #line: number;
  /** End of the current line, without its line end and trailing spaces. */
  #contentEnd = 0;
  /** Start of the next line. */
  #next = 0;

  constructor(text: string, content: TextRange) {
    this.#text = text;
    this.#line = content.start;
    this.#end = content.end;
  }

  /** Reads the whole block; false as soon as there is something unusual. */
  read(): boolean {
    this.#findLineEnds();
    while (this.#line < this.#end) {
      const first = this.#text.charCodeAt(this.#line);
      if (this.#contentEnd === this.#line || first === Code.hash) this.#advance();
      else if (!this.#property()) return false;
    }
    return true;
  }

  /** Reads the property that begins on the current line, and goes to the line after it. */
  #property(): boolean {
    simpleKey.lastIndex = this.#line;
    const match = simpleKey.exec(this.#text);
    if (match === null) return false;
    const colon = this.#line + match[0].length - 1;
    // YAML allows at most 1,024 characters before the colon; the full parser counts exactly.
    if (colon >= this.#contentEnd || match[0].length > 1000) return false;
    const key = this.#text.slice(this.#line, colon);
    // The names `true` and `null` are not strings in YAML.
    if (plainValue(key) !== key || this.#keys.has(key)) return false;
    this.#keys.add(key);
    const keyRange = { start: this.#line, end: colon };
    const start = this.#skipSpaces(colon + 1);
    if (start >= this.#contentEnd) return this.#emptyOrList(key, keyRange);
    const lineEnd = this.#lineEnd();
    const found =
      this.#text.charCodeAt(start) === Code.openBracket
        ? this.#flow(start)
        : this.#scalar(start, '');
    if (found === undefined) return false;
    const range = { start: keyRange.start, end: lineEnd };
    this.properties.push({ key, value: found.value, range, keyRange, valueRange: found.range });
    this.#advance();
    return true;
  }

  /** Reads `name:` alone on its line: an empty value, or a list on the lines below. */
  #emptyOrList(key: string, keyRange: TextRange): boolean {
    const property = this.properties.length;
    const colonEnd = keyRange.end + 1;
    let range = { start: keyRange.start, end: this.#lineEnd() };
    let valueRange = { start: colonEnd, end: colonEnd };
    let items: PropertyValue[] | undefined;
    let indent = -1;
    for (this.#advance(); this.#line < this.#end; this.#advance()) {
      if (this.#contentEnd === this.#line) continue;
      const at = this.#skipSpaces(this.#line);
      if (this.#text.charCodeAt(at) !== Code.dash) break;
      if (at + 1 < this.#contentEnd && this.#text.charCodeAt(at + 1) !== Code.space) break;
      if (items === undefined) {
        items = [];
        indent = at - this.#line;
        valueRange = { start: at, end: at };
      } else if (at - this.#line !== indent) return false;
      const found = this.#item(at, items.length);
      if (found === undefined) return false;
      items.push(found.value);
      valueRange = { start: valueRange.start, end: found.range.end };
      range = { start: range.start, end: this.#lineEnd() };
    }
    const value = items ?? null;
    this.properties[property] = { key, value, range, keyRange, valueRange };
    return true;
  }

  /** Reads the entry of a list whose `-` is at `at`. */
  #item(at: number, index: number): Found | undefined {
    const start = this.#skipSpaces(at + 1);
    if (start >= this.#contentEnd) return { value: null, range: { start: at + 1, end: at + 1 } };
    return this.#scalar(start, `.${index}`);
  }

  /**
   * Reads a scalar that ends on its line, perhaps before a comment. For `path` see
   * `PropertyString`.
   */
  #scalar(start: number, path: string): Found | undefined {
    const code = this.#text.charCodeAt(start);
    if (code === Code.quote || code === Code.apostrophe) {
      const end = this.#quotedEnd(start);
      return end === this.#contentEnd ? this.#quoted(start, end, path) : undefined;
    }
    if (indicators.includes(this.#text.charAt(start))) return undefined;
    let end = this.#contentEnd;
    if (code === Code.dash) {
      const after = this.#text.charCodeAt(start + 1);
      if (start + 1 >= end || after === Code.space || after === Code.dash) return undefined;
    }
    for (let at = start; at < end; at++) {
      const next = this.#text.charCodeAt(at);
      if (next === Code.colon && (at + 1 >= end || this.#text.charCodeAt(at + 1) === Code.space)) {
        return undefined;
      }
      if (next === Code.hash && this.#text.charCodeAt(at - 1) === Code.space) {
        end = at - 1;
        while (this.#text.charCodeAt(end - 1) === Code.space) end--;
      }
    }
    return this.#plain(start, end, path);
  }

  /** Reads `[a, "b", 3]` on one line, whose entries have no brackets, colons or comments. */
  #flow(start: number): Found | undefined {
    const items: PropertyValue[] = [];
    let at = this.#skipSpaces(start + 1);
    if (this.#text.charCodeAt(at) === Code.closeBracket) return this.#flowEnd(start, at, items);
    while (at < this.#contentEnd) {
      const path = `.${items.length}`;
      const code = this.#text.charCodeAt(at);
      let end: number;
      let found: Found | undefined;
      if (code === Code.quote || code === Code.apostrophe) {
        end = this.#quotedEnd(at);
        found = end === -1 ? undefined : this.#quoted(at, end, path);
      } else {
        end = this.#plainFlowEnd(at);
        const isPlain = end > at && code !== Code.dash;
        if (isPlain && !notInFlowPlain.test(this.#text.slice(at, end))) {
          found = this.#plain(at, end, path);
        }
      }
      if (found === undefined) return undefined;
      items.push(found.value);
      at = this.#skipSpaces(end);
      if (this.#text.charCodeAt(at) === Code.closeBracket) return this.#flowEnd(start, at, items);
      if (this.#text.charCodeAt(at) !== Code.comma) return undefined;
      at = this.#skipSpaces(at + 1);
    }
    return undefined;
  }

  #flowEnd(start: number, at: number, value: PropertyValue): Found | undefined {
    return at + 1 === this.#contentEnd ? { value, range: { start, end: at + 1 } } : undefined;
  }

  #plainFlowEnd(start: number): number {
    let end = start;
    while (end < this.#contentEnd) {
      const code = this.#text.charCodeAt(end);
      if (code === Code.comma || code === Code.closeBracket) break;
      end++;
    }
    while (end > start && this.#text.charCodeAt(end - 1) === Code.space) end--;
    return end;
  }

  #plain(start: number, end: number, path: string): Found {
    const range = { start, end };
    const value = plainValue(this.#text.slice(start, end));
    if (typeof value === 'string') this.#report(value, path, range);
    return { value, range };
  }

  #quoted(start: number, end: number, path: string): Found {
    const range = { start, end };
    const value = this.#text.slice(start + 1, end - 1);
    this.#report(value, path, range);
    return { value, range };
  }

  /** The end of a quoted scalar that starts here, or -1 when it has escapes or no end. */
  #quotedEnd(start: number): number {
    const quote = this.#text.charAt(start);
    const close = this.#text.indexOf(quote, start + 1);
    if (close === -1 || close >= this.#contentEnd) return -1;
    if (quote === "'" && this.#text.charAt(close + 1) === "'") return -1;
    if (quote === '"' && this.#text.slice(start, close).includes('\\')) return -1;
    return close + 1;
  }

  /** Adds to the strings of the property that is being read. */
  #report(text: string, path: string, range: TextRange): void {
    const property = this.properties.length;
    this.strings.push({ property, path, text, range, aliased: false });
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.#contentEnd && this.#text.charCodeAt(at) === Code.space) at++;
    return at;
  }

  #advance(): void {
    this.#line = this.#next;
    this.#findLineEnds();
  }

  /** Sets `#next` and `#contentEnd` for the current line. */
  #findLineEnds(): void {
    const newline = this.#text.indexOf('\n', this.#line);
    this.#next = newline === -1 || newline >= this.#end ? this.#end : newline + 1;
    let end = this.#lineEnd();
    while (end > this.#line && this.#text.charCodeAt(end - 1) === Code.space) end--;
    this.#contentEnd = end;
  }

  /** The end of the current line before its line end, trailing spaces included. */
  #lineEnd(): number {
    let end = this.#next;
    if (this.#text.charCodeAt(end - 1) === Code.lineFeed) end--;
    if (end > this.#line && this.#text.charCodeAt(end - 1) === Code.carriageReturn) end--;
    return end;
  }
}

/** A value and where it is written. */
interface Found {
  readonly value: PropertyValue;
  readonly range: TextRange;
}
