import { limits } from '../../../base/limits.ts';
import { callGlobal, callMethod } from '../functions/call-method.ts';
import type { FunctionCall, Locals } from '../functions/function-call.ts';
import { elementOf, memberOf } from '../functions/member-of.ts';
import { boundedList } from '../functions/value-limits.ts';
import type { BinaryExpression, CallExpression, Expression } from '../syntax/expression.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import type { Place } from '../values/equality.ts';
import { FileValue, isTruthy, ObjectValue, PatternValue, type Value } from '../values/value.ts';
import type { World } from '../values/world.ts';
import { operate } from './operate.ts';

/** The formulas of a base by name. A formula that could not be read is its error. */
type Formulas = ReadonlyMap<string, Expression | ExpressionError>;

/** What an expression is evaluated for: one file of a query, or the rows of a summary. */
export interface RowContext {
  readonly world: World;
  /** The file of the row; undefined in a summary. */
  readonly file: string | undefined;
  /** The file that `this` stands for; undefined without one. */
  readonly self: string | undefined;
  /** The path from which `link("…")` is resolved. */
  readonly source: string;
  readonly formulas: Formulas;
  /** The values of the rows, in a summary. */
  readonly values?: readonly Value[];
}

/**
 * Evaluates the expressions of one row. Formulas are evaluated once, and all expressions of the row
 * share one allowance of steps.
 */
export class Row {
  readonly #context: RowContext;
  readonly #place: Place;
  /** Made when they are needed: most rows need none. */
  #formulas: Map<string, Value | ExpressionError> | undefined;
  #running: Set<string> | undefined;
  #steps = 0;
  #depth = 0;

  constructor(context: RowContext) {
    this.#context = context;
    this.#place = { world: context.world, source: context.source };
  }

  /** Gives the row a new allowance of steps, for the next piece of work. */
  restart(): void {
    this.#steps = 0;
  }

  /** The value of an expression. Throws `ExpressionError`, or `MissingFacts`. */
  value(expression: Expression): Value {
    return this.#value(expression, undefined);
  }

  /** The value of a property, such as `note.x`, `file.x` or `formula.x`. Throws as `value` does. */
  property(kind: 'file' | 'note' | 'formula', name: string): Value {
    const { world, file } = this.#context;
    if (kind === 'formula') return this.#formula(name);
    if (file === undefined) return null;
    if (kind === 'note') return world.note(file).get(name);
    return memberOf(world, new FileValue(file), name, { start: 0, end: 0 });
  }

  #value(expression: Expression, locals: Locals | undefined): Value {
    this.#charge(1, expression);
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
    const { world } = this.#context;
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'pattern':
        return new PatternValue(expression.pattern);
      case 'list':
        return boundedList(
          expression.items.map((item) => this.#value(item, locals)),
          expression.range,
        );
      case 'object':
        return new ObjectValue(
          new Map(
            expression.entries.map(([key, item]) => {
              const value = this.#value(item, locals);
              return [key, () => value];
            }),
          ),
        );
      case 'name':
        return this.#named(expression.name, locals);
      case 'member': {
        if (isFormulas(expression.of)) return this.#formula(expression.name);
        const of = this.#value(expression.of, locals);
        return memberOf(world, of, expression.name, expression.range);
      }
      case 'index': {
        const at = this.#value(expression.at, locals);
        if (isFormulas(expression.of) && typeof at === 'string') return this.#formula(at);
        return elementOf(world, this.#value(expression.of, locals), at, expression.range);
      }
      case 'call':
        return this.#called(expression, locals);
      case 'unary':
        return this.#unary(expression, locals);
      default:
        return this.#binary(expression, locals);
    }
  }

