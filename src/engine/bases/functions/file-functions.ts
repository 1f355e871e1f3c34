import { extensionOf, fileNameOf, foldName } from '../../../base/vault-path.ts';
import { unresolvedName } from '../../links/resolve-link.ts';
import { DateValue } from '../values/date-value.ts';
import { isTagOrNested } from '../values/equality.ts';
import { linkFrom } from '../values/link-from.ts';
import { FileValue, LinkValue, TagValue, type Value } from '../values/value.ts';
import type { World } from '../values/world.ts';
import { fileNumber } from './file-number.ts';
import {
  type FunctionCall,
  type MethodTable,
  textArgument,
  textArguments,
  wrongType,
} from './function-call.ts';

export const fileFunctions: MethodTable<FileValue> = new Map<
  string,
  (file: FileValue, call: FunctionCall) => Value
>([
  [
    'asLink',
    (file, call) =>
      new LinkValue(file.path, {
        display: call.count === 0 ? undefined : (textArgument(call, 0, 'display') ?? undefined),
        target: () => file.path,
      }),
  ],
  ['hasLink', hasLink],
  [
    'hasProperty',
    (file, call) => {
      const name = textArgument(call, 0, 'name');
      if (name === null) return null;
      return call.place.world.note(file.path).spelled(name) !== undefined;
    },
  ],
  [
    'hasTag',
    (file, call) => {
      const asked = textArguments(call, 'values');
      const tags = call.place.world.part(file.path, 'tags');
      call.charge(tags.length * asked.length);
      return tags.some((tag) => asked.some((each) => isTagOrNested(tag, each)));
    },
  ],
  [
    'inFolder',
    (file, call) => {
      const folder = textArgument(call, 0, 'folder')?.replace(/^\/+|\/+$/g, '');
      return folder === undefined ? null : folder === '' || file.path.startsWith(`${folder}/`);
    },
  ],
]);

/** Whether a file links to another. A text that leads to no file is compared with the links' texts. */
function hasLink(file: FileValue, call: FunctionCall): Value {
  const asked = call.value(0);
  if (asked === null) return call.count === 0 ? missing(call) : null;
  const links = call.place.world.part(file.path, 'links');
  call.charge(links.length);
  const link =
    typeof asked === 'string'
      ? linkFrom({ world: call.place.world, source: file.path }, asked)
      : asked;
  if (!(link instanceof FileValue || link instanceof LinkValue)) {
    throw wrongType(call, { parameter: 'file', expected: 'File', given: asked });
  }
  const { path } = link;
  if (path !== null) return links.some(({ target }) => target === path);
  const written = link instanceof LinkValue ? nameOf(link.written) : '';
  return links.some((each) => each.target === undefined && nameOf(each.path) === written);
}

function missing(call: FunctionCall): never {
  throw wrongType(call, { parameter: 'file', expected: 'File', given: null });
}

function nameOf(written: string): string {
  return foldName(unresolvedName(written.replace(/#.*$/s, '')));
}

/** The properties of a file itself, such as `file.name`. */
export const fileFields: ReadonlyMap<string, (file: FileValue, world: World) => Value> = new Map<
  string,
  (file: FileValue, world: World) => Value
>([
  ['name', ({ path }) => shownName(path)],
  ['basename', ({ path }) => withoutExtension(fileNameOf(path))],
  ['path', ({ path }) => path],
  ['folder', ({ path }) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '/')],
  ['ext', ({ path }) => extension(path)],
  ['size', ({ path }, world) => fileNumber(world, path, 'size') ?? null],
  ['ctime', ({ path }, world) => timeOf(fileNumber(world, path, 'birthMs'))],
  ['mtime', ({ path }, world) => timeOf(fileNumber(world, path, 'mtimeMs'))],
  ['tags', ({ path }, world) => tagsOf(world.part(path, 'tags'))],
  ['links', ({ path }, world) => linksOf(path, world)],
  ['embeds', ({ path }, world) => linksOf(path, world, { embedsOnly: true })],
  [
    'backlinks',
    ({ path }, world) => world.part(path, 'backlinks').map((source) => new FileValue(source)),
  ],
  ['properties', ({ path }, world) => world.note(path)],
  ['file', ({ path }) => new FileValue(path)],
]);

/** Hypothesis: only `.md` is dropped from the name of a file. */
function shownName(path: string): string {
  return fileNameOf(path).replace(/\.md$/i, '');
}

function extension(path: string): string {
  const ext = extensionOf(path);
  return ext.startsWith('.') ? ext.slice(1) : ext;
}

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

function timeOf(ms: number | undefined): DateValue | null {
  return ms === undefined ? null : new DateValue(Math.floor(ms), true);
}

/** The tags with `#`; of several spellings of one tag the first. */
function tagsOf(tags: readonly string[]): readonly TagValue[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    const key = foldName(tag);
    if (!seen.has(key)) seen.set(key, tag);
  }
  return Array.from(seen.values(), (tag) => new TagValue(`#${tag}`));
}

function linksOf(path: string, world: World, { embedsOnly = false } = {}): Value {
  return world
    .part(path, 'links')
    .filter(({ embed }) => embed || !embedsOnly)
    .map(
      ({ path: written, subpath, display, target }) =>
        new LinkValue(written + subpath, { display, target: () => target ?? null }),
    );
}
