import { callGlobal, callMethod } from '../functions/call-method.ts';
import type { FunctionCall, Locals } from '../functions/function-call.ts';
import { elementOf, memberOf } from '../functions/member-of.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { FileValue, isTruthy, ObjectValue, type Value } from '../values/value.ts';
import type { World } from '../values/world.ts';
import { Evaluator } from './evaluator.ts';
import { type Operation, operate } from './operate.ts';

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

/** Evaluates the expressions of one row of a base. Formulas are evaluated once. */
export class Row extends Evaluator {
  readonly #context: RowContext;
  /** Made when they are needed: most rows need none. */
  #formulas: Map<string, Value | ExpressionError> | undefined;
  #running: Set<string> | undefined;

  constructor(context: RowContext) {
    super({ world: context.world, source: context.source });
    this.#context = context;
  }

  /** The value of a property, such as `note.x`, `file.x` or `formula.x`. Throws as `value` does. */
  property(kind: 'file' | 'note' | 'formula', name: string): Value {
    const { world, file } = this.#context;
    if (kind === 'formula') return this.#formula(name);
    if (file === undefined) return null;
    if (kind === 'note') return world.note(file).get(name);
    return memberOf(world, new FileValue(file), name, { start: 0, end: 0 });
  }

  protected override named(name: string, locals: Locals | undefined): Value {
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

  protected override member(
    { of, name, range }: Expression & { kind: 'member' },
    locals: Locals | undefined,
  ): Value {
    if (isFormulas(of)) return this.#formula(name);
    return memberOf(this.place.world, this.value(of, locals), name, range);
  }

  protected override element(
    { of, at: asked, range }: Expression & { kind: 'index' },
    locals: Locals | undefined,
  ): Value {
    const at = this.value(asked, locals);
    if (isFormulas(of) && typeof at === 'string') return this.#formula(at);
    return elementOf(this.place.world, this.value(of, locals), at, range);
  }

  protected override called(
    { receiver }: CallExpression,
    call: FunctionCall,
    locals: Locals | undefined,
  ): Value {
    return receiver === undefined
      ? callGlobal(call)
      : callMethod(this.value(receiver, locals), call);
  }

  protected override operated(operation: Operation): Value {
    return operate(this.place, operation);
  }

  protected override isTrue(value: Value): boolean {
    return isTruthy(value);
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
      return this.value(formula);
    } finally {
      this.#running.delete(name);
    }
  }

  #allFormulas(): Value {
    const names = Array.from(this.#context.formulas.keys());
    return new ObjectValue(new Map(names.map((name) => [name, () => this.#formula(name)])));
  }
}

function isFormulas(expression: Expression): boolean {
  return expression.kind === 'name' && expression.name === 'formula';
}
