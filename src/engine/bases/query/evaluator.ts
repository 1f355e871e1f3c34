import { limits } from '../../../base/limits.ts';
import type { FunctionCall, Locals } from '../functions/function-call.ts';
import { boundedList } from '../functions/value-limits.ts';
import type { BinaryExpression, CallExpression, Expression } from '../syntax/expression.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import type { Place } from '../values/equality.ts';
import { ObjectValue, PatternValue, type Value } from '../values/value.ts';
import type { Operation } from './operate.ts';

/**
 * Evaluates the expressions of one row, in the language of bases or of Dataview: a class for each says
 * what names, members, operators and functions mean. All expressions of the row share one allowance of
 * steps.
 */
export abstract class Evaluator {
  protected readonly place: Place;
  #steps = 0;
  #depth = 0;

  constructor(place: Place) {
    this.place = place;
  }

  protected abstract named(name: string, locals: Locals | undefined): Value;
  protected abstract member(
    expression: Expression & { kind: 'member' },
    locals: Locals | undefined,
  ): Value;
  protected abstract element(
    expression: Expression & { kind: 'index' },
    locals: Locals | undefined,
  ): Value;
  protected abstract called(
    expression: CallExpression,
    call: FunctionCall,
    locals: Locals | undefined,
  ): Value;
  protected abstract operated(operation: Operation): Value;
  protected abstract isTrue(value: Value): boolean;

  /** Gives the row a new allowance of steps, for the next piece of work. */
  restart(): void {
    this.#steps = 0;
  }

  /** The value of an expression. Throws `ExpressionError`, or `MissingFacts`. */
  value(expression: Expression, locals?: Locals): Value {
    this.charge(1, expression);
    this.#depth++;
    if (this.#depth > limits.baseDepthMax) {
      throw new ExpressionError('budget', 'The expression nests too deep.', expression.range);
    }
    try {
      return this.#valueOf(expression, locals);
    } finally {
      this.#depth--;
    }
  }

  #valueOf(expression: Expression, locals: Locals | undefined): Value {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'pattern':
        return new PatternValue(expression.pattern);
      case 'list':
        return boundedList(
          expression.items.map((item) => this.value(item, locals)),
          expression.range,
        );
      case 'object':
        return new ObjectValue(
          new Map(
            expression.entries.map(([key, item]) => {
              const value = this.value(item, locals);
              return [key, () => value];
            }),
          ),
        );
      case 'name':
        return this.named(expression.name, locals);
      case 'member':
        return this.member(expression, locals);
      case 'index':
        return this.element(expression, locals);
      case 'call':
        return this.called(expression, this.#call(expression, locals), locals);
      case 'lambda':
        throw new ExpressionError(
          'type',
          'A function such as (x) => … can only be an argument of another one.',
          expression.range,
        );
      case 'unary':
        return this.#unary(expression, locals);
      default:
        return this.#binary(expression, locals);
    }
  }

  #call(expression: CallExpression, locals: Locals | undefined): FunctionCall {
    const { args, name, nameRange } = expression;
    const known = new Map<number, Value>();
    return {
      name,
      range: nameRange,
      place: this.place,
      count: args.length,
      value: (at) => {
        const arg = args[at];
        if (arg === undefined) return null;
        const before = known.get(at);
        if (before !== undefined) return before;
        const value = this.value(arg, locals);
        known.set(at, value);
        return value;
      },
      isLambda: (at) => args[at]?.kind === 'lambda',
      valueFor: (at, own) => {
        const arg = args[at];
        if (arg?.kind === 'lambda') return this.value(arg.body, withNames(arg.names, own, locals));
        // Inside a `reduce`, the expression of another function still has the outer `acc`.
        const outer = own.acc === undefined ? locals?.acc : undefined;
        const inner = outer === undefined ? own : { ...own, acc: outer };
        return arg === undefined ? null : this.value(arg, inner);
      },
      charge: (steps) => this.charge(steps, expression),
    };
  }

  #unary(
    { operator, operand, range }: Expression & { kind: 'unary' },
    locals: Locals | undefined,
  ): Value {
    const value = this.value(operand, locals);
    if (operator === '!') return !this.isTrue(value);
    if (typeof value === 'number') return -value;
    return value === null ? null : this.operated({ operator: '*', left: value, right: -1, range });
  }

  /** Walks along the left side in a loop, because a long sum is a deep tree. */
  #binary(expression: BinaryExpression, locals: Locals | undefined): Value {
    const pending: BinaryExpression[] = [];
    let first: Expression = expression;
    while (first.kind === 'binary') {
      pending.push(first);
      first = first.left;
    }
    let left = this.value(first, locals);
    for (const { operator, right, range } of pending.reverse()) {
      this.charge(1, expression);
      if (operator === '&&') left = this.isTrue(left) && this.isTrue(this.value(right, locals));
      else if (operator === '||') {
        left = this.isTrue(left) || this.isTrue(this.value(right, locals));
      } else left = this.operated({ operator, left, right: this.value(right, locals), range });
    }
    return left;
  }

  protected charge(steps: number, { range }: Pick<Expression, 'range'>): void {
    this.#steps += steps;
    if (this.#steps > limits.baseStepsMax) {
      throw new ExpressionError('budget', 'The expression takes too many steps.', range);
    }
  }
}

/** What the body of `(x, y) => …` knows: the element under its name, and what is known outside. */
function withNames(names: readonly string[], own: Locals, outer: Locals | undefined): Locals {
  const known = new Map(outer?.names);
  for (const [at, name] of names.entries()) known.set(name, at === 0 ? own.value : own.index);
  return { ...own, names: known };
}
