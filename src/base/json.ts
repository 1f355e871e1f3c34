/**
 * A value as JSON text. What crosses threads and ends in SQLite's `json_each` travels like
 * this: one flat string is copied far faster than a tree of objects.
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
