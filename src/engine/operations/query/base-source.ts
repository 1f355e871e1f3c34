import { limits } from '../../../base/limits.ts';
import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import {
  extensionOf,
  foldName,
  isVaultPath,
  stemOf,
  type VaultPath,
  vaultFolder,
  vaultPath,
} from '../../../base/vault-path.ts';
import { canvasCards } from '../../../markdown/scan/canvas.ts';
import { type CodeBlock, codeBlocks } from '../../../markdown/scan/code-blocks.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import type { Base, BasePlace, BaseView } from '../../bases/syntax/base.ts';
import { BaseFault, baseFrom, readBase } from '../../bases/syntax/read-base.ts';
import { findNote } from '../../notes/find-note.ts';
import { askedName, closeness } from '../../text/closeness.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { listAllFiles } from '../list/list-files.ts';
import { linkTargets } from '../read/note-facts.ts';

/** A base, and where it stands. */
export interface BaseSource {
  readonly base: Base;
  /** The base file, or the note of a code block; undefined for a query without a base. */
  readonly path: VaultPath | undefined;
  /** The file that `this` stands for: the note in which the base stands, or the base itself. */
  readonly self: VaultPath | undefined;
  /** The view that is wanted; undefined for the first one. */
  readonly view: string | undefined;
  /** Where a place in the text of a code block is in its note; undefined for what is no block. */
  readonly inNote?: InNote;
  /** Set for a block of Dataview, which is no base. */
  readonly query?: { readonly text: string; readonly view: string };
}

type InNote = (place: BasePlace) => BasePlace;

/**
 * Finds what a call names: a base, or one of the bases that stand in a note or on a canvas. There, `view` is the name
 * of a view, or a number: 2 is the second base. Fails with `not_found` when there is no such file, and
 * with `invalid_input` when it is no base, has none, or cannot be read.
 */
export async function findSource(
  vault: BoundVault,
  request: { readonly base?: NoteName; readonly view?: string },
): Promise<BaseSource> {
  const { view } = request;
  if (request.base === undefined) {
    return { base: baseFrom(null), path: undefined, self: undefined, view };
  }
  const { path, places } = await placesIn(vault, request.base);
  const [first] = places;
  if (places.length === 1 && first !== undefined) {
    const source = await first();
    const isNumber = view === '1' && chooseView(source.base, view) === undefined;
    return view === undefined || isNumber ? source : { ...source, view };
  }
  if (view === undefined) return sourceAt(places, 1);
  const read: BaseSource[] = [];
  for (const place of places.slice(0, limits.noteBasesMax)) {
    // A base that cannot be read is no reason to refuse another one of the same note.
    const source = await place().catch(onlyVaultErrors);
    if (source === undefined) continue;
    if (chooseView(source.base, view) !== undefined) return { ...source, view };
    read.push(source);
  }
  const number = /^\d{1,6}$/.test(view) ? Number(view) : 0;
  if (number >= 1 && number <= places.length) return sourceAt(places, number);
  // One with all views, so that the error can list them.
  const views = read.flatMap(({ base }) => base.views);
  return { base: { ...baseFrom(null), views }, path, self: path, view };
}

/** Every base that a call names, for a list of their views. Fails as `findSource` does. */
export async function listSources(
  vault: BoundVault,
  name: NoteName,
): Promise<{ readonly path: VaultPath; readonly sources: readonly BaseSource[] }> {
  const { path, places } = await placesIn(vault, name);
  const sources: BaseSource[] = [];
  for (const place of places.slice(0, limits.noteBasesMax)) {
    // One of several that cannot be read does not hide the others.
    const source = places.length === 1 ? await place() : await place().catch(onlyVaultErrors);
    if (source !== undefined) sources.push(source);
  }
  return { path, sources };
}

/** The view of this name, in any case; the first one without a name. */
export function chooseView(base: Base, name: string | undefined): BaseView | undefined {
  if (name === undefined) return base.views[0];
  const exact = base.views.find((view) => view.name === name);
  return exact ?? base.views.find((view) => view.name.toLowerCase() === name.toLowerCase());
}

