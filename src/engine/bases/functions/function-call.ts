import type { TextRange } from '../../../base/text-range.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import type { Place } from '../values/equality.ts';
import { asText, isList, typeOf, type Value } from '../values/value.ts';

/**
 * The names that an argument of `filter`, `map` and `reduce` may use: `value`, `index` and `acc` in a
 * base, and those of `(x) => …` in Dataview.
 */
export interface Locals {
  readonly value: Value;
  readonly index: number;
  readonly acc?: Value;
  readonly names?: ReadonlyMap<string, Value>;
}

/** One call of a function, with arguments that are evaluated when they are asked for. */
export interface FunctionCall {
  readonly name: string;
  readonly range: TextRange;
  readonly place: Place;
  /** How many arguments are written. */
  readonly count: number;
  /** The value of an argument; null when it is not written. */
  value(at: number): Value;
  /** Whether an argument is a function such as `(x) => …`, which only `valueFor` evaluates. */
  isLambda(at: number): boolean;
  /** The value of an argument for one element of a list. */
  valueFor(at: number, locals: Locals): Value;
  /** Counts work that grows with its input. Throws `budget` when there was too much for one file. */
  charge(steps: number): void;
}

export type MethodTable<Receiver> = ReadonlyMap<
  string,
  (receiver: Receiver, call: FunctionCall) => Value
>;

/** The failure of an argument of a wrong type, in the words of the app. */
export function wrongType(
  { name, range }: Pick<FunctionCall, 'name' | 'range'>,
  { parameter, expected, given }: { parameter: string; expected: string; given: Value },
): ExpressionError {
  return new ExpressionError(
    'type',
    `Type error in "${name}" parameter "${parameter}". Expected ${expected}, given ${titled(typeOf(given))}.`,
    range,
  );
}

/** The name of a type as messages spell it. */
export function titled(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}

/** An argument that must be a text, a tag or a link; null when it is null. */
export function textArgument(call: FunctionCall, at: number, parameter: string): string | null {
  const value = call.value(at);
  if (at >= call.count) throw wrongType(call, { parameter, expected: 'String', given: null });
  if (value === null) return null;
  const text = asText(value);
  if (text === undefined) throw wrongType(call, { parameter, expected: 'String', given: value });
  call.charge(text.length >> 6);
  return text;
}

/** An argument that must be a number; null when it is null or not written. */
export function numberArgument(call: FunctionCall, at: number, parameter: string): number | null {
  const value = call.value(at);
  if (value === null || typeof value === 'number') return value;
  throw wrongType(call, { parameter, expected: 'Number', given: value });
}

/** All arguments; those of a list count as arguments of their own. */
export function spreadArguments(call: FunctionCall): readonly Value[] {
  const values = Array.from({ length: call.count }, (_, at) => call.value(at));
  return values.flatMap((value) => (isList(value) ? value : [value]));
}

/** All arguments as texts, those of lists included; null ones are left out. */
export function textArguments(call: FunctionCall, parameter: string): readonly string[] {
  return spreadArguments(call).flatMap((value) => {
    if (value === null) return [];
    const text = asText(value);
    if (text === undefined) throw wrongType(call, { parameter, expected: 'String', given: value });
    return [text];
  });
}
