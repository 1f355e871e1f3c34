import { limits } from '../../../base/limits.ts';
import type { TextRange } from '../../../base/text-range.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { type Token, Tokens } from './tokens.ts';

/**
 * Reads the text of an expression. Throws nothing but `ExpressionError`: `parse` when the text is
 * not an expression, `budget` when it is too long or nests too deep.
 */
export function parseExpression(text: string): Expression {
  if (text.length > limits.baseExpressionCharsMax) {
    const max = limits.baseExpressionCharsMax;
    throw new ExpressionError('budget', `An expression has at most ${max} characters.`);
  }
  return new Parser(text).parse();
}

/** How tightly each operator binds; those of one level are left-associative. */
const levels: ReadonlyMap<string, number> = new Map([
  ['*', 6],
  ['/', 6],
  ['%', 6],
  ['+', 5],
  ['-', 5],
  ['<', 4],
  ['>', 4],
  ['<=', 4],
  ['>=', 4],
  ['==', 3],
  ['!=', 3],
  ['&&', 2],
  ['||', 1],
]);

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Parser {
  readonly #tokens: Tokens;
  #token: Token;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = new Tokens(text);
    this.#token = this.#tokens.next();
  }

  parse(): Expression {
    const expression = this.#expression(1);
    if (this.#token.kind !== 'end') throw this.#unexpected();
    return expression;
  }

  #expression(level: number): Expression {
    let left = this.#unary();
    for (;;) {
      const token = this.#token;
      const own = token.kind === 'sign' ? (levels.get(token.sign) ?? 0) : 0;
      if (own < level || token.kind !== 'sign') return left;
      this.#advance();
      const right = this.#nested(() => this.#expression(own + 1));
      const range = { start: left.range.start, end: right.range.end };
      left = { kind: 'binary', operator: token.sign as BinaryOperator, left, right, range };
    }
  }

  #unary(): Expression {
    const { start } = this.#token;
    for (const operator of ['!', '-'] as const) {
      if (!this.#isSign(operator)) continue;
      this.#advance();
      const operand = this.#nested(() => this.#unary());
      const range = { start, end: operand.range.end };
      return { kind: 'unary', operator, operand, range };
    }
    return this.#postfix(this.#primary());
  }

  #postfix(first: Expression): Expression {
    let of = first;
    for (;;) {
      const { start } = of.range;
      if (this.#isSign('.')) {
        this.#advance();
        const name = this.#token;
        if (name.kind !== 'name') throw this.#unexpected('a name');
        this.#advance();
        if (this.#isSign('(')) {
          const { args, end } = this.#arguments();
          const range = { start, end };
          of = {
            kind: 'call',
            receiver: of,
            name: name.name,
            nameRange: rangeOf(name),
            args,
            range,
          };
        } else of = { kind: 'member', of, name: name.name, range: { start, end: name.end } };
      } else if (this.#isSign('[')) {
        this.#advance();
        const at = this.#nested(() => this.#expression(1));
        const { end } = this.#token;
        this.#take(']');
        of = { kind: 'index', of, at, range: { start, end } };
      } else return of;
    }
  }

  #primary(): Expression {
    const token = this.#token;
    const range = rangeOf(token);
    switch (token.kind) {
      case 'number':
      case 'text':
        this.#advance();
        return { kind: 'literal', value: token.value, range };
      case 'pattern':
        this.#advance();
        return { kind: 'pattern', pattern: token.pattern, range };
      case 'name':
        return this.#named(token.name, range);
      case 'sign':
        if (token.sign === '(') return this.#parenthesized();
        if (token.sign === '[') {
          const { items, end } = this.#items(']', () => this.#expression(1));
          return { kind: 'list', items, range: { start: range.start, end } };
        }
        if (token.sign === '{') {
          const { items, end } = this.#items('}', () => this.#entry());
          return { kind: 'object', entries: items, range: { start: range.start, end } };
        }
        throw this.#unexpected('a value');
      default:
        throw this.#unexpected('a value');
    }
  }

  #named(name: string, nameRange: TextRange): Expression {
    this.#advance();
    const constant = constants.get(name);
    if (constant !== undefined) return { kind: 'literal', value: constant, range: nameRange };
    if (!this.#isSign('(')) return { kind: 'name', name, range: nameRange };
    const { args, end } = this.#arguments();
    const range = { start: nameRange.start, end };
    return { kind: 'call', receiver: undefined, name, nameRange, args, range };
  }

  #parenthesized(): Expression {
    this.#advance();
    const inner = this.#nested(() => this.#expression(1));
    this.#take(')');
    return inner;
  }

  #arguments(): { args: Expression[]; end: number } {
    const { items, end } = this.#items(')', () => this.#expression(1));
    return { args: items, end };
  }

  #entry(): readonly [string, Expression] {
    const key = this.#token;
    if (key.kind !== 'text' && key.kind !== 'name') throw this.#unexpected('a key in quotes');
    this.#advance();
    this.#take(':');
    return [key.kind === 'text' ? key.value : key.name, this.#expression(1)];
  }

  /** What stands between an opening sign, which is the current token, and the closing one. */
  #items<T>(closing: string, read: () => T): { items: T[]; end: number } {
    this.#advance();
    const items: T[] = [];
    while (!this.#isSign(closing)) {
      if (items.length > 0) this.#take(',');
      items.push(this.#nested(read));
    }
    const { end } = this.#token;
    this.#advance();
    return { items, end };
  }

  #nested<T>(read: () => T): T {
    this.#depth++;
    if (this.#depth > limits.baseNestingMax) {
      const max = limits.baseNestingMax;
      throw new ExpressionError(
        'budget',
        `An expression nests at most ${max} levels deep.`,
        rangeOf(this.#token),
      );
    }
    const result = read();
    this.#depth--;
    return result;
  }

  #isSign(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.sign === sign;
  }

  #advance(): void {
    this.#token = this.#tokens.next();
  }

  #take(sign: string): void {
    if (!this.#isSign(sign)) throw this.#unexpected(`"${sign}"`);
    this.#advance();
  }

  #unexpected(wanted?: string): ExpressionError {
    const token = this.#token;
    const found = token.kind === 'end' ? 'The expression ends' : 'There is something else';
    const word = token.kind === 'name' ? token.name : '';
    const instead = foreignWords.get(word.toLowerCase());
    const message =
      instead !== undefined
        ? `Write ${instead} for "${word}".`
        : wanted === undefined
          ? 'An operator such as == or && is missing before this.'
          : `${found} where ${wanted} is expected.`;
    return new ExpressionError('parse', message, rangeOf(token));
  }
}

/** Words of other languages, and what to write here; for signs see `foreignSigns`. */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
]);

function rangeOf({ start, end }: TextRange): TextRange {
  return { start, end };
}
