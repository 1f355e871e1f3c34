import { isList, ObjectValue, type Value } from '../bases/values/value.ts';
import { type ValueJson, valueJson } from '../bases/values/value-json.ts';
import type { DataviewRow } from './dataview-row.ts';
import { ItemObject } from './page-items.ts';

/** The JSON of a value, as bases write it. Pages and files are `$file`; tasks have their main fields. */
export function dataviewJson(value: Value, row: DataviewRow): ValueJson {
  row.count(1);
  if (isList(value)) return value.map((each) => dataviewJson(each, row));
  if (value instanceof ItemObject) return { path: value.path, ...itemJson(value, row) };
  if (!(value instanceof ObjectValue)) return valueJson(value);
  return Object.fromEntries(
    value.keys.map((key) => [
      key.startsWith('$') ? `$${key}` : key,
      dataviewJson(value.get(key), row),
    ]),
  );
}

/** An item of a list with those below it. Its line counts from 1, as in other answers. */
export function itemJson(
  { item: { line, status, text }, children }: ItemObject,
  row: DataviewRow,
): { readonly [key: string]: ValueJson } {
  row.count(1 + (text.length >> 6));
  return {
    line: line + 1,
    ...(status === undefined ? {} : { status }),
    text,
    ...(children.length === 0 ? {} : { children: children.map((child) => itemJson(child, row)) }),
  };
}
