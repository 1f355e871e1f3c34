import { DateValue } from './date-value.ts';
import { DurationValue } from './duration-value.ts';
import {
  FileValue,
  isList,
  LinkValue,
  ObjectValue,
  PatternValue,
  ShownValue,
  type Value,
} from './value.ts';

/** A value as JSON. What JSON has no form for is an object with a key that begins with `$`. */
export type ValueJson =
  | null
  | boolean
  | number
  | string
  | readonly ValueJson[]
  | { readonly [key: string]: ValueJson };

/** The JSON form of a value; `docs/bases.md` lists the forms. */
export function valueJson(value: Value): ValueJson {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value === 0 ? 0 : value;
    return { $number: String(value) };
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(valueJson);
  if (value instanceof DateValue) return { $date: value.toString() };
  if (value instanceof DurationValue) {
    return { $duration: value.ms, ...(value.months === 0 ? {} : { months: value.months }) };
  }
  if (value instanceof LinkValue) {
    const display = value.display === undefined ? {} : { display: value.display };
    return value.isExternal
      ? { $link: value.written, external: true, ...display }
      : { $link: value.written, path: value.path, ...display };
  }
  if (value instanceof FileValue) return { $file: value.path };
  if (value instanceof PatternValue) return { $regexp: value.pattern.toString() };
  if (value instanceof ShownValue) return { [`$${value.as}`]: value.of };
  if (value instanceof ObjectValue) {
    return Object.fromEntries(
      value.keys.map((key) => [key.startsWith('$') ? `$${key}` : key, valueJson(value.get(key))]),
    );
  }
  return value.text;
}