/**
 * Reads the text of a base. `what` names it in a failure: what cannot be evaluated at all fails with
 * `invalid_input`, and says in which line.
 */
export function readBaseText(
  text: string,
  of: { readonly path: VaultPath; readonly what: string; readonly inNote?: InNote },
): Base {
  try {
    return readBase(text);
  } catch (error) {
    if (!(error instanceof BaseFault)) throw error;
    const { code, at, message } = error;
    const place = error.place === undefined ? undefined : (of.inNote ?? unmoved)(error.place);
    const where = place === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
    throw new VaultError('invalid_input', `${of.what} cannot be evaluated${where}: ${message}`, {
      details: { path: of.path, code, at, ...place },
    });
  }
}

const unmoved: InNote = (place) => place;

/** Reads one base. */
type Place = () => Promise<BaseSource>;

/** The file that a name means, and the bases in it: itself, or those that stand in a note. */
async function placesIn(
  vault: BoundVault,
  name: NoteName,
): Promise<{ readonly path: VaultPath; readonly places: readonly Place[] }> {
  const path = await findBase(vault, name);
  if (isBase(path)) return { path, places: [() => readBaseFile(vault, path, path)] };
  const { text } = await vault.readText(path, { shown: false });
  // A line and a column of an error on a canvas are those of the text of its card.
  const texts = extensionOf(path) === 'canvas' ? canvasCards(text) : [text];
  const all = texts.map(standingIn);
  const bases = all.flatMap((each) => each.bases);
  const queries = all.flatMap((each) => each.queries);
  if (bases.length + queries.length === 0) {
    const message = all.some(({ hasScript }) => hasScript)
      ? `"${path}" has only \`dataviewjs\` blocks. DataviewJS is not supported: it never runs.`
      : `"${path}" is no base, and has no \`base\` or \`dataview\` block. Name a .base file.`;
    throw new VaultError('invalid_input', message, { details: { path } });
  }
  const places = [
    ...bases.map((base, at) => async (): Promise<BaseSource> => {
      if ('link' in base) return readEmbedded(vault, path, base.link);
      const what = at === 0 ? `The base in "${path}"` : `Base ${at + 1} of "${path}"`;
      const inNote = placesOf(base.note, base.block);
      const read = readBaseText(base.block.text, { path, what, inNote });
      return { base: read, path, self: path, view: undefined, inNote };
    }),
    ...queries.map(({ note, block }, at) => async () => {
      const view = String(bases.length + at + 1);
      return {
        base: { ...noBase, views: noBase.views.map((each) => ({ ...each, name: view })) },
        path,
        self: path,
        view: undefined,
        inNote: placesOf(note, block),
        query: { text: block.text, view },
      };
    }),
  ];
  return { path, places };
}

/** The bases and the queries of Dataview in a text, in their order. */
function standingIn(note: string) {
  const { code, links } = scanNote(note);
  const blocks = codeBlocks(note, ['base', 'dataview', 'dataviewjs'], code);
  const written = (wanted: string) =>
    blocks.flatMap((block) =>
      block.language === wanted ? [{ start: block.start, note, block }] : [],
    );
  const embeds = links.filter((link) => link.embed && extensionOf(link.path) === 'base');
  return {
    bases: [...written('base'), ...embeds.map((link) => ({ start: link.range.start, link }))].sort(
      (a, b) => a.start - b.start,
    ),
    queries: written('dataview'),
    hasScript: blocks.some(({ language }) => language === 'dataviewjs'),
  };
}

/** Finds lines and columns of a block in its note. */
function placesOf(note: string, { lineStarts }: CodeBlock): InNote {
  let lines: LineIndex | undefined;
  return ({ line, column }) => {
    lines ??= new LineIndex(note);
    const from = lines.positionAt(lineStarts[Math.min(line, lineStarts.length) - 1] ?? 0);
    return { line: from.line + 1, column: from.col + column };
  };
}

const noBase = baseFrom(null);

