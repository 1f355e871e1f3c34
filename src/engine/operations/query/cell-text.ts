import { DurationValue } from '../../bases/values/duration-value.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';

/** A value of a row in fewer characters, for models: dates as texts, links as they are written. */
export function compactCell(value: ValueJson): ValueJson {
  if (value === null || typeof value !== 'object') return value;
  if (isJsonList(value)) return value.map(compactCell);
  const link = value['$link'];
  if (typeof link === 'string' && value['external'] !== true) {
    const { display } = value;
    return typeof display === 'string' ? `[[${link}|${display}]]` : `[[${link}]]`;
  }
  if ('$error' in value) return value;
  return taggedText(value) ?? mapped(value);
}

/** A value of a row as text for people. */
export function cellText(value: ValueJson): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (isJsonList(value)) return value.map(cellText).join(', ');
  const { $link: link, display, $error: error } = value;
  if (typeof link === 'string') return typeof display === 'string' ? display : link;
  if (typeof error === 'string') return `error: ${error}`;
  return taggedText(value) ?? itemText(value) ?? JSON.stringify(mapped(value));
}

/** An item of a list as Dataview gives it, with those below it in brackets. */
function itemText({ line, status, text, children = [] }: JsonMap): string | undefined {
  if (typeof line !== 'number' || typeof text !== 'string') return undefined;
  const below = cellText(children);
  const box = typeof status === 'string' ? `[${status}] ` : '';
  return `${box}${text}${below === '' ? '' : ` (${below})`}`;
}

type JsonMap = Readonly<Record<string, ValueJson>>;

function isJsonList(value: ValueJson): value is readonly ValueJson[] {
  return Array.isArray(value);
}

/** The text of a value that JSON has no form for; undefined for a plain object. */
function taggedText(value: JsonMap): string | undefined {
  const { $duration: ms, months } = value;
  if (typeof ms === 'number') {
    return new DurationValue(ms, typeof months === 'number' ? months : 0).toString();
  }
  for (const tag of ['$date', '$file', '$html', '$icon', '$image', '$regexp', '$number', '$link']) {
    const text = value[tag];
    if (typeof text === 'string') return text;
  }
  return undefined;
}

function mapped(value: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, compactCell(each)]));
}
