import { limits } from '../../../base/limits.ts';
import { memberOf } from '../functions/member-of.ts';
import type { Base, BaseFilter, BaseSort, BaseView } from '../syntax/base.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { idText, type PropertyId } from '../syntax/property-id.ts';
import { type CollatedText, collated, compareTexts } from '../values/collated-text.ts';
import { DateValue } from '../values/date-value.ts';
import { compareKeys, sortedBy, sortKey } from '../values/order.ts';
import { noteProperty } from '../values/property-value.ts';
import { FileValue, type Value } from '../values/value.ts';
import { type ValueJson, valueJson } from '../values/value-json.ts';
import { type BaseErrorReport, BaseErrors } from './base-errors.ts';
import { Row, type RowContext } from './evaluate.ts';
import type { FactSource } from './fact-source.ts';
import { filterConditions } from './filter-conditions.ts';
import { FilterFailure, passes, unreadable } from './filter-row.ts';
import { firstInOrder } from './first-in-order.ts';
import { LoadedWorld } from './loaded-world.ts';
import { neededParts } from './needed-parts.ts';
import { Settler } from './settle-rows.ts';
import { summarize } from './summaries.ts';

/** Which view of a base to evaluate, and for what. */
export interface ViewRequest {
  readonly base: Base;
  readonly view: BaseView;
  /** The file that `this` stands for; undefined without one. */
  readonly self: string | undefined;
  /** The path of the base, from which its links are resolved; empty without one. */
  readonly source: string;
  readonly nowMs: number;
  readonly random: () => number;
  readonly propertyTypes: ReadonlyMap<string, string>;
  /** Which of the rows are wanted with their cells; `byGroup` counts them group by group. */
  readonly page: { readonly offset: number; readonly limit: number; readonly byGroup?: true };
  /** Whether to look at every file, even at those that the index can rule out. For tests. */
  readonly everyFile?: boolean;
}

/** The rows of a view. */
export interface ViewResult {
  readonly columns: readonly PropertyId[];
  /** How many files pass the filters. */
  readonly matching: number;
  /** How many rows there are: the files that match, up to the view's limit. */
  readonly total: number;
  /** The files of the rows of the page. */
  readonly paths: readonly string[];
  /** Their cells. */
  readonly rows: readonly (readonly ValueJson[])[];
  readonly groups?: readonly ViewGroup[];
  /** By property id. */
  readonly summaries?: Readonly<Record<string, ValueJson>>;
  readonly errors: readonly BaseErrorReport[];
}

export interface ViewGroup {
  readonly key: ValueJson;
  readonly paths: readonly string[];
  readonly summaries?: Readonly<Record<string, ValueJson>>;
}

/** Hypothesis: a view that names no columns has the file's name alone. */
const defaultColumns: readonly PropertyId[] = [{ kind: 'file', name: 'name' }];

/**
 * Evaluates one view: filters, then sort, limit, columns, groups and summaries over the rows that are
 * left. What is wrong inside the base is in `errors`.
 */
export function runView(source: FactSource, request: ViewRequest): Promise<ViewResult> {
  return new ViewRun(source, request).run();
}

/** A file that passed the filters. What only some rows need is made when it is first asked for. */
class FoundRow {
  readonly path: string;
  /** The values by which it is sorted. */
  readonly keys: Value[] = [];
  /** The value by which it is grouped. */
  group: Value = null;
  readonly #context: Omit<RowContext, 'file'>;
  #row: Row | undefined;
  #byPath: CollatedText | undefined;

  constructor(path: string, context: Omit<RowContext, 'file'>) {
    this.path = path;
    this.#context = context;
  }

  get row(): Row {
    this.#row ??= new Row({ ...this.#context, file: this.path });
    return this.#row;
  }

  /**
   * The value of a property. Only a formula needs the row, so that many thousands of files can be
   * sorted without one. Throws as `Row.property` does.
   */
  value({ kind, name }: PropertyId): Value {
    const { world } = this.#context;
    if (kind === 'note') return noteProperty(world, this.path, name);
    if (kind === 'file') return memberOf(world, new FileValue(this.path), name, nowhere);
    this.row.restart();
    return this.row.property(kind, name);
  }

  get byPath(): CollatedText {
    this.#byPath ??= collated(this.path);
    return this.#byPath;
  }
}

/** A group as the answer has it, and its rows. */
interface RowGroup {
  readonly answer: ViewGroup;
  readonly rows: readonly FoundRow[];
}

class ViewRun {
  readonly #source: FactSource;
  readonly #request: ViewRequest;
  readonly #world: LoadedWorld;
  readonly #settler: Settler;
  readonly #errors: BaseErrors;
  readonly #context: Omit<RowContext, 'file'>;
  /** The errors that a row has reported, so that it reports each once. */
  readonly #reported = new Map<string, Set<string>>();

