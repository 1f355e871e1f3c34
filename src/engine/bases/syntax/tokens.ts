import type { TextRange } from '../../../base/text-range.ts';
import { ExpressionError } from './expression-error.ts';
import { Pattern } from './pattern.ts';

export type Token = TextRange &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'pattern'; readonly pattern: Pattern }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'sign'; readonly sign: string }
    | { readonly kind: 'end' }
  );

/** Letters and digits of all scripts, `_`, `$`, and emoji with what joins their parts. */
const namePattern =
  /(?:[\p{L}\p{M}_$\p{Extended_Pictographic}\p{RI}\p{EMod}]|\u200d|\ufe0f)(?:[\p{L}\p{M}\p{N}_$\p{Extended_Pictographic}\p{RI}\p{EMod}]|\u200d|\ufe0f)*/uy;
const numberPattern = /\d+(?:\.\d+)?/y;
const signPattern = /===|!==|<=|>=|==|!=|&&|\|\||=>|\?\?|[-+*/%<>!.,()[\]{}:=?&|;]/y;
const spacePattern = /\s+/y;

/** Signs of other languages, and what to write here. */
const foreignSigns: ReadonlyMap<string, string> = new Map([
  ['===', 'Write == instead of ===.'],
  ['!==', 'Write != instead of !==.'],
  ['=', 'Write == to compare.'],
  ['=>', 'Functions such as filter() take an expression with "value", not an arrow.'],
  ['??', 'Write if(a, a, b) instead of a ?? b.'],
  ['?', 'Write if(condition, yes, no) instead of ?:.'],
  ['&', 'Write && for "and".'],
  ['|', 'Write || for "or".'],
  [';', 'An expression is one value; remove the ";".'],
]);

/** Reads the tokens of an expression one after another. Throws `ExpressionError` (`parse`). */
export class Tokens {
  readonly #text: string;
  #at = 0;
  /** Whether an operand may stand here, so that `/` begins a regular expression. */
  #operandNext = true;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#match(spacePattern);
    const token = this.#read();
    this.#operandNext =
      token.kind === 'sign' && token.sign !== ')' && token.sign !== ']' && token.sign !== '}';
    return token;
  }

  #read(): Token {
    const start = this.#at;
    if (start >= this.#text.length) return { kind: 'end', start, end: start };
    const first = this.#text.charAt(start);
    if (first === '"' || first === "'") return this.#readText(first);
    if (first === '/' && this.#operandNext) return this.#readPattern();
    const digits = this.#match(numberPattern);
    if (digits !== undefined) {
      return { kind: 'number', value: Number(digits), start, end: this.#at };
    }
    const name = this.#match(namePattern);
    if (name !== undefined) return { kind: 'name', name, start, end: this.#at };
    const sign = this.#match(signPattern);
    const range = { start, end: Math.max(this.#at, start + 1) };
    if (sign === undefined) {
      throw new ExpressionError('parse', `The character "${first}" has no meaning here.`, range);
    }
    const hint = foreignSigns.get(sign);
    if (hint !== undefined) {
      throw new ExpressionError('parse', `There is no operator ${sign}. ${hint}`, range);
    }
    return { kind: 'sign', sign, start, end: this.#at };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #readText(quote: string): Token {
    const start = this.#at;
    let value = '';
    for (let at = start + 1; at < this.#text.length; at++) {
      const char = this.#text.charAt(at);
      if (char === quote) {
        this.#at = at + 1;
        return { kind: 'text', value, start, end: this.#at };
      }
      if (char === '\\') {
        at++;
        const escaped = this.#text.charAt(at);
        value += escapes[escaped] ?? `\\${escaped}`;
      } else value += char;
    }
    const range = { start, end: this.#text.length };
    throw new ExpressionError('parse', `The text has no closing ${quote}.`, range);
  }

  #readPattern(): Token {
    const start = this.#at;
    let inClass = false;
    for (let at = start + 1; at < this.#text.length; at++) {
      const char = this.#text.charAt(at);
      if (char === '\\') at++;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) {
        const source = this.#text.slice(start + 1, at);
        this.#at = at + 1;
        const flags = this.#match(/[a-z]*/y) ?? '';
        const range = { start, end: this.#at };
        return { kind: 'pattern', pattern: new Pattern(source, flags, range), ...range };
      }
    }
    const range = { start, end: this.#text.length };
    throw new ExpressionError('parse', 'The regular expression has no closing /.', range);
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  n: '\n',
  t: '\t',
  r: '\r',
};
