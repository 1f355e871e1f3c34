import { VaultError } from '../../../base/vault-error.ts';
import { extensionOf, isVaultPath, type VaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { BaseErrorReport } from '../../bases/query/base-errors.ts';
import { type BaseWarning, baseWarnings } from '../../bases/query/base-warnings.ts';
import type { ViewGroup } from '../../bases/query/run-view.ts';
import type { Base, BaseView } from '../../bases/syntax/base.ts';
import { idText } from '../../bases/syntax/property-id.ts';
import { BaseFault, baseFrom, readBase } from '../../bases/syntax/read-base.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';
import { isDataview } from '../../dataview/parse-dataview.ts';
import { findNote } from '../../notes/find-note.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { type AdHocQuery, adHocBase } from './ad-hoc-base.ts';
import { codeBlocks } from './code-blocks.ts';
import { evaluateView } from './evaluate-view.ts';
import { queryDataview, typeOf } from './query-dataview.ts';

/** How many different numbers `random()` gives. */
const randomEnd = 2 ** 30;

/** What to evaluate: a view of a base, or what the call itself says. */
interface BaseQuery {
  /** A base; or a note with `base` or `dataview` blocks, of which `view` may name one. */
  readonly base?: NoteName;
  /** The name of a view, or the number of a `dataview` block; the first one when absent. */
  readonly view?: string;
  /** The note that `this` stands for; by default the base itself. */
  readonly self?: NoteName;
  /** Narrows the view down further, or is the whole query where there is no base. */
  readonly query?: AdHocQuery;
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a view. `docs/bases.md` has the JSON of values. */
export interface BaseAnswer {
  readonly base: VaultPath | null;
  readonly view: string;
  readonly type: string;
  readonly this: VaultPath | null;
  /** The ids of the columns, and their titles. */
  readonly columns: readonly string[];
  readonly titles: readonly string[];
  /** How many rows the view has, of which `rows` has a page. */
  readonly total: number;
  /** How many files match, where the view's own limit leaves some out. */
  readonly matching?: number;
  readonly paths: readonly string[];
  readonly rows: readonly (readonly ValueJson[])[];
  readonly groups?: readonly ViewGroup[];
  readonly summaries?: Readonly<Record<string, ValueJson>>;
  readonly errors: readonly BaseErrorReport[];
  /** What works, and should be written in another way. Absent where there is nothing. */
  readonly warnings?: readonly BaseWarning[];
}

/**
 * Evaluates a view of a base over the whole vault, from the index. What is wrong inside the base is
 * in `errors`, and a row whose filter fails is left out. Fails with `invalid_input` when the base is
 * not valid YAML or not a base at all, and with `not_found` when the base or the note does not exist.
 */
export async function queryBase(vault: BoundVault, request: BaseQuery): Promise<BaseAnswer> {
  const named = request.self === undefined ? undefined : await findNote(vault, request.self);
  const { limit, offset } = request;
  const text = request.query?.filter;
  if (text !== undefined && isDataview(text)) {
    checkAlone(request);
    return queryDataview(vault, { text, line: 1, self: named, limit, offset });
  }
  const source = await readSource(vault, request.base);
  const self = named ?? source.path;
  const written = baseWith(source.bases, request.view);
  const block = chooseBlock(source, written, request.view);
  if (block !== undefined) {
    if (request.query !== undefined) throw new VaultError('invalid_input', notNarrowed);
    return queryDataview(vault, { ...block, self, limit, offset });
  }
  const base = withQuery(written, request.query);
  const view = chooseView(base, request.view);
  if (view === undefined) {
    const names = [
      ...base.views.map(({ name }) => name),
      ...source.queries.map(({ view }) => view),
    ];
    return unknownView(names, request.view ?? '', { base: source.path, self });
  }
  const { clock, disk, random } = vault.vault.parts;
  const found = await evaluateView(vault, {
    base,
    view,
    self,
    source: source.path ?? '',
    nowMs: clock.nowMs(),
    random: () => random.below(randomEnd) / randomEnd,
    propertyTypes: await readPropertyTypes(disk, []),
    page: { limit, offset },
  });
  const { columns, matching, total, paths, groups, summaries, rows, errors } = found;
  const warnings = baseWarnings(base, view);
  return {
    base: source.path ?? null,
    view: view.name,
    type: view.type,
    this: self ?? null,
    columns: columns.map(idText),
    titles: columns.map((id) => base.titles.get(idText(id)) ?? defaultTitle(id)),
    total,
    ...(matching > total ? { matching } : {}),
    paths,
    rows,
    ...(groups === undefined ? {} : { groups }),
    ...(summaries === undefined ? {} : { summaries }),
    errors,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** A view as `listBaseViews` lists it. */
interface ListedView {
  readonly name: string;
  readonly type: string;
  /** What the view has besides filters, columns, sort, groups and limit, as it is written. */
  readonly settings: Readonly<Record<string, PropertyValue>>;
}

/** Lists the views of a base, in their order. Fails as `queryBase` does. */
export async function listBaseViews(
  vault: BoundVault,
  request: { readonly base: NoteName },
): Promise<{ readonly base: VaultPath; readonly views: readonly ListedView[] }> {
  const { bases, queries, path } = await readSource(vault, request.base);
  if (path === undefined) throw new VaultError('invalid_input', 'Name a base.');
  const views = bases.flatMap((base) => base.views);
  const blocks = queries.map(({ text, view }) => {
    const type = typeOf(text);
    return { name: view, type: typeof type === 'string' ? type : 'dataview', settings: {} };
  });
  return {
    base: path,
    views: [...views.map(({ name, type, settings }) => ({ name, type, settings })), ...blocks],
  };
}

const notNarrowed =
  'A Dataview query has its own columns, WHERE, SORT and GROUP BY; give it alone, with nothing but this, limit and offset.';

/** A query of Dataview says everything itself. */
function checkAlone({ base, view, query }: BaseQuery): void {
  const others = Object.values(query ?? {}).filter((value) => value !== undefined);
  if (base !== undefined || view !== undefined || others.length > 1) {
    throw new VaultError('invalid_input', notNarrowed);
  }
}

/** The block of Dataview that is asked for; undefined when a view of a base is. */
function chooseBlock(
  { bases, queries, path }: BaseSource,
  base: Base,
  view: string | undefined,
): { readonly text: string; readonly line: number; readonly block: BlockName } | undefined {
  if (path === undefined || (bases.length > 0 && chooseView(base, view) !== undefined)) return;
  const found = view === undefined ? queries[0] : queries.find((each) => each.view === view.trim());
  if (found === undefined) return undefined;
  return { text: found.text, line: found.line, block: { path, view: found.view } };
}

interface BlockName {
  readonly path: VaultPath;
  readonly view: string;
}

/** The base that has a view. If none has it, one with all views, so that an error can list them. */
export function baseWith(bases: readonly Base[], view: string | undefined): Base {
  const found = bases.find((base) => chooseView(base, view) !== undefined);
  if (found !== undefined) return found;
  const [first = noBase] = bases;
  return { ...first, views: bases.flatMap((base) => base.views) };
}

const noBase = baseFrom(null);

/**
 * What a file has to evaluate. A base file is one base; a note may have several, each with filters and
 * formulas of its own, and queries of Dataview, which are numbered from 1.
 */
interface BaseSource {
  readonly bases: readonly Base[];
  readonly queries: readonly { text: string; line: number; view: string }[];
  readonly path: VaultPath | undefined;
}

export async function readSource(
  vault: BoundVault,
  name: NoteName | undefined,
): Promise<BaseSource> {
  if (name === undefined) return { bases: [noBase], queries: [], path: undefined };
  const path = await findBase(vault, name);
  const { text } = await vault.readText(path, { shown: false });
  try {
    if (isBase(path)) return { bases: [readBase(text)], queries: [], path };
    return { ...blocksOf(text, path), path };
  } catch (error) {
    if (!(error instanceof BaseFault)) throw error;
    const { code, at, place, message } = error;
    const where = place === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
    throw new VaultError('invalid_input', `"${path}" cannot be evaluated${where}: ${message}`, {
      details: { path, code, at, ...place },
    });
  }
}

/** The bases and queries in the blocks of a note. */
function blocksOf(text: string, path: VaultPath): Omit<BaseSource, 'path'> {
  const blocks = codeBlocks(text);
  const bases = blocks.filter(({ language }) => language === 'base');
  const queries = blocks.filter(({ language }) => language === 'dataview');
  if (bases.length + queries.length === 0) {
    const message = blocks.some(({ language }) => language === 'dataviewjs')
      ? `"${path}" has only \`dataviewjs\` blocks. DataviewJS is not supported: it never runs.`
      : `"${path}" is no base and has no \`base\` or \`dataview\` block. Name a .base file.`;
    throw new VaultError('invalid_input', message, { details: { path } });
  }
  return {
    bases: bases.map((block) => readBase(block.text)),
    queries: queries.map((block, at) => ({ ...block, view: String(at + 1) })),
  };
}

/** The file that a base's name means: `Books` is `Books.base`, even if there is a note `Books.md`. */
async function findBase(vault: BoundVault, name: NoteName): Promise<VaultPath> {
  const asked = typeof name === 'string' ? name.trim() : name.path;
  if (extensionOf(asked) !== '' || !isVaultPath(`${asked}.base`)) return findNote(vault, name);
  const full = `${asked}.base`;
  try {
    return await findNote(vault, typeof name === 'string' ? full : { path: vaultPath(full) });
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'not_found') throw error;
    return findNote(vault, name);
  }
}

function isBase(path: VaultPath): boolean {
  return path.toLowerCase().endsWith('.base');
}

/** Joins what the call says to the base: its filter by `and`, the rest in place of the view's own. */
function withQuery(base: Base, query: AdHocQuery | undefined): Base {
  if (query === undefined) return base;
  const asked = adHocBase(query);
  const [own] = asked.views;
  const filters = [base.filter, asked.filter].filter((filter) => filter !== undefined);
  return {
    ...base,
    filter: filters.length === 0 ? undefined : { kind: 'and', items: filters },
    formulas: new Map([...base.formulas, ...asked.formulas]),
    titles: new Map([...base.titles, ...asked.titles]),
    views: base.views.map((view) => ({
      ...view,
      ...(own?.order === undefined ? {} : { order: own.order }),
      ...(own === undefined || own.sort.length === 0 ? {} : { sort: own.sort }),
      ...(own?.group === undefined ? {} : { group: own.group }),
    })),
  };
}

/** The view of this name, in any case; the first one without a name. */
export function chooseView(base: Base, name: string | undefined): BaseView | undefined {
  if (name === undefined) return base.views[0];
  const exact = base.views.find((view) => view.name === name);
  return exact ?? base.views.find((view) => view.name.toLowerCase() === name.toLowerCase());
}

/** The answer for a view that does not exist: no rows, and an error that names those that do. */
function unknownView(
  all: readonly string[],
  name: string,
  of: { readonly base: VaultPath | undefined; readonly self: VaultPath | undefined },
): BaseAnswer {
  const names = all.map((each) => `"${each}"`).join(', ');
  const message = `There is no view "${name}". There are: ${names}.`;
  return {
    base: of.base ?? null,
    view: name,
    type: 'table',
    this: of.self ?? null,
    columns: [],
    titles: [],
    total: 0,
    paths: [],
    rows: [],
    errors: [{ at: 'view', code: 'unknown_view', message, count: 1 }],
  };
}

/** Hypothesis: properties of files are called "file name" and so on; others by their name. */
function defaultTitle({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return kind === 'file' ? `file ${name}` : name;
}
