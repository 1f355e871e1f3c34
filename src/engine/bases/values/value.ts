import { displayTextOf } from '../../../markdown/facts/link-text.ts';
import type { Pattern } from '../syntax/pattern.ts';
import { DateValue } from './date-value.ts';
import { DurationValue } from './duration-value.ts';

/** What an expression can give. No value is an object of the host: members are looked up by type. */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | TagValue
  | RelativeText
  | DateValue
  | DurationValue
  | LinkValue
  | FileValue
  | ObjectValue
  | PatternValue
  | ShownValue;

/** A tag as it is written, with or without `#`. Otherwise it acts as a text. */
export class TagValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The text of `date.relative()`, which is sorted by its time. */
export class RelativeText {
  readonly text: string;
  readonly ms: number;

  constructor(text: string, ms: number) {
    this.text = text;
    this.ms = ms;
  }
}

/** A link to a file or a URL. It also acts as a text: the target as it is written. */
export class LinkValue {
  /** With its subpath. */
  readonly written: string;
  readonly display: string | undefined;
  readonly isExternal: boolean;
  readonly #target: () => string | null;

  constructor(
    written: string,
    options: {
      readonly display?: string | undefined;
      readonly isExternal?: boolean;
      /** Finds the file that the link leads to. */
      readonly target: () => string | null;
    },
  ) {
    this.written = written;
    this.display = options.display;
    this.isExternal = options.isExternal ?? false;
    this.#target = options.target;
  }

  /** The path of the file that the link leads to; null when there is none. */
  get path(): string | null {
    return this.isExternal ? null : this.#target();
  }

  get shown(): string {
    return this.display ?? displayTextOf(this.written);
  }
}

/** A file of the vault. `this` is one, too, but its members are the properties of its note. */
export class FileValue {
  readonly path: string;
  readonly isThis: boolean;

  constructor(path: string, isThis = false) {
    this.path = path;
    this.isThis = isThis;
  }
}

/** Values by name. They are made from what they come from when they are first asked for. */
export class ObjectValue {
  readonly #make: ReadonlyMap<string, () => Value>;
  readonly #made = new Map<string, Value>();

  constructor(entries: ReadonlyMap<string, () => Value>) {
    this.#make = entries;
  }

  get keys(): readonly string[] {
    return Array.from(this.#make.keys());
  }

  get size(): number {
    return this.#make.size;
  }

  /** The name as it is spelled here: this very name, or else one that differs in case. */
  spelled(name: string): string | undefined {
    if (this.#make.has(name)) return name;
    const folded = name.toLowerCase();
    for (const key of this.#make.keys()) if (key.toLowerCase() === folded) return key;
    return undefined;
  }

  /** Null when there is no such name. */
  get(name: string): Value {
    const key = this.spelled(name);
    if (key === undefined) return null;
    const made = this.#made.get(key);
    if (made !== undefined) return made;
    const value = this.#make.get(key)?.() ?? null;
    this.#made.set(key, value);
    return value;
  }
}

export class PatternValue {
  readonly pattern: Pattern;

  constructor(pattern: Pattern) {
    this.pattern = pattern;
  }
}

/** What `html()`, `icon()` and `image()` give: data that nothing here runs or fetches. */
export class ShownValue {
  readonly as: 'html' | 'icon' | 'image';
  readonly of: string;

  constructor(as: 'html' | 'icon' | 'image', of: string) {
    this.as = as;
    this.of = of;
  }
}

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The name of a value's type, in lower case. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return 'list';
  if (typeof value !== 'object') return typeof value;
  if (value instanceof TagValue || value instanceof RelativeText) return 'string';
  if (value instanceof DateValue) return 'date';
  if (value instanceof DurationValue) return 'duration';
  if (value instanceof LinkValue) return 'link';
  if (value instanceof FileValue) return 'file';
  if (value instanceof ObjectValue) return 'object';
  return value instanceof PatternValue ? 'regexp' : value.as;
}

/** The text that a value acts as: a text, a tag, or a link's written target. Undefined for others. */
export function asText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof TagValue || value instanceof RelativeText) return value.text;
  return value instanceof LinkValue ? value.written : undefined;
}

/** A value as text, as `toString()` and `+` write it. */
export function textOf(value: Value): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return value.map(textOf).join(', ');
  if (value instanceof LinkValue) {
    return value.display === undefined ? value.written : `${value.written}|${value.display}`;
  }
  if (value instanceof FileValue) return value.path;
  if (value instanceof PatternValue) return value.pattern.toString();
  if (value instanceof ShownValue) return value.of;
  if (value instanceof ObjectValue) {
    const entries = value.keys.map((key) => `${key}: ${textOf(value.get(key))}`);
    return `{${entries.join(', ')}}`;
  }
  return value instanceof DateValue || value instanceof DurationValue
    ? value.toString()
    : value.text;
}

/** Whether a value counts as true. An empty list and an empty object do not. */
export function isTruthy(value: Value): boolean {
  if (value === null || typeof value !== 'object') return Boolean(value);
  return !isEmpty(value);
}

/** Whether a value is null, or a text, list or object with nothing in it. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === '') return true;
  if (isList(value)) return value.length === 0;
  return value instanceof ObjectValue && value.size === 0;
}
