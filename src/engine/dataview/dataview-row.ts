import type { TextRange } from '../../base/text-range.ts';
import { dateFields } from '../bases/functions/date-functions.ts';
import type { FunctionCall, Locals } from '../bases/functions/function-call.ts';
import { Evaluator } from '../bases/query/evaluator.ts';
import type { Operation } from '../bases/query/operate.ts';
import type { CallExpression, Expression } from '../bases/syntax/expression.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { DateValue } from '../bases/values/date-value.ts';
import { DurationValue, durationUnits } from '../bases/values/duration-value.ts';
import { FileValue, isList, LinkValue, ObjectValue, type Value } from '../bases/values/value.ts';
import type { World } from '../bases/values/world.ts';
import { fileKind } from '../ports/file-kind.ts';
import { dataviewFunctions } from './dataview-functions.ts';
import { dataviewType, isTrue, operateDataview } from './dataview-values.ts';
import { forAll } from './missing-facts.ts';
import { fileField, pageField } from './page-fields.ts';
import { ItemObject, type PageItems } from './page-items.ts';

/** What the rows of a query have in common. */
export interface DataviewContext {
  readonly world: World;
  readonly items: PageItems;
  /** The note that `this` stands for; undefined without one. */
  readonly self: string | undefined;
}

/**
 * Evaluates the expressions of one row, whose names are members of `data`: of a page (a `FileValue`
 * with `isThis`), of a task, or of a group (`key` and `rows`).
 */
export class DataviewRow extends Evaluator {
  readonly data: Value;
  readonly #context: DataviewContext;

  constructor(context: DataviewContext, data: Value) {
    super({ world: context.world, source: context.self ?? '' });
    this.#context = context;
    this.data = data;
  }

  /** Counts work beside expressions, such as writing the answer. */
  count(steps: number): void {
    this.charge(steps, { range: { start: 0, end: 0 } });
  }

  protected override named(name: string, locals: Locals | undefined): Value {
    const local = locals?.names?.get(name);
    if (local !== undefined) return local;
    if (name === 'row') return this.data;
    if (name !== 'this') return this.#member(this.data, name, { start: 0, end: 0 });
    const { self } = this.#context;
    return self === undefined ? null : new FileValue(self, true);
  }

  protected override member(
    { of, name, range }: Expression & { kind: 'member' },
    locals: Locals | undefined,
  ): Value {
    return this.#member(this.value(of, locals), name, range);
  }

  protected override element(
    { of, at: asked, range }: Expression & { kind: 'index' },
    locals: Locals | undefined,
  ): Value {
    const [value, at] = [this.value(of, locals), this.value(asked, locals)];
    if (typeof at === 'string') return this.#member(value, at, range);
    if (value === null) return null;
    if (typeof at === 'number' && (isList(value) || typeof value === 'string')) {
      return value[at] ?? null;
    }
    const types = `[${dataviewType(at)}] of ${dataviewType(value)}`;
    throw new ExpressionError('type', `Cannot take ${types}.`, range);
  }

  protected override called(_: CallExpression, call: FunctionCall): Value {
    const run = dataviewFunctions.get(call.name);
    if (run !== undefined) return run(call);
    throw new ExpressionError('unknown_function', `No function "${call.name}".`, call.range);
  }

  protected override operated(operation: Operation): Value {
    this.charge(weightOf(operation.left) + weightOf(operation.right), operation);
    return operateDataview(operation);
  }

  protected override isTrue(value: Value): boolean {
    return isTrue(value);
  }

  /** A member of a value; of a list, that member of each element. */
  #member(value: Value, name: string, range: TextRange): Value {
    const { world, items } = this.#context;
    this.charge(1, { range });
    if (value === null) return null;
    if (isList(value)) return forAll(value, (each) => this.#member(each, name, range));
    if (value instanceof FileValue) {
      return value.isThis
        ? pageField(world, value.path, name)
        : fileField({ path: value.path, world, items }, name, range);
    }
    if (value instanceof ObjectValue) {
      if (value.spelled(name) === name) return value.get(name);
      // A task has the fields of its page, too.
      return value instanceof ItemObject ? pageField(world, value.path, name) : null;
    }
    if (value instanceof LinkValue) {
      const { path } = value;
      return path === null || fileKind(path) !== 'note' ? null : pageField(world, path, name);
    }
    return timeField(value, name, range);
  }
}

/** A field of a date or a duration. Other values have none. */
function timeField(value: Value, name: string, range: TextRange): Value {
  if (value instanceof DateValue) {
    const time = new Date(value.ms);
    if (name === 'weekday') return ((time.getDay() + 6) % 7) + 1;
    if (name === 'week') return Math.floor(time.getDate() / 7) + 1;
    const field = dateFields.get(name);
    if (field !== undefined) return field(time);
  } else if (value instanceof DurationValue) {
    const unit = durationUnits.get(name.endsWith('s') ? name : `${name}s`);
    if (unit !== undefined) return value.lengthMs / unit;
  }
  const type = dataviewType(value);
  throw new ExpressionError('unknown_member', `There is no "${name}" of type ${type}.`, range);
}

/** How much work comparing or joining a value can be, beside the one step of its operator. */
function weightOf(value: Value): number {
  if (typeof value === 'string') return value.length >> 6;
  if (isList(value)) return value.reduce<number>((sum, each) => sum + 1 + weightOf(each), 0);
  return value instanceof ObjectValue ? value.size : 0;
}
