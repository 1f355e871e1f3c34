import type { TextRange } from '../../base/text-range.ts';
import { extensionOf, fileNameOf } from '../../base/vault-path.ts';
import { fileNumber } from '../bases/functions/file-number.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { DateValue, parseDate } from '../bases/values/date-value.ts';
import {
  FileValue,
  isList,
  LinkValue,
  type ObjectValue,
  type Value,
} from '../bases/values/value.ts';
import type { World } from '../bases/values/world.ts';
import { fieldValue } from './dataview-values.ts';
import { EmbedLink, type PageItems, pageLink } from './page-items.ts';

/**
 * A field of a page: `file`, or a property by its own name or by its name in lower case with hyphens.
 * Null when the note has no such property.
 */
export function pageField(world: World, path: string, name: string): Value {
  if (name === 'file') return new FileValue(path);
  const note = world.note(path);
  const key = namesOf(note).get(name);
  return key === undefined ? null : fieldValue(note.get(key));
}

/** The names of the properties of each note, made when one is first asked for. */
const knownNames = new WeakMap<ObjectValue, ReadonlyMap<string, string>>();

/** Each property by its own name and by its canonical one. */
function namesOf(note: ObjectValue): ReadonlyMap<string, string> {
  const known = knownNames.get(note);
  if (known !== undefined) return known;
  const { keys } = note;
  const names = new Map(keys.map((key) => [canonicalName(key), key]));
  for (const key of keys) names.set(key, key);
  knownNames.set(note, names);
  return names;
}

/** The name of a property as Dataview also takes it: in lower case, with hyphens for spaces. */
function canonicalName(key: string): string {
  return key
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}_\p{Extended_Pictographic}-]/gu, '')
    .toLowerCase();
}

/** What a field of a file is made from. */
interface FileOf {
  readonly path: string;
  readonly world: World;
  readonly items: PageItems;
}

const fileFields: ReadonlyMap<string, (file: FileOf) => Value> = new Map<
  string,
  (file: FileOf) => Value
>([
  ['path', ({ path }) => path],
  ['folder', ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))],
  ['name', ({ path }) => fileNameOf(path).replace(/\.md$/i, '')],
  ['ext', ({ path }) => extensionOf(path)],
  ['link', ({ path }) => pageLink(path)],
  ['size', ({ path, world }) => fileNumber(world, path, 'size') ?? null],
  ['ctime', ({ path, world }) => timeOf(fileNumber(world, path, 'birthMs'))],
  ['cday', ({ path, world }) => timeOf(fileNumber(world, path, 'birthMs'))?.date() ?? null],
  ['mtime', ({ path, world }) => timeOf(fileNumber(world, path, 'mtimeMs'))],
  ['mday', ({ path, world }) => timeOf(fileNumber(world, path, 'mtimeMs'))?.date() ?? null],
  ['tags', ({ path, world }) => withParents(world.part(path, 'tags'))],
  ['etags', ({ path, world }) => world.part(path, 'tags').map((tag) => `#${tag}`)],
  ['inlinks', ({ path, world }) => world.part(path, 'backlinks').map(pageLink)],
  ['outlinks', outlinks],
  ['aliases', aliases],
  ['tasks', ({ path, items }) => items.tasksOf(path)],
  ['lists', ({ path, items }) => items.of(path)],
  ['frontmatter', ({ path, world }) => fieldValue(world.note(path))],
  ['day', day],
]);

/** A field of `file`. Unlike Dataview, which gives null, it fails for a field that does not exist. */
export function fileField(file: FileOf, name: string, range: TextRange): Value {
  const field = fileFields.get(name);
  if (field !== undefined) return field(file);
  const message = `There is no field file.${name}, or it is not supported. There are ${Array.from(fileFields.keys()).join(', ')}.`;
  throw new ExpressionError('unknown_member', message, range);
}

function timeOf(ms: number | undefined): DateValue | null {
  return ms === undefined ? null : new DateValue(Math.floor(ms), true);
}

/** How many tags above one tag are listed: more levels than a vault has. */
const tagLevelsMax = 50;

/** The tags of a note, each with the tags above it, and each once. */
function withParents(tags: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (const tag of tags) {
    const parts = tag.split('/').slice(0, tagLevelsMax);
    for (const at of parts.keys()) all.add(`#${parts.slice(0, at + 1).join('/')}`);
    all.add(`#${tag}`);
  }
  return Array.from(all);
}

function outlinks({ path, world }: FileOf): Value {
  return world.part(path, 'links').map(({ path: written, subpath, display, target, embed }) => {
    const Kind = embed ? EmbedLink : LinkValue;
    return new Kind(written + subpath, { display, target: () => target ?? null });
  });
}

/** The aliases of a note; in one text, commas separate them. */
function aliases({ path, world }: FileOf): Value {
  const note = world.note(path);
  return ['aliases', 'alias'].flatMap((key): readonly Value[] => {
    const value = note.get(key);
    if (typeof value === 'string') return value.split(',').map((alias) => alias.trim());
    return isList(value) ? value : [];
  });
}

/** The day that a note is about: in its name, or else in its property `date`. */
function day({ path, world }: FileOf): Value {
  const [, year, month, date] = /(\d{4})-?(\d{2})-?(\d{2})/.exec(fileNameOf(path)) ?? [];
  const named = year === undefined ? undefined : parseDate(`${year}-${month}-${date}`);
  if (named !== undefined) return named;
  const property = fieldValue(world.note(path).get('date'));
  return property instanceof DateValue ? property.date() : null;
}
