import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { isList, isMapValue } from '../../markdown/properties/property-equal.ts';
import type { PropertyType } from '../ports/records.ts';
import { tagName } from './tag-name.ts';

/** The types that a property can be given. */
export type GivenType = Exclude<PropertyType, 'empty' | 'object'>;

/**
 * Converts a value to the type of a property: `"3"` to the number 3, `"a, b"` to a list of two.
 * Null stays null. Fails with `invalid_input`, and names the expected form, when the value does not
 * fit.
 */
export function convertProperty(key: string, value: PropertyValue, type: GivenType): PropertyValue {
  const converted = fittingProperty(value, type);
  if (converted !== undefined) return converted;
  throw new VaultError(
    'invalid_input',
    `The property "${key}" is a ${type}: ${expectedForms[type]}.`,
    { details: { key, type } },
  );
}

/** Converts a value as `convertProperty` does; undefined when it does not fit the type. */
export function fittingProperty(value: PropertyValue, type: GivenType): PropertyValue | undefined {
  return value === null ? null : converters[type](value);
}

/**
 * Returns the value that a text says it is: the JSON text of a list, an object, a number, `true`,
 * `false` or `null` is that. A number stays text if it would be written in another way, as `1.10`
 * or `007` would, and so does every other text, also a wikilink such as `[[2024]]`. Values that are
 * not texts stay as they are.
 */
export function spokenValue(value: PropertyValue): PropertyValue {
  if (typeof value !== 'string' || !/^\s*(?:\[(?!\[)|[{\d-]|(?:true|false|null)\s*$)/.test(value)) {
    return value;
  }
  try {
    const spoken = JSON.parse(value) as PropertyValue;
    const isKept = typeof spoken !== 'number' || String(spoken) === value.trim();
    return isKept && isShallow(spoken, limits.nestingMax) ? spoken : value;
  } catch {
    return value;
  }
}

/** Whether a value nests at most this many levels deep. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

/**
 * Converts the value of a `tags` property to a list of names without `#`, each once, as the app
 * writes it. Takes one tag, several with commas between them, or a list. Fails with `invalid_input`
 * for a value that cannot be a tag.
 */
export function convertTags(value: PropertyValue): PropertyValue {
  if (value === null) return null;
  const list = toList(value) ?? [value];
  const first = new Map<string, string>();
  for (const tag of list) {
    if (typeof tag !== 'string' && typeof tag !== 'number') {
      throw new VaultError(
        'invalid_input',
        'Each entry of "tags" must be one tag, written as text.',
      );
    }
    const name = tagName(String(tag));
    if (!first.has(foldName(name))) first.set(foldName(name), name);
  }
  return Array.from(first.values());
}

const expectedForms: Readonly<Record<GivenType, string>> = {
  text: 'give one piece of text',
  list: 'give a JSON list such as ["a", "b"], or values with commas between them',
  number: 'give a number such as 3 or 2.5',
  checkbox: 'give true or false',
  date: 'give a date as YYYY-MM-DD, for example 2026-03-09',
  datetime: 'give a date and time as YYYY-MM-DDTHH:mm:ss, for example 2026-03-09T14:30:00',
};

/** Each returns undefined for a value that does not fit. */
const converters: Readonly<
  Record<GivenType, (value: PropertyValue & {}) => PropertyValue | undefined>
> = {
  text: (value) => (typeof value === 'object' ? undefined : String(value)),
  list: (value) => (isMapValue(value) ? undefined : (toList(value) ?? [value])),
  number(value) {
    if (typeof value !== 'string') return typeof value === 'number' ? value : undefined;
    const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value.trim());
    return isNumber ? Number(value) : undefined;
  },
  checkbox(value) {
    if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined;
    const word = value.trim().toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : undefined;
  },
  date(value) {
    const text = typeof value === 'string' ? value.trim() : '';
    return isDate(text) ? text : undefined;
  },
  datetime(value) {
    const parts = /^(\S{10})[T ](([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?$/.exec(
      typeof value === 'string' ? value.trim() : '',
    );
    const [, date = '', time = '', , seconds = ':00'] = parts ?? [];
    return isDate(date) ? `${date}T${time}${seconds}` : undefined;
  },
};

/** Returns a list as it is, or reads it from a string; undefined for other values. */
function toList(value: PropertyValue): readonly PropertyValue[] | undefined {
  if (typeof value !== 'string') return value !== null && isList(value) ? value : undefined;
  const text = value.trim();
  // `[[` begins a wikilink, not a JSON list.
  if (text.startsWith('[') && !text.startsWith('[[')) {
    try {
      return JSON.parse(text) as readonly PropertyValue[];
    } catch {
      // Text that only begins like JSON.
    }
  }
  return splitAtCommas(text);
}

/** Splits a text at its commas, except at a comma inside a wikilink. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let inLink = false;
  for (const piece of text.split(',')) {
    if (inLink) parts.push(`${parts.pop() ?? ''},${piece}`);
    else parts.push(piece);
    const opened = piece.lastIndexOf('[[');
    const closed = piece.lastIndexOf(']]');
    inLink = opened > closed || (inLink && closed === -1);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
