import { nearest } from '../bases/functions/call-method.ts';
import type { BinaryOperator, Expression } from '../bases/syntax/expression.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { dataviewFunctions } from './dataview-functions.ts';
import { dateLiteral, writtenDuration } from './date-literals.ts';
import type { QueryText } from './query-text.ts';

/** Each operator with the one of the tree, and how tightly it binds. `and` and `or` are equal. */
const operators: ReadonlyMap<string, readonly [BinaryOperator, number]> = new Map([
  ['*', ['*', 4]],
  ['/', ['/', 4]],
  ['%', ['%', 4]],
  ['+', ['+', 3]],
  ['-', ['-', 3]],
  ['<', ['<', 2]],
  ['>', ['>', 2]],
  ['<=', ['<=', 2]],
  ['>=', ['>=', 2]],
  ['=', ['==', 2]],
  ['!=', ['!=', 2]],
  ['&', ['&&', 1]],
  ['AND', ['&&', 1]],
  ['|', ['||', 1]],
  ['OR', ['||', 1]],
]);
const operator = /<=|>=|!=|==|&&|\|\||[-*/%+<>=&|]|(?:and|or)(?![\p{L}\p{N}_-])/iuy;
/** Operators of bases, and what to write in Dataview. */
const foreignOperators: ReadonlyMap<string, string> = new Map([
  ['==', '='],
  ['&&', 'and'],
  ['||', 'or'],
]);

/** Words that begin a clause, so that they cannot be names. */
const clauseWords = ['FROM', 'WHERE', 'LIMIT', 'GROUP', 'FLATTEN'];
const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
]);

const number = /-?\d+(?:\.\d+)?/y;
const lambda = /\(\s*((?:[\p{L}_][\p{L}\p{N}_-]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_-]*)*)?)\s*\)\s*=>/uy;
/** `date(today)` and `dur(7 days)`: what stands in the brackets is no expression. */
const dateCall = /date\(\s*([A-Za-z0-9:.+-]+)\s*\)/y;
const durationCall = /dur\(\s*(-?\d[\d.]*\s*[A-Za-z][\w\s.,-]*)\)/y;

/**
 * Reads an expression of Dataview, up to where no operator follows. The tree is that of bases; the
 * literals that bases do not have are calls whose names begin with `$`, which nobody can write.
 */
export function parseField(query: QueryText): Expression {
  return binary(query, 1);
}

function binary(query: QueryText, level: number): Expression {
  let left = unary(query);
  for (;;) {
    const start = query.at;
    const sign = query.take(operator)?.[0].toUpperCase();
    const known = sign === undefined ? undefined : operators.get(sign);
    if (sign === undefined) return left;
    if (known === undefined) {
      const write = foreignOperators.get(sign) ?? '=';
      const message = `There is no operator ${sign} in Dataview. Write: ${write}`;
      throw new ExpressionError('parse', message, query.from(start));
    }
    const [meant, own] = known;
    if (own < level) {
      query.back(start);
      return left;
    }
    const right = query.nested(() => binary(query, own + 1));
    const range = { start: left.range.start, end: right.range.end };
    left = { kind: 'binary', operator: meant, left, right, range };
  }
}

function unary(query: QueryText): Expression {
  const start = query.at;
  if (query.text.startsWith('![[', start) || !query.takeSign('!')) return postfix(query);
  const operand = query.nested(() => unary(query));
  return { kind: 'unary', operator: '!', operand, range: query.from(start) };
}

function postfix(query: QueryText): Expression {
  const start = query.at;
  let of = primary(query);
  for (;;) {
    if (query.touches('.')) {
      query.takeSign('.');
      const name = query.takeName();
      if (name === undefined) throw query.unexpected('a name');
      of = { kind: 'member', of, name, range: query.from(start) };
    } else if (query.touches('[') && !query.text.startsWith('[[', query.at)) {
      query.takeSign('[');
      const at = query.nested(() => parseField(query));
      query.expectSign(']');
      of = { kind: 'index', of, at, range: query.from(start) };
    } else if (query.touches('(')) {
      of = call(query, of);
    } else return of;
  }
}

