import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';

/** White space, and comments from `//` to the end of their line. */
const space = /(?:\s+|\/\/[^\n]*)+/y;
const emoji = '\\p{Extended_Pictographic}\\p{RI}\\p{EMod}\\u200d\\ufe0f';
/** A name may have hyphens in it, so `a-b` is one name and `a - b` a difference. */
const name = new RegExp(`[\\p{L}_${emoji}][\\p{L}\\p{M}\\p{N}_${emoji}-]*`, 'uy');
const tag = new RegExp(`#[\\p{L}\\p{M}\\p{N}_/${emoji}-]+`, 'uy');
const link = /!?\[\[([^[\]]*)\]\]/y;

/** Reads pieces of the text of a query one after another. Throws `ExpressionError`. */
export class QueryText {
  readonly text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
    if (text.length > limits.baseExpressionCharsMax) {
      const max = limits.baseExpressionCharsMax;
      throw new ExpressionError('budget', `A query has at most ${max} characters.`);
    }
  }

  /** Where the next piece begins, after white space. */
  get at(): number {
    this.#match(space);
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the next character follows at once, without white space, and is this one. */
  touches(character: string): boolean {
    return this.text.charAt(this.#at) === character;
  }

  /** Reads what a sticky expression matches here; undefined when it does not. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const start = this.at;
    const found = this.#match(pattern);
    if (found === undefined) this.#at = start;
    return found;
  }

  /** Goes back to a place, to read it again. */
  back(at: number): void {
    this.#at = at;
  }

  /** Reads a sign. */
  takeSign(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.#at += sign.length;
    return true;
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.unexpected(`"${sign}"`);
  }

  /** The next name, which stays unread. */
  peekName(): string | undefined {
    const start = this.at;
    const found = this.#match(name)?.[0];
    this.#at = start;
    return found;
  }

  takeName(): string | undefined {
    return this.take(name)?.[0];
  }

  /** Reads one of these words, in any case. Answers it in capitals. */
  takeWord(...words: readonly string[]): string | undefined {
    const found = this.peekName()?.toUpperCase();
    if (found === undefined || !words.includes(found)) return undefined;
    this.takeName();
    return found;
  }

  /** A tag with its `#`. */
  takeTag(): string | undefined {
    return this.take(tag)?.[0];
  }

  /** What stands between `[[` and `]]`. */
  takeLink(): string | undefined {
    return this.take(link)?.[1];
  }

  /** A text in double quotes. Only `\"` and `\\` are escapes. */
  takeText(): string | undefined {
    const start = this.at;
    if (!this.takeSign('"')) return undefined;
    const found = this.#match(/((?:[^"\\]|\\.)*)"/sy)?.[1];
    if (found !== undefined) return found.replace(/\\(["\\])/g, '$1');
    const range = { start, end: this.text.length };
    throw new ExpressionError('parse', 'The text has no closing ".', range);
  }

  /** The range from a place to where reading has come. */
  from(start: number): TextRange {
    return { start, end: this.#at };
  }

  /** Reads something that stands inside something else. */
  nested<T>(read: () => T): T {
    this.#depth++;
    if (this.#depth > limits.baseNestingMax) {
      const max = limits.baseNestingMax;
      throw new ExpressionError(
        'budget',
        `A query nests at most ${max} levels deep.`,
        this.#here(),
      );
    }
    const result = read();
    this.#depth--;
    return result;
  }

  /** The failure when something else stands here than what is expected. */
  unexpected(wanted: string): ExpressionError {
    const at = this.at;
    const range = this.#here();
    if (this.text.startsWith('::', at)) {
      const message = 'Inline fields (key:: value) are not supported; properties of notes are.';
      return new ExpressionError('unsupported', message, range);
    }
    const found = this.isAtEnd ? 'The query ends' : 'There is something else';
    return new ExpressionError('parse', `${found} where ${wanted} is expected.`, range);
  }

  #here(): TextRange {
    const start = this.at;
    return { start, end: Math.min(start + 1, this.text.length) };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found !== null) this.#at += found[0].length;
    return found ?? undefined;
  }
}
