import { foldName } from '../../../base/vault-path.ts';
import { askedName, type Closeness, closeness } from '../../text/closeness.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { DateValue } from '../values/date-value.ts';
import {
  asText,
  FileValue,
  isEmpty,
  isList,
  isTruthy,
  LinkValue,
  ObjectValue,
  PatternValue,
  textOf,
  typeOf,
  type Value,
} from '../values/value.ts';
import { dateFunctions } from './date-functions.ts';
import { fileFunctions } from './file-functions.ts';
import {
  type FunctionCall,
  type MethodTable,
  textArgument,
  titled,
  wrongType,
} from './function-call.ts';
import { globalFunctions, goneFunctions } from './global-functions.ts';
import { listFunctions } from './list-functions.ts';
import { numberFunctions } from './number-functions.ts';
import { textFunctions } from './text-functions.ts';
import { boundedText } from './value-limits.ts';

/** Functions that every value has. Of null, only these give something other than null. */
const anyFunctions: MethodTable<Value> = new Map<
  string,
  (value: Value, call: FunctionCall) => Value
>([
  ['isTruthy', (value) => isTruthy(value)],
  ['isEmpty', (value) => isEmpty(value)],
  ['isType', (value, call) => textArgument(call, 0, 'type')?.toLowerCase() === typeOf(value)],
  ['toString', (value, call) => (value === null ? null : boundedText(textOf(value), call.range))],
]);

const linkFunctions: MethodTable<LinkValue> = new Map<
  string,
  (link: LinkValue, call: FunctionCall) => Value
>([
  [
    'asFile',
    (link) => {
      const { path } = link;
      return path === null ? null : new FileValue(path);
    },
  ],
  ['linksTo', linksTo],
]);

const objectFunctions: MethodTable<ObjectValue> = new Map<string, (object: ObjectValue) => Value>([
  ['keys', (object) => object.keys],
  ['values', (object) => object.keys.map((key) => object.get(key))],
]);

const patternFunctions: MethodTable<PatternValue> = new Map<
  string,
  (value: PatternValue, call: FunctionCall) => Value
>([
  [
    'matches',
    ({ pattern }, call) => {
      const text = textArgument(call, 0, 'value');
      if (text === null) return false;
      call.charge(text.length >> 4);
      return pattern.test(text);
    },
  ],
]);

const tables = [
  anyFunctions,
  textFunctions,
  numberFunctions,
  listFunctions,
  dateFunctions,
  linkFunctions,
  fileFunctions,
  objectFunctions,
  patternFunctions,
] as const;
const knownNames = new Set(tables.flatMap((table) => Array.from(table.keys())));

/**
 * Calls a function of a value. A missing property is null, and every known function of null gives
 * null, so that a filter may be asked of files that do not have the property.
 */
export function callMethod(receiver: Value, call: FunctionCall): Value {
  const any = anyFunctions.get(call.name);
  if (any !== undefined) return any(receiver, call);
  if (receiver === null && knownNames.has(call.name)) return null;
  const run = methodOf(receiver, call.name);
  if (run !== undefined) return run(call);
  throw unknownMethod(receiver, call);
}

/** Whether there is a function of this name, of any type of value or of none. */
export function isFunction(name: string, of: 'value' | 'none'): boolean {
  return of === 'value' ? knownNames.has(name) : globalFunctions.has(name);
}

/** Calls a function that belongs to no value. */
export function callGlobal(call: FunctionCall): Value {
  const run = globalFunctions.get(call.name);
  if (run !== undefined) return run(call);
  const now = goneFunctions.get(call.name);
  const near = nearest(call.name, globalFunctions.keys());
  const write = now !== undefined ? now : knownNames.has(call.name) ? `x.${call.name}()` : near;
  const all = Array.from(globalFunctions.keys()).join(', ');
  const hint = write === undefined ? `There are ${all}.` : `Write: ${write}`;
  const message = `Cannot find function "${call.name}". ${hint}`;
  throw new ExpressionError('unknown_function', message, call.range);
}

function methodOf(receiver: Value, name: string): ((call: FunctionCall) => Value) | undefined {
  const bound = <T>(table: MethodTable<T>, value: T) => {
    const run = table.get(name);
    return run === undefined ? undefined : (call: FunctionCall) => run(value, call);
  };
  const own =
    receiver instanceof LinkValue
      ? bound(linkFunctions, receiver)
      : isList(receiver)
        ? bound(listFunctions, receiver)
        : typeof receiver === 'number'
          ? bound(numberFunctions, receiver)
          : receiver instanceof DateValue
            ? bound(dateFunctions, receiver)
            : receiver instanceof FileValue
              ? bound(fileFunctions, receiver)
              : receiver instanceof ObjectValue
                ? bound(objectFunctions, receiver)
                : receiver instanceof PatternValue
                  ? bound(patternFunctions, receiver)
                  : undefined;
  const text = asText(receiver);
  return own ?? (text === undefined ? undefined : bound(textFunctions, text));
}

function unknownMethod(receiver: Value, { name, range }: FunctionCall): ExpressionError {
  const type = titled(typeOf(receiver));
  const has = (each: string) => anyFunctions.has(each) || methodOf(receiver, each) !== undefined;
  const own = receiver === null ? [] : Array.from(knownNames).filter(has);
  const near = nearest(name, own.length === 0 ? knownNames : own);
  const hint = listFunctions.has(name)
    ? `It is a function of lists: write list(x).${name}(…).`
    : near !== undefined
      ? `Write: ${near}`
      : own.length === 0
        ? 'No type has it.'
        : `This type has ${own.join(', ')}.`;
  const message = `Cannot find function "${name}" on type ${type}. ${hint}`;
  return new ExpressionError('unknown_function', message, range);
}

/** The name that is most similar to one that does not exist; undefined when none is. */
export function nearest(asked: string, names: Iterable<string>): string | undefined {
  const wanted = askedName(asked);
  let best: { readonly name: string; readonly by: Closeness } | undefined;
  for (const name of names) {
    const by = closeness(wanted, foldName(name));
    if (by === undefined) continue;
    const isCloser =
      best === undefined || by[0] < best.by[0] || (by[0] === best.by[0] && by[1] < best.by[1]);
    if (isCloser) best = { name, by };
  }
  return best?.name;
}

/**
 * Hypothesis: true when the link itself leads to the file, as the app was seen to do. Its help
 * describes another function: whether the linked file has a link to the file.
 */
function linksTo(link: LinkValue, call: FunctionCall): Value {
  const asked = call.value(0);
  if (asked === null) return null;
  if (!(asked instanceof FileValue || asked instanceof LinkValue)) {
    throw wrongType(call, { parameter: 'file', expected: 'File', given: asked });
  }
  return link.path !== null && link.path === asked.path;
}
