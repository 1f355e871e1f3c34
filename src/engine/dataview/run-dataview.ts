import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import { type BaseErrorReport, BaseErrors } from '../bases/query/base-errors.ts';
import type { FactSource } from '../bases/query/fact-source.ts';
import { LoadedWorld } from '../bases/query/loaded-world.ts';
import { Settler } from '../bases/query/settle-rows.ts';
import type { Expression } from '../bases/syntax/expression.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { collated, compareTexts } from '../bases/values/collated-text.ts';
import { FileValue, isList, ObjectValue, type Value } from '../bases/values/value.ts';
import type { ValueJson } from '../bases/values/value-json.ts';
import type { FactConditions } from '../ports/records.ts';
import { dataviewJson, itemJson } from './dataview-json.ts';
import type { DataviewClause, DataviewQuery, NamedExpression } from './dataview-query.ts';
import { type DataviewContext, DataviewRow } from './dataview-row.ts';
import { type ResolvedSource, resolveSource } from './dataview-sources.ts';
import { compareValues, isTrue, settled } from './dataview-values.ts';
import { ItemObject, PageItems, pageLink } from './page-items.ts';
import { parseDataview } from './parse-dataview.ts';

/** A query to evaluate, and for what. */
export interface DataviewRequest {
  /** The text of the query. */
  readonly text: string;
  /** The note that `this` stands for; undefined without one. */
  readonly self: string | undefined;
  readonly nowMs: number;
  readonly propertyTypes: ReadonlyMap<string, string>;
  /** Which of the rows are wanted with their cells. */
  readonly page: { readonly offset: number; readonly limit: number };
}

/** The rows of a query. */
export interface DataviewResult {
  readonly type: DataviewQuery['type'];
  readonly columns: readonly string[];
  /** How many rows there are. */
  readonly total: number;
  /** The files of the rows of the page; empty for a row that is a group. */
  readonly paths: readonly string[];
  readonly rows: readonly (readonly ValueJson[])[];
  readonly errors: readonly BaseErrorReport[];
}

/**
 * Evaluates a query in the language of Dataview over the same facts as bases. What is wrong with it is
 * in `errors`; a query that cannot be read, or that asks for what is not supported, has no rows.
 */
export async function runDataview(
  source: FactSource,
  request: DataviewRequest,
): Promise<DataviewResult> {
  const places = new Places(request);
  const errors = new BaseErrors(new Map());
  const failed = (at: string, error: ExpressionError, type: DataviewQuery['type'] = 'table') => {
    errors.add(at, error, places.of(at));
    return { type, columns: [], total: 0, paths: [], rows: [], errors: errors.all };
  };
  let query: DataviewQuery;
  try {
    query = parseDataview(request.text);
  } catch (error) {
    if (error instanceof ExpressionError) return failed('query', error);
    throw error;
  }
  if (query.unsupported !== undefined) return failed('query', query.unsupported, query.type);
  try {
    return await new DataviewRun(source, request, { query, errors, places }).run();
  } catch (error) {
    if (error instanceof ExpressionError) return failed('query', error, query.type);
    throw error;
  }
}

/** Finds places in the text of a query. */
class Places {
  readonly #lines: LineIndex;

  constructor({ text }: DataviewRequest) {
    this.#lines = new LineIndex(text);
  }

  /** An expression of the query, in the form in which errors are reported. */
  of(at: string) {
    const placeOf = (offset: number) => {
      const { line, col } = this.#lines.positionAt(offset);
      return { line: line + 1, column: col + 1 };
    };
    return { at, parsed: noExpression, placeOf };
  }
}

/** What is read of every page at once: pages are often sorted by it. */
const everyPage = ['size', 'mtimeMs', 'birthMs'] as const;
const noExpression: Expression = { kind: 'literal', value: null, range: { start: 0, end: 0 } };

class DataviewRun {
  readonly #source: FactSource;
  readonly #request: DataviewRequest;
  readonly #query: DataviewQuery;
  readonly #errors: BaseErrors;
  readonly #places: Places;
  readonly #world: LoadedWorld;
  readonly #settler: Settler;
  readonly #context: DataviewContext;
  /** The names by which rows were grouped, the first GROUP BY first. */
  readonly #groups: string[] = [];
  /** The cells of each row whose errors are reported: a row may be evaluated again. */
  readonly #reported = new Map<DataviewRow, Set<string>>();

