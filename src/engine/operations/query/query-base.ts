import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { BaseErrorReport } from '../../bases/query/base-errors.ts';
import { runView, type ViewGroup } from '../../bases/query/run-view.ts';
import type { Base, BaseView } from '../../bases/syntax/base.ts';
import { idText, type PropertyId } from '../../bases/syntax/property-id.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';
import { findNote } from '../../notes/find-note.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { type AdHocQuery, adHocBase } from './ad-hoc-base.ts';
import { type BaseSource, chooseView, findSource, listSources } from './base-source.ts';
import { vaultFacts } from './vault-facts.ts';

/** How many different numbers `random()` gives. */
const randomEnd = 2 ** 30;

/** What to evaluate: a view of a base, or what the call itself says. */
interface BaseQuery {
  /** A base; or a note in which bases stand, as `base` blocks or embedded. */
  readonly base?: NoteName;
  /** The name of a view, or which base of a note: 2 is the second. The first one when absent. */
  readonly view?: string;
  /** The note that `this` stands for; by default the base itself, or the note in which it stands. */
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
}

/**
 * Evaluates a view of a base over the whole vault, from the index. What is wrong inside the base is
 * in `errors`, and a row whose filter fails is left out. Fails with `invalid_input` when the base is
 * not valid YAML or not a base at all, and with `not_found` when the base or the note does not exist.
 */
export async function queryBase(vault: BoundVault, request: BaseQuery): Promise<BaseAnswer> {
  const named = request.self === undefined ? undefined : await findNote(vault, request.self);
  const found = await findSource(vault, request);
  const source = {
    ...found,
    base: withQuery(found.base, request.query),
    self: named ?? found.self,
  };
  const { base, path, self } = source;
  const view = chooseView(base, source.view);
  if (view === undefined) return unknownView(source);
  const { limit, offset } = request;
  const { columns, matching, paths, groups, summaries, rows, errors } = await evaluateView(vault, {
    ...source,
    view,
    page: { limit, offset },
  });
  return {
    base: path ?? null,
    view: view.name,
    type: view.type,
    this: self ?? null,
    columns: columns.map(idText),
    titles: columns.map((id) => titleOf(base, id)),
    total: paths.length,
    ...(matching > paths.length ? { matching } : {}),
    paths: paths.slice(offset, offset + limit),
    rows,
    ...(groups === undefined ? {} : { groups }),
    ...(summaries === undefined ? {} : { summaries }),
    errors,
  };
}

/** Evaluates a view over the vault as it is now. */
export async function evaluateView(
  vault: BoundVault,
  request: Omit<BaseSource, 'view'> & {
    readonly view: BaseView;
    readonly page: Parameters<typeof runView>[1]['page'];
  },
): ReturnType<typeof runView> {
  const { base, view, self, path, page } = request;
  const { clock, disk, random } = vault.vault.parts;
  return runView(await vaultFacts(vault), {
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
  const views = sources.flatMap(({ base, view }) => {
    const named = view === undefined ? undefined : chooseView(base, view);
    return named === undefined ? base.views : [named];
  });
  return { base: path, views: views.map(({ name, type, settings }) => ({ name, type, settings })) };
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