  #named(name: string, locals: Locals | undefined): Value {
    const { world, file, self, values } = this.#context;
    if (locals !== undefined) {
      if (name === 'value') return locals.value;
      if (name === 'index') return locals.index;
      if (name === 'acc' && locals.acc !== undefined) return locals.acc;
    }
    if (name === 'values' && values !== undefined) return values;
    if (name === 'this') return self === undefined ? null : new FileValue(self, true);
    if (name === 'formula') return this.#allFormulas();
    if (file === undefined) return null;
    if (name === 'file') return new FileValue(file);
    const note = world.note(file);
    return name === 'note' ? note : note.get(name);
  }

  #called(expression: CallExpression, locals: Locals | undefined): Value {
    const call = this.#call(expression, locals);
    if (expression.receiver === undefined) return callGlobal(call);
    return callMethod(this.#value(expression.receiver, locals), call);
  }

  #call(expression: CallExpression, locals: Locals | undefined): FunctionCall {
    const { args, name, nameRange } = expression;
    const known = new Map<number, Value>();
    return {
      name,
      range: nameRange,
      place: this.#place,
      count: args.length,
      value: (at) => {
        const arg = args[at];
        if (arg === undefined) return null;
        const before = known.get(at);
        if (before !== undefined) return before;
        const value = this.#value(arg, locals);
        known.set(at, value);
        return value;
      },
      valueFor: (at, own) => {
        const arg = args[at];
        // Inside a `reduce`, the expression of another function still has the outer `acc`.
        const outer = own.acc === undefined ? locals?.acc : undefined;
        const inner = outer === undefined ? own : { ...own, acc: outer };
        return arg === undefined ? null : this.#value(arg, inner);
      },
      charge: (steps) => this.#charge(steps, expression),
    };
  }

  #unary(
    { operator, operand, range }: Expression & { kind: 'unary' },
    locals: Locals | undefined,
  ): Value {
    const value = this.#value(operand, locals);
    if (operator === '!') return !isTruthy(value);
    if (typeof value === 'number') return -value;
    return value === null
      ? null
      : operate(this.#place, { operator: '*', left: value, right: -1, range });
  }

  /** Walks along the left side in a loop, because a long sum is a deep tree. */
  #binary(expression: BinaryExpression, locals: Locals | undefined): Value {
    const pending: BinaryExpression[] = [];
    let first: Expression = expression;
    while (first.kind === 'binary') {
      pending.push(first);
      first = first.left;
    }
    let left = this.#value(first, locals);
    for (const { operator, right, range } of pending.reverse()) {
      this.#charge(1, expression);
      if (operator === '&&') left = isTruthy(left) && isTruthy(this.#value(right, locals));
      else if (operator === '||') left = isTruthy(left) || isTruthy(this.#value(right, locals));
      else
        left = operate(this.#place, { operator, left, right: this.#value(right, locals), range });
    }
    return left;
  }

  /** A formula that is not defined is null. */
  #formula(asked: string): Value {
    const { formulas } = this.#context;
    const name = formulas.has(asked)
      ? asked
      : Array.from(formulas.keys()).find((key) => key.toLowerCase() === asked.toLowerCase());
    const formula = name === undefined ? undefined : formulas.get(name);
    if (name === undefined || formula === undefined) return null;
    const known = this.#formulas?.get(name);
    if (known instanceof ExpressionError) throw known;
    if (known !== undefined) return known;
    try {
      if (formula instanceof ExpressionError) throw formula;
      const value = this.#formulaValue(name, formula);
      this.#known().set(name, value);
      return value;
    } catch (error) {
      if (error instanceof ExpressionError) {
        error.formula ??= name;
        this.#known().set(name, error);
      }
      throw error;
    }
  }

  #known(): Map<string, Value | ExpressionError> {
    this.#formulas ??= new Map();
    return this.#formulas;
  }

  #formulaValue(name: string, formula: Expression): Value {
    if (this.#running?.has(name)) {
      throw new ExpressionError('cycle', `The formula "${name}" needs its own value.`);
    }
    this.#running ??= new Set();
    this.#running.add(name);
    try {
      return this.#value(formula, undefined);
    } finally {
      this.#running.delete(name);
    }
  }

  #allFormulas(): Value {
    const names = Array.from(this.#context.formulas.keys());
    return new ObjectValue(new Map(names.map((name) => [name, () => this.#formula(name)])));
  }

  #charge(steps: number, { range }: Expression): void {
    this.#steps += steps;
    if (this.#steps > limits.baseStepsMax) {
      throw new ExpressionError('budget', 'The expression takes too many steps.', range);
    }
  }
}

function isFormulas(expression: Expression): boolean {
  return expression.kind === 'name' && expression.name === 'formula';
}
