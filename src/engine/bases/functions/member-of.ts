import type { TextRange } from '../../../base/text-range.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { DateValue } from '../values/date-value.ts';
import { DurationValue, durationUnits } from '../values/duration-value.ts';
import { asText, FileValue, isList, ObjectValue, typeOf, type Value } from '../values/value.ts';
import type { World } from '../values/world.ts';
import { dateFields } from './date-functions.ts';
import { fileFields } from './file-functions.ts';
import { titled } from './function-call.ts';

/** A member of a value, `value.name`. Null has every member, and all of them are null. */
export function memberOf(world: World, value: Value, name: string, range: TextRange): Value {
  if (value === null) return null;
  if (value instanceof ObjectValue) return value.get(name);
  if (value instanceof FileValue) {
    if (value.isThis && name !== 'file') return world.note(value.path).get(name);
    const field = fileFields.get(name);
    if (field !== undefined) return field(value, world);
  } else if (value instanceof DateValue) {
    const field = dateFields.get(name);
    if (field !== undefined) return field(new Date(value.ms));
  } else if (value instanceof DurationValue) {
    const unit = durationUnits.get(name);
    if (unit !== undefined) return value.lengthMs / unit;
  } else if (name === 'length') {
    if (isList(value)) return value.length;
    const text = asText(value);
    if (text !== undefined) return text.length;
  }
  throw new ExpressionError(
    'unknown_member',
    `Cannot find "${name}" on type ${titled(typeOf(value))}.${hintFor(value, name)}`,
    range,
  );
}

/** An element of a list by its number, or a member by its name: `x["a"]` is `x.a`. */
export function elementOf(world: World, value: Value, at: Value, range: TextRange): Value {
  if (value === null || at === null) return null;
  if (isList(value) && typeof at === 'number') return value[at] ?? null;
  const name = typeof at === 'number' ? String(at) : asText(at);
  if (name !== undefined) return memberOf(world, value, name, range);
  throw new ExpressionError(
    'type',
    `Cannot take [${titled(typeOf(at))}] of type ${titled(typeOf(value))}.`,
    range,
  );
}

function hintFor(value: Value, name: string): string {
  if (value instanceof FileValue) {
    return ` A file has ${Array.from(fileFields.keys()).join(', ')}; a property of its note is file.properties.${name}.`;
  }
  if (value instanceof DateValue) return ` A date has ${Array.from(dateFields.keys()).join(', ')}.`;
  if (value instanceof DurationValue) {
    return ` A duration has ${Array.from(durationUnits.keys()).join(', ')}.`;
  }
  return '';
}