  constructor(source: FactSource, request: ViewRequest) {
    const { base, self } = request;
    this.#source = source;
    this.#request = request;
    this.#world = new LoadedWorld(request);
    this.#settler = new Settler(source, this.#world);
    this.#errors = new BaseErrors(base.formulas);
    const formulas = new Map(Array.from(base.formulas, ([name, { parsed }]) => [name, parsed]));
    this.#context = { world: this.#world, self, source: request.source, formulas };
  }

  async run(): Promise<ViewResult> {
    const { view, page } = this.#request;
    const found = await this.#matching();
    const total = Math.min(found.length, view.limit ?? found.length);
    const needsAll = view.group !== undefined || view.summaries.length > 0;
    const needed = needsAll ? total : Math.min(total, page.offset + page.limit);
    const shown = await this.#sorted(found, needed);
    const columns = view.order ?? defaultColumns;
    const { group } = view;
    const first =
      group === undefined || page.byGroup === undefined
        ? undefined
        : await this.#groups(shown, group);
    const ordered = first?.flatMap((each) => each.rows) ?? shown;
    const inPage = ordered.slice(page.offset, page.offset + page.limit);
    const rows = await this.#cells(inPage, columns);
    const groups = group === undefined ? undefined : (first ?? (await this.#groups(shown, group)));
    const summaries =
      view.summaries.length === 0 ? undefined : await this.#summaries(shown, { counts: true });
    return {
      columns,
      matching: found.length,
      total,
      paths: inPage.map(({ path }) => path),
      rows,
      ...(groups === undefined ? {} : { groups: groups.map(({ answer }) => answer) }),
      ...(summaries === undefined ? {} : { summaries }),
      errors: this.#errors.all,
    };
  }

  /** The files that pass the filters of base and view, in no order. */
  async #matching(): Promise<readonly FoundRow[]> {
    const { base, view, everyFile = false } = this.#request;
    const filters = [base.filter, view.filter].filter((filter) => filter !== undefined);
    const wrong = filters.flatMap(unreadable);
    for (const statement of wrong) {
      if (statement.parsed instanceof ExpressionError) {
        this.#errors.add(statement.at, statement.parsed, statement);
      }
    }
    if (wrong.length > 0) return [];
    const conditions = everyFile
      ? {}
      : await this.#settler.one(() => filterConditions(filters, this.#context));
    const { sort, group, summaries } = view;
    const ofAll = [...sort, ...(group === undefined ? [] : [group])].map(
      ({ property }) => property,
    );
    const needed = neededParts(base, conditions.decisive === true ? [] : filters, [
      ...ofAll,
      ...summaries.map(([property]) => property),
    ]);
    const kept: FoundRow[] = [];
    let after: string | undefined;
    for (;;) {
      const files = await this.#source.files({
        conditions,
        parts: Array.from(new Set([...needed, ...this.#settler.parts])),
        ...(after === undefined ? {} : { after }),
        limit: limits.baseBatchFiles,
      });
      for (const facts of files) this.#world.put(facts);
      const sure = files.filter((each) => each.sure === true);
      for (const { path } of sure) kept.push(new FoundRow(path, this.#context));
      const unsure = files.filter((each) => each.sure !== true).map(({ path }) => path);
      kept.push(...(await this.#filtered(unsure, filters)));
      after = files.at(-1)?.path;
      if (after === undefined || files.length < limits.baseBatchFiles) break;
    }
    return kept;
  }

  async #filtered(
    paths: readonly string[],
    filters: readonly BaseFilter[],
  ): Promise<readonly FoundRow[]> {
    const passing = new Map<string, FoundRow>();
    await this.#settler.each(paths, (path) => {
      const found = new FoundRow(path, this.#context);
      try {
        if (filters.every((filter) => passes(filter, found.row))) passing.set(path, found);
      } catch (error) {
        if (!(error instanceof FilterFailure)) throw error;
        this.#errors.add(error.statement.at, error.error, error.statement);
      }
    });
    for (const path of paths) {
      if (!passing.has(path) && path !== this.#request.self) this.#world.forget(path);
    }
    return Array.from(passing.values());
  }

  /** The first rows in the order of the view; equal ones in path order. */
  async #sorted(found: readonly FoundRow[], count: number): Promise<readonly FoundRow[]> {
    const { sort } = this.#request.view;
    await this.#settler.each(sort.length === 0 ? [] : found, (each) => {
      sort.forEach(({ property }, at) => {
        each.keys[at] = this.#value(each, property);
      });
    });
    for (const at of sort.keys()) completeBooleans(found, at);
    const keyed = found.map((each) => ({ each, by: each.keys.map(sortKey) }));
    const sorted = firstInOrder(keyed, count, (a, b) => {
      for (let at = 0; at < sort.length; at++) {
        const direction = sort[at]?.direction ?? 'ASC';
        const order = compareKeys(a.by[at] ?? none, b.by[at] ?? none, direction);
        if (order !== 0) return order;
      }
      return compareTexts(a.each.byPath, b.each.byPath);
    });
    return sorted.map(({ each }) => each);
  }

  async #cells(
    rows: readonly FoundRow[],
    columns: readonly PropertyId[],
  ): Promise<readonly (readonly ValueJson[])[]> {
    const cells = new Map<FoundRow, readonly ValueJson[]>();
    await this.#settler.each(rows, (found) => {
      found.row.restart();
      cells.set(
        found,
        columns.map((column) => this.#json(found, column)),
      );
    });
    return rows.map((row) => cells.get(row) ?? []);
  }

