import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../base/assert.ts';
import { type JsonEntry, type JsonNode, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { type PlainJson, plainJson } from './plain-json.ts';

type JsonObject = JsonNode & { readonly type: 'object' };
type JsonRecord = Record<string, unknown>;

/** A JSON text and what was read from it. */
interface Source extends PlainJson {
  readonly text: string;
  readonly root: JsonObject;
}

/**
 * Sets the value at a path of keys and makes the objects that are missing on the way, indented like
 * the text around them. Every other byte stays, comments too. The text must be a JSON object; comments
 * and trailing commas are allowed.
 */
export function setJson(text: string, path: readonly string[], value: unknown): string {
  const source = read(text);
  const { object, entry, rest } = walk(source.root, path);
  const [key, ...inner] = rest;
  assert(key !== undefined, 'a value needs a key');
  const put = inner.reduceRight<unknown>((whole, name) => ({ [name]: whole }), value);
  const edits =
    entry === undefined
      ? insertion(source, object, { key, value: put })
      : replacement(source, entry, put);
  return checked(applyEdits(text, edits), source, (root) => setAt(root, path, value));
}

/** Removes the value at a path of keys, which must exist. Every other byte stays. */
export function removeJson(text: string, path: readonly string[]): string {
  const source = read(text);
  const { object, entry } = walk(source.root, path);
  assert(entry !== undefined, 'there must be a value to remove');
  const edited = applyEdits(text, removal(source, object, entry));
  return checked(edited, source, (root) => {
    const parent = path.slice(0, -1).reduce((at, key) => at[key] as JsonRecord, root);
    delete parent[path.at(-1) ?? ''];
  });
}

function read(text: string): Source {
  const plain = plainJson(text);
  const result = parseJsonRanges(plain.json);
  assert('root' in result && result.root.type === 'object', 'the text must be a JSON object');
  return { ...plain, text, root: result.root };
}

/**
 * Follows the path as far as objects exist. Answers the last object, the keys that are left (`rest`),
 * and that object's entry for the first of them, undefined when it has none.
 */
function walk(
  root: JsonObject,
  path: readonly string[],
): { object: JsonObject; entry: JsonEntry | undefined; rest: readonly string[] } {
  let object = root;
  for (let depth = 0; ; depth++) {
    const entry = object.entries.findLast(({ key }) => key === path[depth]);
    if (entry?.value.type !== 'object' || depth >= path.length - 1) {
      return { object, entry, rest: path.slice(depth) };
    }
    object = entry.value;
  }
}

/** The edit that replaces the value of an entry; none when the value is the same already. */
function replacement(source: Source, { keyRange, value }: JsonEntry, put: unknown): TextEdit[] {
  if (isDeepStrictEqual(JSON.parse(source.json.slice(value.range.start, value.range.end)), put)) {
    return [];
  }
  const written = startsLine(source.text, keyRange.start)
    ? indented(source.text, put, indentAt(source.text, keyRange.start))
    : JSON.stringify(put);
  return [{ range: value.range, text: written }];
}

/** The edits that add an entry at the end of an object, laid out like the entries before it. */
function insertion(
  source: Source,
  object: JsonObject,
  { key, value }: { key: string; value: unknown },
): TextEdit[] {
  const { text, comments } = source;
  const first = object.entries[0];
  const last = object.entries.at(-1);
  const member = (written: string): string => `${JSON.stringify(key)}: ${written}`;
  if (first === undefined || last === undefined) {
    const end = object.range.end - 1;
    const start = object.range.start + text.slice(object.range.start, end).trimEnd().length;
    const outer = indentAt(text, object.range.start);
    const indent = outer + unitOf(text);
    if (isOneLine(text) && start === object.range.start + 1) {
      return [{ range: { start, end }, text: `${JSON.stringify(key)}:${JSON.stringify(value)}` }];
    }
    const lines = ['', indent + member(indented(text, value, indent)), outer];
    return [{ range: { start, end }, text: lines.join(lineEnd(text)) }];
  }
  const comma = commaAfter(source, last, object);
  let at = comma === undefined ? last.value.range.end : comma + 1;
  // If the object ends with a trailing comma, it does so afterwards too.
  const trailing = comma === undefined ? '' : ',';
  const missing = comma === undefined ? [insertAt(last.value.range.end, ',')] : [];
  if (!startsLine(text, first.keyRange.start)) {
    return [...missing, insertAt(at, `${JSON.stringify(key)}:${JSON.stringify(value)}${trailing}`)];
  }
  // A comment at the end of the line belongs to that line: insert behind it.
  for (const { start, end } of comments) {
    if (start >= at && /^[ \t]*$/.test(text.slice(at, start))) at = end;
  }
  const indent = indentAt(text, first.keyRange.start);
  const written = member(indented(text, value, indent));
  return [...missing, insertAt(at, `${lineEnd(text)}${indent}${written}${trailing}`)];
}

/** The edits that remove an entry with the blanks before it, and a comma that nothing follows. */
function removal(source: Source, object: JsonObject, entry: JsonEntry): TextEdit[] {
  const { text, comments } = source;
  const at = object.entries.indexOf(entry);
  const before = object.entries[at - 1];
  const comma = commaAfter(source, entry, object);
  const end = comma === undefined ? entry.value.range.end : comma + 1;
  const blanksStart = text.slice(0, entry.keyRange.start).trimEnd().length;
  if (object.entries.length === 1 && text.slice(end, object.range.end - 1).trim() === '') {
    const range = { start: blanksStart, end: object.range.end - 1 };
    return blanksStart === object.range.start + 1
      ? [{ range, text: '' }]
      : [{ range, text: lineEnd(text) + indentAt(text, object.range.start) }];
  }
  // What follows the removed entry on its line must not become part of a `//` comment before it.
  const inComment = comments.some(
    (comment) => comment.end === blanksStart && text.startsWith('//', comment.start),
  );
  const keepsBlanks = inComment && !/^[ \t]*[\r\n]/.test(text.slice(end));
  const start = keepsBlanks ? entry.keyRange.start : blanksStart;
  const edits: TextEdit[] = [{ range: { start, end }, text: '' }];
  if (comma === undefined && before !== undefined) {
    const lone = commaAfter(source, before, object);
    assert(lone !== undefined, 'entries have commas between them');
    // At most up to `start`, because edits must not overlap.
    edits.push({ range: { start: lone, end: Math.min(lone + 1, start) }, text: '' });
  }
  return edits;
}

/** The offset of the comma behind an entry; undefined when there is none. */
function commaAfter({ bare }: Source, entry: JsonEntry, object: JsonObject): number | undefined {
  const at = bare.indexOf(',', entry.value.range.end);
  if (at === -1 || at >= object.range.end) return undefined;
  return bare.slice(entry.value.range.end, at).trim() === '' ? at : undefined;
}

function insertAt(at: number, text: string): TextEdit {
  return { range: { start: at, end: at }, text };
}

/** A value as JSON over several lines, for a key that is indented this far. */
function indented(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll('\n', lineEnd(text) + indent);
}

/** One level of indentation, taken from the first line that is indented. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Whether all of it is on one line, as programs write it. `{}` does not count. */
function isOneLine(text: string): boolean {
  const body = text.trim();
  return body.length > 2 && !body.includes('\n');
}

function startsLine(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/** The indentation of the line that holds an offset. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The edited text; fails when parsing it shows any change but the one asked for. */
function checked(edited: string, source: Source, change: (root: JsonRecord) => void): string {
  const expected = parsed(source.json);
  change(expected);
  const { json } = plainJson(edited);
  assert(
    'root' in parseJsonRanges(json) && isDeepStrictEqual(parsed(json), expected),
    'an edit must change what it was asked to, and nothing else',
  );
  return edited;
}

function parsed(json: string): JsonRecord {
  return JSON.parse(json.replace(/^\ufeff/, '')) as JsonRecord;
}

/** Does to a parsed object what `setJson` does to its text. */
function setAt(root: JsonRecord, path: readonly string[], value: unknown): void {
  let object = root;
  for (const key of path.slice(0, -1)) {
    const next = object[key];
    const isObject = typeof next === 'object' && next !== null && !Array.isArray(next);
    if (!isObject) object[key] = {};
    object = object[key] as JsonRecord;
  }
  object[path.at(-1) ?? ''] = value;
}
