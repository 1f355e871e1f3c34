import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { BaseErrorReport } from '../../bases/query/base-errors.ts';
import { type BaseWarning, bareNames, baseWarnings } from '../../bases/query/base-warnings.ts';
import type { ViewGroup, ViewRequest, ViewResult } from '../../bases/query/run-view.ts';
import type { Base, BaseView } from '../../bases/syntax/base.ts';
import { idText, type PropertyId } from '../../bases/syntax/property-id.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';
import { isDataview } from '../../dataview/parse-dataview.ts';
import { findNote } from '../../notes/find-note.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { listProperties } from '../list/list-properties.ts';
import { type AdHocQuery, adHocBase } from './ad-hoc-base.ts';
import { type BaseSource, chooseView, findSource, listSources, placedIn } from './base-source.ts';
import { evaluateView } from './evaluate-query.ts';
import { queryDataview, typeOf } from './query-dataview.ts';
import { vaultFacts } from './vault-facts.ts';

/** How many different numbers `random()` gives. */
const randomEnd = 2 ** 30;

/** What to evaluate: a view of a base, or what the call itself says. */
interface BaseQuery {
  /** A base; or a note in which bases stand, as `base` blocks or embedded, or with `dataview` blocks. */
  readonly base?: NoteName;
  /**
   * The name of a view, or which one of a note: 2 is the second base; after the bases, the blocks of
   * Dataview are counted. The first one when absent.
   */
  readonly view?: string;
  /** The note that `this` stands for; by default the base itself, or the note in which it stands. */
  readonly self?: NoteName;
  /** Narrows the view down further, or is the whole query where there is no base. */
  readonly query?: AdHocQuery;
  readonly limit: number;
  readonly offset: number;
  /** Whether the rows come group by group, where there are groups; else in the order of the sort. */
  readonly byGroup?: boolean;
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
    return queryDataview(vault, { text, self: named, limit, offset });
  }
  const found = await findSource(vault, request);
  if (found.query !== undefined && found.path !== undefined) {
    const { query, path, view, inNote } = found;
    if (view !== undefined && view.trim() !== query.view) return unknownView(found);
    if (request.query !== undefined) throw new VaultError('invalid_input', notNarrowed);
    const self = named ?? found.self;
    return queryDataview(vault, {
      text: query.text,
      block: { path, view: query.view },
      ...(inNote === undefined ? {} : { inNote }),
      self,
      limit,
      offset,
    });
  }
  const source = {
    ...found,
    base: withQuery(found.base, request.query),
    self: named ?? found.self,
  };
  const { base, path, self, inNote } = source;
  const view = chooseView(base, source.view);
  if (view === undefined) return unknownView(source);
  const page = { limit, offset, ...(request.byGroup === true ? { byGroup: true as const } : {}) };
  const evaluated = await evaluateSource(vault, { ...source, view, page });
  const { columns, matching, total, paths, groups, summaries, rows, errors } = evaluated;
  const warnings = [...baseWarnings(base, view), ...(await missingNames(vault, base, view))];
  return {
    base: path ?? null,
    view: view.name,
    type: view.type,
    this: self ?? null,
    columns: columns.map(idText),
    titles: columns.map((id) => titleOf(base, id)),
    total,
    ...(matching > total ? { matching } : {}),
    paths,
    rows,
    ...(groups === undefined ? {} : { groups }),
    ...(summaries === undefined ? {} : { summaries }),
    errors: placedIn(inNote, errors),
    ...(warnings.length === 0 ? {} : { warnings: placedIn(inNote, warnings) }),
  };
}

/**
 * What to say of names that stand where a text may be meant and that no note has as a property: the
 * filter `status == open` would otherwise find the notes without a status, and nobody would know why.
 */
async function missingNames(
  vault: BoundVault,
  base: Base,
  view: BaseView,
): Promise<readonly BaseWarning[]> {
  const names = bareNames(base, view);
  if (names.length === 0) return [];
  const properties = await listProperties(vault);
  const known = new Set(properties.map(({ key }) => key.toLowerCase()));
  return names
    .filter(({ name }) => !known.has(name.toLowerCase()))
    .map(({ warning }) => warning)
    .slice(0, limits.baseErrorsMax);
}

/** Evaluates a view over the vault as it is now. */
export async function evaluateSource(
  vault: BoundVault,
  request: Omit<BaseSource, 'view'> & {
    readonly view: BaseView;
    readonly page: ViewRequest['page'];
  },
): Promise<ViewResult> {
  const { base, view, self, path, page } = request;
  const { clock, disk, random } = vault.vault.parts;
  return evaluateView(vault, await vaultFacts(vault), {
    base,
    view,
    self,
    source: path ?? '',
    nowMs: clock.nowMs(),
    random: () => random.below(randomEnd) / randomEnd,
    propertyTypes: await readPropertyTypes(disk, []),
    page,
  });
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
  const { path, sources } = await listSources(vault, request.base);
  const views = sources.flatMap(({ base, view, query }): readonly ListedView[] => {
    if (query !== undefined) {
      const type = typeOf(query.text);
      return [
        { name: query.view, type: typeof type === 'string' ? type : 'dataview', settings: {} },
      ];
    }
    const named = view === undefined ? undefined : chooseView(base, view);
    return named === undefined ? base.views : [named];
  });
  return { base: path, views: views.map(({ name, type, settings }) => ({ name, type, settings })) };
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

/** The answer for a view that does not exist: no rows, and an error that names those that do. */
function unknownView({ base, path, self, view = '' }: BaseSource): BaseAnswer {
  return {
    base: path ?? null,
    view,
    type: 'table',
    this: self ?? null,
    columns: [],
    titles: [],
    total: 0,
    paths: [],
    rows: [],
    errors: [noSuchView(base, view)],
  };
}

/** The error that there is no view of this name. */
export function noSuchView({ views }: Base, name: string): BaseErrorReport {
  const names = views.slice(0, limits.candidatesMax).map((view) => `"${view.name}"`);
  if (views.length > names.length) names.push('…');
  const message = `There is no view "${name}". There are: ${names.join(', ')}.`;
  return { at: 'view', code: 'unknown_view', message, count: 1 };
}

/** What a column is called: by the base, or else by its property. */
export function titleOf({ titles }: Base, id: PropertyId): string {
  return titles.get(idText(id)) ?? defaultTitle(id);
}

/** Hypothesis: properties of files are called "file name" and so on; others by their name. */
function defaultTitle({ kind, name }: PropertyId): string {
  return kind === 'file' ? `file ${name}` : name;
}
