import { splitLink } from '../../markdown/facts/link-text.ts';
import type { FunctionCall } from '../bases/functions/function-call.ts';
import { boundedList, boundedText, checkTextLength } from '../bases/functions/value-limits.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { Pattern } from '../bases/syntax/pattern.ts';
import { DateValue } from '../bases/values/date-value.ts';
import { DurationValue } from '../bases/values/duration-value.ts';
import { linkFrom } from '../bases/values/link-from.ts';
import { FileValue, isList, LinkValue, ObjectValue, type Value } from '../bases/values/value.ts';
import {
  compareValues,
  dataviewText,
  dataviewType,
  isTrue,
  operateDataview,
  settled,
} from './dataview-values.ts';
import { dateLiteral, writtenDate, writtenDuration } from './date-literals.ts';
import { forAll } from './missing-facts.ts';
import { EmbedLink, pageLink } from './page-items.ts';

type Run = (call: FunctionCall) => Value;

/** The functions of Dataview that are supported. Those that begin with `$` make literals. */
export const dataviewFunctions: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['$date', ({ value, place }) => dateLiteral(String(value(0)), place.world.nowMs) ?? null],
  ['$dur', ({ value }) => writtenDuration(String(value(0))) ?? null],
  ['$link', literalLink],
  ['contains', (call) => forEach(call, 1, (wanted) => contains(call, call.value(0), wanted))],
  [
    'icontains',
    (call) => forEach(call, 1, (wanted) => contains(call, folded(call.value(0)), folded(wanted))),
  ],
  ['econtains', (call) => forEach(call, 1, (wanted) => hasElement(call, call.value(0), wanted))],
  ['date', (call) => forEach(call, 0, (value) => date(call, value))],
  ['dur', (call) => forEach(call, 0, (value) => duration(call, value))],
  ['meta', meta],
  ['length', length],
  ['default', (call) => forEach(call, 0, (value) => value ?? call.value(1))],
  ['ldefault', (call) => call.value(0) ?? call.value(1)],
  ['choice', (call) => forEach(call, 0, (value) => call.value(isTrue(value) ? 1 : 2))],
  ['lower', (call) => forEach(call, 0, (value) => text(call, value)?.toLowerCase() ?? null)],
  ['upper', (call) => forEach(call, 0, (value) => text(call, value)?.toUpperCase() ?? null)],
  ['startswith', (call) => twoTexts(call, (a, b) => a.startsWith(b))],
  ['endswith', (call) => twoTexts(call, (a, b) => a.endsWith(b))],
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['string', (call) => boundedText(dataviewText(call.value(0)), call.range)],
  ['typeof', (call) => dataviewType(call.value(0))],
  ['number', (call) => forEach(call, 0, (value) => numberIn(call, value))],
  ['round', (call) => forEach(call, 0, (value) => rounded(call, value))],
  ['striptime', (call) => forEach(call, 0, (value) => dateOnly(call, value))],
  ['link', (call) => forEach(call, 0, (value) => link(call, value))],
  ['list', allValues],
  ['array', allValues],
  ['min', (call) => extreme(call, -1)],
  ['max', (call) => extreme(call, 1)],
  ['sum', (call) => reduced(call, '+')],
  ['product', (call) => reduced(call, '*')],
  ['average', average],
  ['nonnull', (call) => elements(call).filter((value) => value !== null)],
  ['reverse', (call) => Array.from(listOf(call) ?? []).reverse()],
  ['flat', (call) => boundedList((listOf(call) ?? []).flat() as readonly Value[], call.range)],
  ['sort', sorted],
  ['any', (call) => truths(call).some(isTrue)],
  ['all', (call) => truths(call).every(isTrue)],
  ['none', (call) => !truths(call).some(isTrue)],
  ['filter', filtered],
  ['map', (call) => listed(call, (value, index) => call.valueFor(1, { value, index }))],
]);

/** For an argument that is a list, the result for each of its elements. */
function forEach(call: FunctionCall, at: number, work: (value: Value) => Value): Value {
  const value = call.value(at);
  if (!isList(value)) return work(value);
  call.charge(value.length);
  return forAll(value, work);
}

function wrong(call: FunctionCall, value: Value): ExpressionError {
  const message = `The function "${call.name}" takes no ${dataviewType(value)} here.`;
  return new ExpressionError('type', message, call.range);
}

/** A text; null for null. */
function text(call: FunctionCall, value: Value): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw wrong(call, value);
  call.charge(value.length >> 6);
  return value;
}

