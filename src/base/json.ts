/**
 * A value as JSON text. Values that cross threads and end in SQLite's `json_each` travel like this:
 * one flat string is copied far faster than a tree of objects.
 */
export type Json<T> = string & { readonly Json: T };

/** The JSON text of a value. */
export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>;
}

/** The value of a JSON text that `toJson` made. */
export function fromJson<T>(json: Json<T>): T {
  return JSON.parse(json) as T;
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value that came from outside; none if it is not an object. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Whether objects and arrays are nested more than `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