/** What was found in the text of a block, with its places in the note. */
export function placedIn<Found extends Partial<BasePlace>>(
  inNote: InNote | undefined,
  found: readonly Found[],
): readonly Found[] {
  if (inNote === undefined) return found;
  return found.map((each) => {
    const { line, column } = each;
    return line === undefined || column === undefined
      ? each
      : { ...each, ...inNote({ line, column }) };
  });
}

async function sourceAt(places: readonly Place[], number: number): Promise<BaseSource> {
  const place = places[number - 1];
  if (place === undefined) throw new VaultError('invalid_input', 'Name a base.');
  return place();
}

async function readBaseFile(
  vault: BoundVault,
  path: VaultPath,
  self: VaultPath,
): Promise<BaseSource> {
  const { text } = await vault.readText(path, { shown: false });
  return { base: readBaseText(text, { path, what: `"${path}"` }), path, self, view: undefined };
}

/** Reads a base that is embedded in a note. */
async function readEmbedded(
  vault: BoundVault,
  note: VaultPath,
  { path, subpath }: { readonly path: string; readonly subpath: string },
): Promise<BaseSource> {
  const target = (await linkTargets(vault, note, new Map([[path, path]])))[path];
  if (target === undefined || target === null) throw await baseNotFound(vault, path);
  const view = subpath === '' || subpath === '#' ? undefined : subpath.slice(1);
  return { ...(await readBaseFile(vault, target, note)), view };
}

/** The file that a base's name means: `Books` is `Books.base`, even if there is a note `Books.md`. */
async function findBase(vault: BoundVault, name: NoteName): Promise<VaultPath> {
  const asked = typeof name === 'string' ? name.trim() : name.path;
  const extension = extensionOf(asked);
  const isBare = extension !== 'base' && extension !== 'md' && isVaultPath(`${asked}.base`);
  try {
    if (isBare) {
      const full = `${asked}.base`;
      const named = typeof name === 'string' ? full : { path: vaultPath(full) };
      const found = await findNote(vault, named).catch(unlessMissing);
      if (found !== undefined) return found;
    }
    return await findNote(vault, name);
  } catch (error) {
    if (extension === 'md') throw error;
    unlessMissing(error);
    throw await baseNotFound(vault, asked);
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof VaultError && error.code === 'not_found') return undefined;
  throw error;
}

function onlyVaultErrors(error: unknown): undefined {
  if (error instanceof VaultError && ['not_found', 'invalid_input'].includes(error.code)) {
    return undefined;
  }
  throw error;
}

/** How many bases a failure names. */
const namedMax = 5;

/** The failure for a name that no base has: it names bases with similar names, or some that exist. */
async function baseNotFound(vault: BoundVault, asked: string): Promise<VaultError> {
  const request = {
    folder: vaultFolder(''),
    extension: 'base',
    limit: limits.resultsMax,
    offset: 0,
  };
  const { total, items } = await listAllFiles(vault, request);
  const wanted = askedName(stemOf(asked.replace(/\.base$/i, '')));
  const close = items
    .flatMap(({ path }) => {
      const by = closeness(wanted, foldName(stemOf(path)));
      return by === undefined ? [] : [{ path, by }];
    })
    .sort(({ by: [a, b] }, { by: [c, d] }) => a - c || b - d);
  const paths = (close.length > 0 ? close : items).slice(0, namedMax).map(({ path }) => path);
  const listed = paths.map((path) => `"${path}"`).join(', ');
  const more = total > paths.length ? ` and ${total - paths.length} more` : '';
  const hint =
    close.length > 0
      ? `Closest: ${listed}.`
      : paths.length > 0
        ? `The vault has ${listed}${more}.`
        : 'The vault has no base.';
  return new VaultError('not_found', `There is no base "${asked}" in the vault. ${hint}`, {
    details: { name: asked, ...(paths.length > 0 ? { candidates: paths } : {}) },
  });
}

function isBase(path: VaultPath): boolean {
  return extensionOf(path) === 'base';
}