function call(query: QueryText, callee: Expression): Expression {
  if (callee.kind !== 'name') {
    const message = 'A function is written f(x), not x.f().';
    throw new ExpressionError('parse', message, callee.range);
  }
  const { name, range: nameRange } = callee;
  if (!dataviewFunctions.has(name)) throw unknownFunction(name, nameRange);
  query.takeSign('(');
  const args = items(query, ')', () => parseField(query));
  const range = query.from(nameRange.start);
  return { kind: 'call', receiver: undefined, name, nameRange, args, range };
}

function unknownFunction(name: string, range: Expression['range']): ExpressionError {
  const near = nearest(name, dataviewFunctions.keys());
  const hint = near === undefined ? '' : ` Write: ${near}`;
  const message = `The function "${name}" of Dataview does not exist or is not supported.${hint}`;
  return new ExpressionError('unknown_function', message, range);
}

function primary(query: QueryText): Expression {
  const start = query.at;
  const link = query.takeLink();
  if (link !== undefined) return literalCall(query, '$link', link, start);
  if (query.takeSign('[')) {
    const list = items(query, ']', () => parseField(query));
    return { kind: 'list', items: list, range: query.from(start) };
  }
  if (query.takeSign('{')) {
    const entries = items(query, '}', () => entry(query));
    return { kind: 'object', entries, range: query.from(start) };
  }
  const names = query.take(lambda)?.[1];
  if (names !== undefined) {
    const body = query.nested(() => parseField(query));
    const split = names.split(',').map((name) => name.trim());
    return { kind: 'lambda', names: split, body, range: query.from(start) };
  }
  if (query.takeSign('(')) {
    const inner = query.nested(() => parseField(query));
    query.expectSign(')');
    return inner;
  }
  const digits = query.take(number)?.[0];
  const text = digits === undefined ? (query.takeText() ?? query.takeTag()) : Number(digits);
  if (text !== undefined) return { kind: 'literal', value: text, range: query.from(start) };
  return dateOrDuration(query, start) ?? named(query, start);
}

function entry(query: QueryText): readonly [string, Expression] {
  const key = query.takeText() ?? query.takeName();
  if (key === undefined) throw query.unexpected('a key');
  query.expectSign(':');
  return [key, parseField(query)];
}

/** `date(today)`, `date(2025-01-31)`, `dur(7 days)`. With anything else inside they are functions. */
function dateOrDuration(query: QueryText, start: number): Expression | undefined {
  const date = query.take(dateCall)?.[1];
  if (date !== undefined) {
    if (dateLiteral(date, 0) !== undefined) return literalCall(query, '$date', date, start);
    query.back(start);
    return undefined;
  }
  const duration = query.take(durationCall)?.[1];
  if (duration === undefined) return undefined;
  if (writtenDuration(duration) !== undefined) return literalCall(query, '$dur', duration, start);
  const message = 'A duration is written like dur(7 days) or dur(1 day, 2 hours).';
  throw new ExpressionError('parse', message, query.from(start));
}

function named(query: QueryText, start: number): Expression {
  const name = query.peekName();
  if (name === undefined || clauseWords.includes(name.toUpperCase())) {
    throw query.unexpected('a value');
  }
  query.takeName();
  const range = query.from(start);
  const constant = constants.get(name);
  return constant === undefined
    ? { kind: 'name', name, range }
    : { kind: 'literal', value: constant, range };
}

/** A literal as a call of a function that makes its value. */
function literalCall(query: QueryText, name: string, text: string, start: number): Expression {
  const range = query.from(start);
  const args: Expression[] = [{ kind: 'literal', value: text, range }];
  return { kind: 'call', receiver: undefined, name, nameRange: range, args, range };
}

/** What stands between an opening sign, which has been read, and the closing one. */
function items<T>(query: QueryText, closing: string, read: () => T): T[] {
  const found: T[] = [];
  while (!query.takeSign(closing)) {
    if (found.length > 0) query.expectSign(',');
    found.push(query.nested(read));
  }
  return found;
}