/** The list that the first argument is; undefined for null. */
function listOf(call: FunctionCall): readonly Value[] | undefined {
  const value = call.value(0);
  if (value === null) return undefined;
  if (!isList(value)) throw wrong(call, value);
  call.charge(value.length);
  return value;
}

function listed(call: FunctionCall, work: (value: Value, at: number) => Value): Value {
  if (!call.isLambda(1))
    throw new ExpressionError('type', `Write ${call.name}(list, (x) => …).`, call.range);
  const list = listOf(call);
  return list === undefined ? null : forAll(list, work);
}

function filtered(call: FunctionCall): Value {
  const kept = listed(call, (value, index) => isTrue(call.valueFor(1, { value, index })));
  return isList(kept) ? (listOf(call) ?? []).filter((_, at) => kept[at]) : null;
}

/** All arguments, or the elements of the only one, or what a function makes of them. */
function truths(call: FunctionCall): readonly Value[] {
  if (!call.isLambda(1)) return elements(call);
  return forAll(listOf(call) ?? [], (value, index) => call.valueFor(1, { value, index }));
}

function elements(call: FunctionCall): readonly Value[] {
  const first = call.value(0);
  return call.count === 1 && isList(first) ? first : allValues(call);
}

function allValues(call: FunctionCall): readonly Value[] {
  call.charge(call.count);
  return Array.from({ length: call.count }, (_, at) => call.value(at));
}

function literalLink(call: FunctionCall): Value {
  const written = String(call.value(0));
  const self = call.place.source;
  // `[[]]` and `[[#]]` mean the note with the query.
  if (written === '' || written === '#') return self === '' ? null : pageLink(self);
  return linkFrom(call.place, `[[${written}]]`);
}

/** Whether a value has another in it, at any depth: an element, a piece of a text, a key. */
function contains(call: FunctionCall, value: Value, wanted: Value): boolean {
  call.charge(1);
  if (isList(value)) return forAll(value, (each) => contains(call, each, wanted)).includes(true);
  if (typeof value === 'string' && typeof wanted === 'string') {
    call.charge(value.length >> 6);
    return value.includes(wanted);
  }
  return hasKey(value, wanted) ?? compareValues(value, wanted) === 0;
}

function hasElement(call: FunctionCall, value: Value, wanted: Value): boolean {
  if (!isList(value)) return contains(call, value, wanted);
  call.charge(value.length);
  return forAll(value, (each) => compareValues(each, wanted) === 0).includes(true);
}

function hasKey(value: Value, wanted: Value): boolean | undefined {
  if (!(value instanceof ObjectValue) || typeof wanted !== 'string') return undefined;
  return value.spelled(wanted) === wanted;
}

function folded(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase();
  return isList(value) ? value.map(folded) : value;
}

