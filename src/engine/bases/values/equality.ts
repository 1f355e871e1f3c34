import { foldName } from '../../../base/vault-path.ts';
import { linkSegment, linkSegments, unresolvedName } from '../../links/resolve-link.ts';
import { DateValue, parseAnyDate } from './date-value.ts';
import { DurationValue, parseDuration } from './duration-value.ts';
import { linkFrom } from './link-from.ts';
import {
  FileValue,
  isList,
  LinkValue,
  ObjectValue,
  PatternValue,
  RelativeText,
  ShownValue,
  TagValue,
  type Value,
} from './value.ts';
import type { World } from './world.ts';

/** Where values are compared: what is known of the vault, and the file whose links count. */
export interface Place {
  readonly world: World;
  /** The path from which a text is resolved when it is read as a link. */
  readonly source: string;
}

/**
 * Whether two values are equal, as `==` and the `contains` of lists compare them. Null is equal to
 * null alone; a link is equal to the file that it leads to; numbers, texts and booleans are compared
 * by their text.
 */
export function isEqual(place: Place, left: Value, right: Value): boolean {
  const [a, b] = [plain(left), plain(right)];
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isList(a) || isList(b)) {
    return (
      isList(a) &&
      isList(b) &&
      a.length === b.length &&
      a.every((item, at) => isEqual(place, item, b[at] ?? null))
    );
  }
  if (isReference(a)) return isSameFile(place, a, b);
  if (isReference(b)) return isSameFile(place, b, a);
  if (a instanceof TagValue || b instanceof TagValue) return isSameTag(a, b);
  if (a instanceof DateValue) return isSameDate(a, b);
  if (b instanceof DateValue) return isSameDate(b, a);
  if (a instanceof DurationValue) return a.lengthMs === lengthOf(b);
  if (b instanceof DurationValue) return b.lengthMs === lengthOf(a);
  if (a instanceof ObjectValue || b instanceof ObjectValue) return isSameObject(place, a, b);
  if (a instanceof PatternValue || b instanceof PatternValue) {
    return (
      a instanceof PatternValue &&
      b instanceof PatternValue &&
      a.pattern.toString() === b.pattern.toString()
    );
  }
  if (a instanceof ShownValue || b instanceof ShownValue) {
    return a instanceof ShownValue && b instanceof ShownValue && a.as === b.as && a.of === b.of;
  }
  return typeof a !== 'object' && typeof b !== 'object' && String(a) === String(b);
}

/** Whether a list of tags has a tag: this one, or one nested under it. Case and `#` do not count. */
export function isTagOrNested(tag: string, asked: string): boolean {
  const [has, wanted] = [tagKey(tag), tagKey(asked)];
  return has === wanted || (wanted !== '' && has.startsWith(`${wanted}/`));
}

function plain(value: Value): Value {
  return value instanceof RelativeText ? value.text : value;
}

function isReference(value: Value): value is LinkValue | FileValue {
  return value instanceof LinkValue || value instanceof FileValue;
}

function isSameFile(place: Place, reference: LinkValue | FileValue, other: Value): boolean {
  const path = reference.path;
  if (isReference(other)) {
    if (path !== null && path === other.path) return true;
    return (
      reference instanceof LinkValue &&
      other instanceof LinkValue &&
      path === null &&
      other.path === null &&
      isSameTarget(reference.written, other.written)
    );
  }
  if (typeof other !== 'string') return false;
  const link = linkFrom(place, other);
  if (path === null) {
    return reference instanceof LinkValue && isSameTarget(reference.written, link.written);
  }
  // A text can only lead to the file if its last name is that of the file, which costs no question.
  const segment = linkSegment(withoutSubpath(link.written));
  return linkSegments(path).includes(segment) && link.path === path;
}

function isSameTarget(a: string, b: string): boolean {
  return foldName(unresolvedName(a)) === foldName(unresolvedName(b));
}

function withoutSubpath(written: string): string {
  const hash = written.indexOf('#');
  return hash === -1 ? written : written.slice(0, hash);
}

function isSameTag(a: Value, b: Value): boolean {
  const [left, right] = [a, b].map((each) =>
    each instanceof TagValue ? each.text : typeof each === 'string' ? each : undefined,
  );
  return left !== undefined && right !== undefined && tagKey(left) === tagKey(right);
}

function tagKey(tag: string): string {
  return foldName(tag.replace(/^#/, ''));
}

/** Days are compared where one of the two has no time of day. */
function isSameDate(date: DateValue, value: Value): boolean {
  const other = typeof value === 'string' ? parseAnyDate(value) : value;
  if (!(other instanceof DateValue)) return false;
  if (date.hasTime && other.hasTime) return date.ms === other.ms;
  return date.date().ms === other.date().ms;
}

/** The length of a duration that is one, or that a number or a text stands for. */
export function lengthOf(value: Value): number | undefined {
  if (value instanceof DurationValue) return value.lengthMs;
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseDuration(value)?.lengthMs : undefined;
}

function isSameObject(place: Place, a: Value, b: Value): boolean {
  if (!(a instanceof ObjectValue && b instanceof ObjectValue) || a.size !== b.size) return false;
  return a.keys.every((key) => b.keys.includes(key) && isEqual(place, a.get(key), b.get(key)));
}
