import type { TextRange } from '../../base/text-range.ts';
import type { QueryPlace } from '../ports/search-query.ts';
import type { Leaf } from './query-leaves.ts';

/** A token of a query, as it is written. */
export interface Token {
  readonly kind:
    | '('
    | ')'
    | 'or'
    /** `AND`, which is the default anyway, and dashes that exclude nothing. */
    | 'nothing'
    | 'not'
    | 'word'
    | 'quoted'
    | 'regex'
    /** `text` is its name in lower case. */
    | 'operator'
    /** `text` is its key. */
    | 'property';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where the value of a property begins; absent where only the key is given. */
  readonly valueAt?: number;
}

/**
 * Every operator of the query language, with the place that it searches; undefined for the
 * operators that search no place of their own.
 */
export const operatorPlaces: Readonly<Record<string, QueryPlace | undefined>> = {
  file: 'file',
  path: 'path',
  content: 'content',
  'match-case': undefined,
  'ignore-case': undefined,
  tag: undefined,
  line: 'line',
  block: 'block',
  section: 'section',
  'task-todo': 'task-todo',
  'task-done': 'task-done',
  task: 'task',
};
const operator = new RegExp(`(${Object.keys(operatorPlaces).join('|')}):\\s*`, 'iy');
const joining = /(?:OR|AND)(?=[\s()]|$)/y;
const word = /[^\s"()]+/y;
/** `[[a link]]`, as it is written in notes. */
const link = /\[\[([^\]]+)\]\]/y;
const quoted = /"((?:[^"\\]|\\[\s\S])*)("|\\?$)/y;
/** A regular expression. Between brackets a slash need not be escaped, as in JavaScript. */
const regex = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\//y;
const comparison = /(<=?|>=?)\s*("?)([^\s"()]+)\2/y;
const property =
  /\[\s*("(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)+\/|[^\s:"/[\]](?:[^:"[\]]*[^\s:"[\]])?)\s*(?:\]|(:))/y;
/** Texts in which a bracket does not close a property. */
const enclosed = [
  /"(?:[^"\\]|\\[\s\S])*"/y,
  /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/(?=[\s)\]])/y,
  /\[\[[^\]]*\]\]/y,
];

/**
 * Reads the tokens of a query one after the other. What counts as a word depends on where it
 * stands, so every read is told what a word means there (`Leaf`).
 */
export class QueryTokens {
  readonly #text: string;
  readonly #end: number;
  #at: number;

  constructor(text: string, { start, end }: TextRange) {
    this.#text = text.slice(0, end);
    this.#end = end;
    this.#at = start;
  }

  /** Returns the tokens of a part of the same query. */
  within(range: TextRange): QueryTokens {
    return new QueryTokens(this.#text, range);
  }

  /** The character of the query at this place; empty at the end. */
  charAt(at: number): string {
    return this.#text.charAt(at);
  }

  /** Returns the next token without taking it; undefined at the end. */
  peek(leaf: Leaf): Token | undefined {
    return this.#read(leaf);
  }

  /** Takes the next token; undefined at the end. */
  next(leaf: Leaf): Token | undefined {
    const token = this.#read(leaf);
    if (token !== undefined) this.#at = token.end;
    return token;
  }

  /** Takes the next token if it is of this kind; undefined if it is not. */
  take(kind: ')' | 'or'): Token | undefined {
    const token = this.#read('words');
    if (token?.kind !== kind) return undefined;
    this.#at = token.end;
    return token;
  }

  #read(leaf: Leaf): Token | undefined {
    while (this.#at < this.#end && /\s/.test(this.#text.charAt(this.#at))) this.#at++;
    if (this.#at >= this.#end) return undefined;
    const sign = this.#text.charAt(this.#at);
    if (sign === '(' || sign === ')') return this.#token(sign, '', this.#at + 1);
    return (
      this.#readDash() ??
      this.#readQuoted() ??
      this.#readRegex() ??
      this.#readJoining() ??
      this.#readLink() ??
      (leaf === 'value' ? this.#readComparison() : this.#readNamed()) ??
      this.#readWord()
    );
  }

  /** A single dash directly before something excludes it; other dashes mean nothing. */
  #readDash(): Token | undefined {
    if (this.#text.charAt(this.#at) !== '-') return undefined;
    const [dashes = '-'] = this.#match(/-+/y) ?? [];
    const end = this.#at + dashes.length;
    const next = this.#text.charAt(end);
    const excludes = dashes.length === 1 && next !== '' && !/[\s)]/.test(next);
    return this.#token(excludes ? 'not' : 'nothing', '', end);
  }

  #readQuoted(): Token | undefined {
    const match = this.#match(quoted);
    if (match === null) return undefined;
    const text = (match[1] ?? '').replace(/\\(["\\])/g, '$1');
    return this.#token('quoted', text, this.#at + match[0].length);
  }

  /** A regular expression ends where it closes, so `/etc/hosts` is not one. */
  #readRegex(): Token | undefined {
    const match = this.#match(regex);
    if (match === null) return undefined;
    const end = this.#at + match[0].length;
    return this.#isBoundary(end) ? this.#token('regex', match[1] ?? '', end) : undefined;
  }

  #readJoining(): Token | undefined {
    const match = this.#match(joining);
    if (match === null) return undefined;
    return this.#token(match[0] === 'OR' ? 'or' : 'nothing', '', this.#at + match[0].length);
  }

  #readComparison(): Token | undefined {
    const match = this.#match(comparison);
    if (match === null) return undefined;
    const [whole, sign = '', , than = ''] = match;
    return this.#token('word', `${sign}${than}`, this.#at + whole.length);
  }

  /** A wikilink is searched for as a quoted text. */
  #readLink(): Token | undefined {
    const match = this.#match(link);
    if (match === null) return undefined;
    return this.#token('quoted', match[1] ?? '', this.#at + match[0].length);
  }

  /** Reads an operator or a property. */
  #readNamed(): Token | undefined {
    const named = this.#match(operator);
    if (named !== null) {
      const [whole, name = ''] = named;
      return this.#token('operator', name.toLowerCase(), this.#at + whole.length);
    }
    return this.#readProperty();
  }

  #readProperty(): Token | undefined {
    const match = this.#match(property);
    if (match === null) return undefined;
    const [whole, key = '', colon] = match;
    const keyEnd = this.#at + whole.length;
    if (colon === undefined) {
      return this.#isBoundary(keyEnd) ? this.#token('property', key, keyEnd) : undefined;
    }
    const end = this.#closingBracket(keyEnd) + 1;
    if (end === 0 || !this.#isBoundary(end)) return undefined;
    return { ...this.#token('property', key, end), valueAt: keyEnd };
  }

  /** Finds the bracket that closes the value beginning here; -1 when none does. */
  #closingBracket(from: number): number {
    for (let at = from; at < this.#end; at++) {
      if (this.#text.charAt(at) === ']') return at;
      for (const pattern of enclosed) {
        pattern.lastIndex = at;
        const length = pattern.exec(this.#text)?.[0].length ?? 0;
        if (length === 0) continue;
        at += length - 1;
        break;
      }
    }
    return -1;
  }

  #readWord(): Token {
    const [text = ''] = this.#match(word) ?? [];
    return this.#token('word', text, this.#at + text.length);
  }

  /** Whether a token may end here: `[a link](to somewhere)` and `[x]y` are not properties. */
  #isBoundary(at: number): boolean {
    return at >= this.#end || /[\s)"]/.test(this.#text.charAt(at));
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #token(kind: Token['kind'], text: string, end: number): Token {
    return { kind, text, start: this.#at, end };
  }
}