/** A date from a text, or from a link by its shown text, its path, or the day of its note. */
function date(call: FunctionCall, value: Value): Value {
  if (call.count > 1) {
    const message = 'The function date() with a format is not supported.';
    throw new ExpressionError('unsupported', message, call.range);
  }
  if (value === null || value instanceof DateValue) return value;
  if (value instanceof LinkValue) {
    const name = splitLink(value.written).path.replace(/^.*\//s, '').replace(/\.md$/i, '');
    return writtenDate(value.display ?? '') ?? writtenDate(name) ?? null;
  }
  const written = text(call, value);
  return written === null ? null : (writtenDate(written.trim()) ?? null);
}

function duration(call: FunctionCall, value: Value): Value {
  if (value === null || value instanceof DurationValue) return value;
  return writtenDuration(text(call, value) ?? '') ?? null;
}

function dateOnly(call: FunctionCall, value: Value): Value {
  if (value !== null && !(value instanceof DateValue)) throw wrong(call, value);
  return value === null ? null : value.date();
}

/** What a link is: where it leads, and how it is written. */
function meta(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null) return null;
  if (!(value instanceof LinkValue)) throw wrong(call, value);
  const { path, subpath } = splitLink(value.written);
  const type = subpath.startsWith('#^') ? 'block' : subpath === '' ? 'file' : 'header';
  return new ObjectValue(
    new Map<string, () => Value>([
      ['display', () => value.display ?? null],
      ['embed', () => value instanceof EmbedLink],
      ['path', () => value.path ?? path],
      ['subpath', () => (subpath === '' ? null : subpath.replace(/^#\^?/, ''))],
      ['type', () => type],
    ]),
  );
}

function length(call: FunctionCall): Value {
  const value = call.value(0);
  if (value === null) return 0;
  if (typeof value === 'string' || isList(value)) return value.length;
  if (value instanceof ObjectValue) return value.size;
  throw wrong(call, value);
}

function twoTexts(call: FunctionCall, test: (a: string, b: string) => boolean): Value {
  return forEach(call, 0, (value) => {
    const [a, b] = [text(call, value), text(call, call.value(1))];
    return a === null || b === null ? null : test(a, b);
  });
}

function replace(call: FunctionCall): Value {
  return forEach(call, 0, (value) => {
    const [all, from, to] = [value, call.value(1), call.value(2)].map((each) => text(call, each));
    if (all == null || from == null || to == null) return null;
    const parts = all.split(from);
    checkTextLength(all.length + (parts.length - 1) * to.length, call.range);
    return parts.join(to);
  });
}

/** Splits a text at what a regular expression matches. */
function split(call: FunctionCall): Value {
  const [all, by] = [text(call, call.value(0)), text(call, call.value(1))];
  if (all === null || by === null) return null;
  call.charge(all.length >> 4);
  const parts: string[] = [];
  let start = 0;
  for (const match of new Pattern(by, '', call.range).matches(all)) {
    if (match.end === match.start) continue;
    parts.push(all.slice(start, match.start));
    start = match.end;
  }
  const max = call.value(2);
  const found = boundedList([...parts, all.slice(start)], call.range);
  return typeof max === 'number' ? found.slice(0, max) : found;
}

function join(call: FunctionCall): Value {
  const value = call.value(0);
  const separator = text(call, call.value(1)) ?? ', ';
  const list = isList(value) ? value : [value];
  call.charge(list.length);
  return boundedText(list.map(dataviewText).join(separator), call.range);
}

function numberIn(call: FunctionCall, value: Value): Value {
  if (value === null || typeof value === 'number') return value;
  const found = /-?\d+(?:\.\d+)?/.exec(text(call, value) ?? '');
  return found === null ? null : Number(found[0]);
}

function rounded(call: FunctionCall, value: Value): Value {
  if (value === null) return null;
  if (typeof value !== 'number') throw wrong(call, value);
  const digits = call.value(1);
  if (typeof digits !== 'number' || digits <= 0) return Math.round(value);
  return Number(value.toFixed(Math.min(100, Math.floor(digits))));
}

function link(call: FunctionCall, value: Value): Value {
  const display = call.count > 1 ? (text(call, call.value(1)) ?? undefined) : undefined;
  if (value === null) return null;
  if (value instanceof FileValue) return pageLink(value.path);
  if (!(value instanceof LinkValue)) return linkFrom(call.place, text(call, value) ?? '', display);
  const { written, isExternal, display: own } = value;
  return new LinkValue(written, { display: display ?? own, isExternal, target: () => value.path });
}

/** The least (-1) or the greatest (1) of all values that are not null. */
function extreme(call: FunctionCall, sign: 1 | -1): Value {
  return elements(call).reduce<Value>((best, value) => {
    call.charge(1);
    if (value === null || best === null) return best ?? value;
    return Math.sign(compareValues(value, best)) === sign ? value : best;
  }, null);
}

function reduced(call: FunctionCall, operator: '+' | '*'): Value {
  const value = call.value(0);
  if (!isList(value)) return value;
  const [first = null, ...rest] = value;
  return rest.reduce<Value>((left, right) => {
    call.charge(1 + (typeof left === 'string' ? left.length >> 6 : isList(left) ? left.length : 0));
    return operateDataview({ operator, left, right, range: call.range });
  }, first);
}

function average(call: FunctionCall): Value {
  const list = listOf(call) ?? [];
  if (list.length === 0) return null;
  const left = reduced(call, '+');
  return operateDataview({ operator: '/', left, right: list.length, range: call.range });
}

function sorted(call: FunctionCall): Value {
  const list = listOf(call);
  if (list === undefined) return null;
  call.charge(list.length * Math.ceil(Math.log2(list.length + 1)));
  const keys = forAll(list, (value, index) =>
    settled(call.isLambda(1) ? call.valueFor(1, { value, index }) : value),
  );
  return list
    .map((value, at) => ({ value, key: keys[at] ?? null }))
    .sort((a, b) => compareValues(a.key, b.key))
    .map(({ value }) => value);
}
