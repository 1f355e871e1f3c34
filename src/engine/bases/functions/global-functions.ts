import { DateValue, parseAnyDate } from '../values/date-value.ts';
import { DurationValue, parseDuration } from '../values/duration-value.ts';
import { linkFrom } from '../values/link-from.ts';
import {
  asText,
  FileValue,
  isEmpty,
  isList,
  isTruthy,
  LinkValue,
  ShownValue,
  type Value,
} from '../values/value.ts';
import { type FunctionCall, textArgument, wrongType } from './function-call.ts';

export const globalFunctions: ReadonlyMap<string, (call: FunctionCall) => Value> = new Map<
  string,
  (call: FunctionCall) => Value
>([
  ['if', (call) => call.value(isTruthy(call.value(0)) ? 1 : 2)],
  ['date', date],
  ['duration', duration],
  ['now', ({ place }) => new DateValue(place.world.nowMs, true)],
  ['today', ({ place }) => new DateValue(place.world.nowMs, true).date()],
  ['number', number],
  ['list', (call) => asList(call.value(0))],
  ['link', link],
  ['file', file],
  ['min', (call) => extreme(call, Math.min)],
  ['max', (call) => extreme(call, Math.max)],
  ['random', ({ place }) => place.world.random()],
  ['image', image],
  ['icon', (call) => shown(call, 'icon')],
  ['html', (call) => shown(call, 'html')],
  ['escapeHTML', (call) => textArgument(call, 0, 'text')?.replace(/[&<>"']/g, escaped) ?? null],
  // The language of 1.9.0 and 1.9.1, which bases of that time still have.
  ['not', (call) => !isTruthy(call.value(0))],
  ['empty', (call) => isEmpty(call.value(0))],
  ['notEmpty', (call) => !isEmpty(call.value(0))],
]);

/** Functions of 1.9.0 and 1.9.1 that are gone, and what to write now. */
export const goneFunctions: ReadonlyMap<string, string> = new Map([
  ['contains', 'a.contains(b)'],
  ['containsAny', 'a.containsAny(b, c)'],
  ['containsAll', 'a.containsAll(b, c)'],
  ['startsWith', 'a.startsWith(b)'],
  ['endsWith', 'a.endsWith(b)'],
  ['taggedWith', 'file.hasTag("tag")'],
  ['linksTo', 'file.hasLink("Note")'],
  ['inFolder', 'file.inFolder("Folder")'],
  ['dateBefore', 'a < b'],
  ['dateAfter', 'a > b'],
  ['dateEquals', 'a == b'],
  ['dateNotEquals', 'a != b'],
  ['dateOnOrBefore', 'a <= b'],
  ['dateOnOrAfter', 'a >= b'],
  ['dateDiff', 'a - b'],
  ['dateModify', 'a + "1d"'],
  ['concat', 'a + b'],
  ['len', 'a.length'],
  ['join', 'list.join(separator)'],
  ['upper', 'no function; lower() and title() exist'],
]);

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(character: string): string {
  return replacements[character] ?? character;
}

/** Hypothesis: `list(null)` is an empty list. */
function asList(value: Value): readonly Value[] {
  if (value === null) return [];
  return isList(value) ? value : [value];
}

function date(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null || value instanceof DateValue) return value;
  const text = textArgument(call, 0, 'input') ?? '';
  const read = parseAnyDate(text);
  if (read === undefined) {
    const expected = 'a date such as 2025-01-31 or 2025-01-31 12:00:00';
    throw wrongType(call, { parameter: 'input', expected, given: value });
  }
  return read;
}

function duration(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null || value instanceof DurationValue) return value;
  const read = parseDuration(textArgument(call, 0, 'input') ?? '');
  if (read === undefined) {
    const expected = 'a duration such as 1d, 2w or 1h 30m';
    throw wrongType(call, { parameter: 'input', expected, given: value });
  }
  return read;
}

function number(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof DateValue) return value.ms;
  if (value instanceof DurationValue) return value.lengthMs;
  const text = asText(value)?.trim() ?? '';
  const read = text === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(read)) return read;
  throw wrongType(call, { parameter: 'input', expected: 'a text that is a number', given: value });
}

function link(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null) return null;
  const display = call.count > 1 ? (textArgument(call, 1, 'display') ?? undefined) : undefined;
  if (value instanceof FileValue) {
    return new LinkValue(value.path, { display, target: () => value.path });
  }
  if (value instanceof LinkValue) {
    const { written, isExternal, display: own } = value;
    return new LinkValue(written, {
      display: display ?? own,
      isExternal,
      target: () => value.path,
    });
  }
  return linkFrom(call.place, textArgument(call, 0, 'path') ?? '', display);
}

function file(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null || value instanceof FileValue) return value;
  const found =
    value instanceof LinkValue
      ? value.path
      : linkFrom(call.place, textArgument(call, 0, 'path') ?? '').path;
  return found === null ? null : new FileValue(found);
}

function extreme(call: FunctionCall, choose: (...numbers: number[]) => number): Value {
  const numbers: number[] = [];
  for (let at = 0; at < call.count; at++) {
    const value = call.value(at);
    if (value === null) continue;
    if (typeof value !== 'number') {
      throw wrongType(call, { parameter: 'value', expected: 'Number', given: value });
    }
    numbers.push(value);
  }
  return numbers.length === 0 ? null : numbers.reduce((a, b) => choose(a, b));
}

function image(call: FunctionCall): Value {
  const value = call.value(0);
  if (value instanceof FileValue) return new ShownValue('image', value.path);
  return shown(call, 'image');
}

function shown(call: FunctionCall, as: 'html' | 'icon' | 'image'): Value {
  const text = textArgument(call, 0, as === 'icon' ? 'name' : as);
  return text === null ? null : new ShownValue(as, text);
}