  constructor(
    source: FactSource,
    request: DataviewRequest,
    found: { readonly query: DataviewQuery; readonly errors: BaseErrors; readonly places: Places },
  ) {
    this.#source = source;
    this.#request = request;
    this.#query = found.query;
    this.#errors = found.errors;
    this.#places = found.places;
    // Dataview has no random numbers.
    this.#world = new LoadedWorld({ ...request, random: () => 0 });
    this.#settler = new Settler(source, this.#world);
    const items = new PageItems(this.#world);
    this.#context = { world: this.#world, items, self: request.self };
  }

  async run(): Promise<DataviewResult> {
    const { clauses, type } = this.#query;
    // Conditions that stand first are tested while files are read, so that the rest is forgotten.
    const others = clauses.findIndex(({ kind }) => kind !== 'where');
    const first = clauses.slice(0, others === -1 ? clauses.length : others);
    let rows = await this.#matching(first);
    for (const [at, clause] of clauses.entries()) {
      if (at >= first.length) rows = await this.#apply(clause, rows);
    }
    return type === 'task' ? this.#tasks(rows) : this.#table(rows);
  }

  /** The rows of the notes of the source that pass the first conditions, in path order. */
  async #matching(conditions: readonly DataviewClause[]): Promise<readonly DataviewRow[]> {
    const { self } = this.#request;
    const context = { facts: this.#source, world: this.#world, settler: this.#settler, self };
    const source = await resolveSource(this.#query.source, context);
    const asked: FactConditions = {
      ...source.conditions,
      extensions: ['md'],
      ...(this.#query.type === 'task' ? { hasTasks: true } : {}),
    };
    const kept: DataviewRow[] = [];
    let after: string | undefined;
    for (;;) {
      const files = await this.#source.files({
        conditions: asked,
        parts: Array.from(new Set([...everyPage, ...this.#settler.parts])),
        ...(after === undefined ? {} : { after }),
        limit: limits.baseBatchFiles,
      });
      for (const facts of files) this.#world.put(facts);
      const paths = files.map(({ path }) => path).filter((path) => /\.md$/i.test(path));
      let rows = await this.#rowsOf(paths, source);
      for (const clause of conditions) rows = await this.#apply(clause, rows);
      const used = new Set(rows.map(({ data }) => pathOf(data)));
      for (const { path } of files) {
        if (used.has(path) || path === self) continue;
        this.#world.forget(path);
        this.#context.items.forget(path);
      }
      kept.push(...rows);
      after = files.at(-1)?.path;
      if (after === undefined || files.length < limits.baseBatchFiles) break;
    }
    return kept
      .map((row) => ({ row, by: collated(pathOf(row.data)) }))
      .sort((a, b) => compareTexts(a.by, b.by))
      .map(({ row }) => row);
  }

  /** A row for each note, or for each of its tasks. */
  async #rowsOf(paths: readonly string[], source: ResolvedSource): Promise<readonly DataviewRow[]> {
    const found = new Map<string, readonly Value[]>();
    await this.#settler.each(paths, (path) => {
      if (!source.has(path)) return;
      const isTask = this.#query.type === 'task';
      found.set(path, isTask ? this.#context.items.tasksOf(path) : [new FileValue(path, true)]);
    });
    return paths.flatMap((path) =>
      (found.get(path) ?? []).map((data) => new DataviewRow(this.#context, data)),
    );
  }

  async #apply(
    clause: DataviewClause,
    rows: readonly DataviewRow[],
  ): Promise<readonly DataviewRow[]> {
    switch (clause.kind) {
      case 'where': {
        const passing = await this.#values('WHERE', rows, (row) =>
          isTrue(row.value(clause.expression)),
        );
        return rows.filter((row) => passing.get(row) === true);
      }
      case 'sort':
        return this.#sorted(rows, clause.keys);
      case 'limit':
        return rows.slice(0, await this.#limit(clause.expression));
      default:
        return this.#grouped(rows, clause.by);
    }
  }

  /** How many characters and elements the values have that are kept of all rows. */
  #kept = 0;

  /** What some work gives for each row; nothing for rows for which it fails, which is reported. */
  async #values<T>(
    at: string,
    rows: readonly DataviewRow[],
    work: (row: DataviewRow) => T,
  ): Promise<ReadonlyMap<DataviewRow, T>> {
    const values = new Map<DataviewRow, T>();
    await this.#settler.each(rows, (row) => {
      row.restart();
      try {
        const value = work(row);
        this.#kept += sizeOf(value);
        if (this.#kept > limits.dataviewKeptCharsMax) throw tooMuchKept();
        values.set(row, value);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        this.#errors.add(at, error, this.#places.of(at));
      }
    });
    return values;
  }

  /** A row whose key fails is sorted as if the key were null. */
  async #sorted(
    rows: readonly DataviewRow[],
    sort: (DataviewClause & { kind: 'sort' })['keys'],
  ): Promise<readonly DataviewRow[]> {
    const keys: ReadonlyMap<DataviewRow, Value>[] = [];
    for (const { expression } of sort) {
      keys.push(await this.#values('SORT', rows, (row) => settled(row.value(expression))));
    }
    return Array.from(rows).sort((a, b) => {
      for (const [at, { direction }] of sort.entries()) {
        const order = compareValues(keys[at]?.get(a) ?? null, keys[at]?.get(b) ?? null);
        if (order !== 0) return order * direction;
      }
      return 0;
    });
  }

  async #limit(expression: Expression): Promise<number> {
    const row = new DataviewRow(this.#context, null);
    const value = await this.#settler.one(() => row.value(expression));
    if (typeof value === 'number' && value >= 0) return value;
    throw new ExpressionError('type', 'LIMIT takes a number.', expression.range);
  }

  /** Joins rows with the same key, in the order of the keys. A key that fails counts as null. */
  async #grouped(
    rows: readonly DataviewRow[],
    { expression, name }: NamedExpression,
  ): Promise<readonly DataviewRow[]> {
    const keys = await this.#values('GROUP BY', rows, (row) => settled(row.value(expression)));
    const keyed = rows.map((row) => ({ data: row.data, key: keys.get(row) ?? null }));
    keyed.sort((a, b) => compareValues(a.key, b.key));
    const groups: { readonly key: Value; readonly rows: Value[] }[] = [];
    for (const { data, key } of keyed) {
      const last = groups.at(-1);
      if (last !== undefined && compareValues(last.key, key) === 0) last.rows.push(data);
      else groups.push({ key, rows: [data] });
    }
    this.#groups.push(name);
    return groups.map((group) => {
      const entries = new Map<string, () => Value>([
        [name, () => group.key],
        ['key', () => group.key],
        ['rows', () => group.rows],
      ]);
      return new DataviewRow(this.#context, new ObjectValue(entries));
    });
  }

  async #table(all: readonly DataviewRow[]): Promise<DataviewResult> {
    const { type, fields, hasId } = this.#query;
    const { offset, limit } = this.#request.page;
    const rows = all.slice(offset, offset + limit);
    const id = this.#groups.at(-1) ?? 'File';
    const columns = [...(hasId ? [id] : []), ...fields.map(({ name }) => name)];
    const cells: (readonly ValueJson[])[] = rows.map(() => []);
    await this.#settler.each(Array.from(rows.entries()), ([at, row]) => {
      row.restart();
      const own = fields.map(({ expression, name }) =>
        this.#cell(name, row, () => dataviewJson(row.value(expression), row)),
      );
      cells[at] = hasId ? [this.#cell(id, row, () => idJson(row)), ...own] : own;
    });
    const paths = rows.map(({ data }) => pathOf(data));
    return { type, columns, total: all.length, paths, rows: cells, errors: this.#errors.all };
  }

