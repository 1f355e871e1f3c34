import type { Value } from '../values/value.ts';
import { type FunctionCall, type MethodTable, numberArgument, wrongType } from './function-call.ts';

export const numberFunctions: MethodTable<number> = new Map<
  string,
  (value: number, call: FunctionCall) => Value
>([
  ['abs', (value) => Math.abs(value)],
  ['ceil', (value) => Math.ceil(value)],
  ['floor', (value) => Math.floor(value)],
  ['round', (value, call) => rounded(value, digits(call, 15))],
  ['toFixed', (value, call) => value.toFixed(digits(call, 100))],
]);

function digits(call: FunctionCall, max: number): number {
  const value = numberArgument(call, 0, 'digits') ?? 0;
  if (value >= 0 && value <= max) return Math.floor(value);
  throw wrongType(call, { parameter: 'digits', expected: `Number from 0 to ${max}`, given: value });
}

/** Half rounds up, as `Math.round` does. */
function rounded(value: number, places: number): number {
  const text = String(value);
  if (places === 0 || !Number.isFinite(value) || text.includes('e')) return Math.round(value);
  // Moving the point in the text keeps 1.005 from becoming 1.00499….
  return Number(`${Math.round(Number(`${text}e${places}`))}e-${places}`);
}