  #json({ row, path }: FoundRow, property: PropertyId): ValueJson {
    try {
      return valueJson(row.property(property.kind, property.name));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#report(path, property, error);
      return { $error: error.code };
    }
  }

  /** The value of a property; null when it fails, which is reported. */
  #value(found: FoundRow, property: PropertyId): Value {
    try {
      return found.value(property);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#report(found.path, property, error);
      return null;
    }
  }

  #report(path: string, property: PropertyId, error: ExpressionError): void {
    const at = idText(property);
    const reported = this.#reported.get(path) ?? new Set();
    this.#reported.set(path, reported);
    if (reported.has(at)) return;
    reported.add(at);
    const { formulas } = this.#request.base;
    this.#errors.add(
      at,
      error,
      property.kind === 'formula' ? formulas.get(property.name) : undefined,
    );
  }

  async #groups(rows: readonly FoundRow[], group: BaseSort): Promise<readonly RowGroup[]> {
    // Many rows share a value, and what is made of it is made once.
    const keyOf = new Map<Value, ValueJson>();
    await this.#settler.each(rows, (found) => {
      found.group = this.#value(found, group.property);
      if (!keyOf.has(found.group)) keyOf.set(found.group, valueJson(found.group));
    });
    const groups = new Map<string, { value: Value; key: ValueJson; rows: FoundRow[] }>();
    const byValue = new Map<Value, FoundRow[]>();
    for (const found of rows) {
      const { group: value } = found;
      const known = byValue.get(value);
      if (known !== undefined) {
        known.push(found);
        continue;
      }
      const key = keyOf.get(value) ?? null;
      const mayHaveLinks = typeof key === 'object' && !(value instanceof DateValue);
      const id = mayHaveLinks ? JSON.stringify(key, onlyWritten) : JSON.stringify(key);
      const same = groups.get(id) ?? { value, key, rows: [] };
      groups.set(id, same);
      byValue.set(value, same.rows);
      same.rows.push(found);
    }
    const all = sortedBy(Array.from(groups.values()), ({ value }) => value, group.direction);
    // The group without a key is the last one, after those whose key is empty in another way.
    const sorted = [
      ...all.filter(({ key }) => key !== null),
      ...all.filter(({ key }) => key === null),
    ];
    const answered: RowGroup[] = [];
    for (const { key, rows: own } of sorted) {
      const paths = own.map(({ path }) => path);
      if (this.#request.view.summaries.length === 0) {
        answered.push({ answer: { key, paths }, rows: own });
      } else {
        const summaries = await this.#summaries(own, { counts: false });
        answered.push({ answer: { key, paths, summaries }, rows: own });
      }
    }
    return answered;
  }

  /** The summaries of some rows; `counts` says whether their errors are reported. */
  async #summaries(
    rows: readonly FoundRow[],
    { counts }: { readonly counts: boolean },
  ): Promise<Readonly<Record<string, ValueJson>>> {
    const answer: Record<string, ValueJson> = {};
    for (const [property, name] of this.#request.view.summaries) {
      const values: Value[] = [];
      await this.#settler.each(Array.from(rows.entries()), ([at, row]) => {
        values[at] = this.#value(row, property);
      });
      answer[idText(property)] = await this.#summary(name, values).catch((error: unknown) => {
        if (!(error instanceof ExpressionError)) throw error;
        const written = this.#request.base.summaries.get(name);
        if (counts) this.#errors.add(`summaries.${idText(property)}`, error, written);
        return { $error: error.code };
      });
    }
    return answer;
  }

  async #summary(name: string, values: readonly Value[]): Promise<ValueJson> {
    const own = this.#request.base.summaries.get(name);
    const place = { world: this.#world, source: this.#context.source };
    return this.#settler.one(() => {
      if (own === undefined) return valueJson(summarize(name, values, place));
      if (own.parsed instanceof ExpressionError) throw own.parsed;
      const row = new Row({ ...this.#context, file: undefined, values });
      return valueJson(row.value(own.parsed));
    });
  }
}

const none = sortKey(null);
const nowhere = { start: 0, end: 0 };

/** In a column of booleans, null counts as false. */
function completeBooleans(found: readonly FoundRow[], at: number): void {
  const isBooleans =
    found.some(({ keys }) => typeof keys[at] === 'boolean') &&
    found.every(({ keys }) => keys[at] === null || typeof keys[at] === 'boolean');
  if (!isBooleans) return;
  for (const { keys } of found) keys[at] ??= false;
}

/** Groups by what a link says, wherever it leads. */
function onlyWritten(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$link' in value ? value.$link : value;
}