  /** A cell of a row. If it fails, that is reported once, and the cell is the error. */
  #cell(at: string, row: DataviewRow, work: () => ValueJson): ValueJson {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const reported = this.#reported.get(row) ?? new Set();
      this.#reported.set(row, reported);
      if (!reported.has(at)) this.#errors.add(at, error, this.#places.of(at));
      reported.add(at);
      return { $error: error.code };
    }
  }

  /** Tasks one after another; where they are grouped, each with the keys of its groups first. */
  async #tasks(all: readonly DataviewRow[]): Promise<DataviewResult> {
    const { offset, limit } = this.#request.page;
    const tasks = all.flatMap(({ data }) => Array.from(tasksIn(data)));
    const page = tasks.slice(offset, offset + limit);
    const rows: (readonly ValueJson[])[] = page.map(() => []);
    await this.#settler.each(Array.from(page.entries()), ([at, { task, keys }]) => {
      const row = new DataviewRow(this.#context, task);
      const { line, status = null, text } = task.item;
      const children = this.#cell('children', row, () =>
        task.children.map((child) => itemJson(child, row)),
      );
      const groups = keys.map((key) => this.#cell('GROUP BY', row, () => dataviewJson(key, row)));
      rows[at] = [...groups, line + 1, status, text, children];
    });
    return {
      type: 'task',
      columns: [...Array.from(this.#groups).reverse(), 'line', 'status', 'text', 'children'],
      total: tasks.length,
      paths: page.map(({ task }) => task.path),
      rows,
      errors: this.#errors.all,
    };
  }
}

/** The first column: the key of a group, or a link to the note. */
function idJson(row: DataviewRow): ValueJson {
  const { data } = row;
  return dataviewJson(data instanceof ObjectValue ? data.get('key') : pageLink(pathOf(data)), row);
}

/** The note of a row; empty for a group. */
function pathOf(data: Value): string {
  return data instanceof FileValue || data instanceof ItemObject ? data.path : '';
}

/** The tasks of a row, with the keys of the groups that they are in, the outermost first. */
function* tasksIn(
  data: Value,
): Generator<{ readonly task: ItemObject; readonly keys: readonly Value[] }> {
  if (data instanceof ItemObject) yield { task: data, keys: [] };
  else if (data instanceof ObjectValue) {
    const [key, rows] = [data.get('key'), data.get('rows')];
    if (!isList(rows)) return;
    for (const row of rows) {
      for (const { task, keys } of tasksIn(row)) yield { task, keys: [key, ...keys] };
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 1;
  return value.reduce(
    (sum: number, item) => sum + 1 + (typeof item === 'string' ? item.length : 0),
    1,
  );
}

function tooMuchKept(): ExpressionError {
  return new ExpressionError('budget', 'The values of all rows together are too long.');
}
