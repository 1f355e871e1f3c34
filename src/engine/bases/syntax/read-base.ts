import { limits } from '../../../base/limits.ts';
import { LineIndex } from '../../../base/text-range.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { readYaml, YamlRefusal } from '../../../markdown/properties/yaml-document.ts';
import { valueStart } from '../../../markdown/properties/yaml-nodes.ts';
import { scalarOffsets } from '../../../markdown/properties/yaml-offsets.ts';
import { type FoundString, YamlValues } from '../../../markdown/properties/yaml-values.ts';
import type { Base, BaseExpression, BasePlace, BaseSort, BaseView } from './base.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse-expression.ts';
import { idText, propertyId } from './property-id.ts';
import { FilterReader } from './read-filter.ts';

/** Why a base cannot be used at all. Nothing of it is evaluated. */
export class BaseFault extends Error {
  readonly code: 'base_yaml' | 'base_schema';
  /** Where in the base; empty for the whole of it. */
  readonly at: string;
  readonly place: BasePlace | undefined;

  constructor(code: BaseFault['code'], at: string, message: string, place?: BasePlace) {
    super(message);
    this.code = code;
    this.at = at;
    this.place = place;
  }
}

/** Reads the text of a base. Throws `BaseFault`, and nothing else, when it cannot be used. */
export function readBase(text: string): Base {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const source = text.slice(start);
  const strings = new Map<string, FoundString>();
  const lines = new LineIndex(source);
  const placeAt = (offset: number): BasePlace => {
    const { line, col } = lines.positionAt(offset);
    return { line: line + 1, column: col + 1 };
  };
  try {
    const document = readYaml(source, limits.baseYamlNestingMax);
    const values = new YamlValues(document, source, limits.baseYamlNestingMax);
    const value = values.valueOf(document.contents, (found) => {
      strings.set(found.path, found);
    });
    return baseFrom(value, {
      ofString: (path) => {
        const found = strings.get(path);
        if (found === undefined || found.aliased) return undefined;
        let offsets: readonly number[] | undefined;
        return (offset) => {
          offsets ??= scalarOffsets(source, found.range, found.text);
          return placeAt(offsets?.[offset] ?? found.range.start);
        };
      },
      ofValue: (path) => {
        const start = valueStart(document, path.split('.').slice(1));
        return start === undefined ? undefined : placeAt(start);
      },
    });
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    throw new BaseFault('base_yaml', '', error.message, placeAt(error.range.start));
  }
}

/** Where values are written. A path such as `.views.0.order` has the keys that lead to one. */
export interface BasePlaces {
  /** Finds the place of a character of a string; undefined where no string is written. */
  ofString(path: string): BaseExpression['placeOf'] | undefined;
  /** The place of a value whose keys have no dots. */
  ofValue(path: string): BasePlace | undefined;
}

const nowhere: BasePlaces = { ofString: () => undefined, ofValue: () => undefined };

/** Makes a base of plain values, as YAML has them. Throws `BaseFault` as `readBase` does. */
export function baseFrom(value: PropertyValue, places: BasePlaces = nowhere): Base {
  if (value === null) return new BaseReader({}, places).read();
  if (!isMap(value)) {
    const message = 'A base must be a mapping with keys such as "filters" and "views".';
    throw new BaseFault('base_schema', '', message, places.ofValue(''));
  }
  return new BaseReader(value, places).read();
}

type ValueMap = Readonly<Record<string, PropertyValue>>;

function isMap(value: PropertyValue | undefined): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isValueList(value: PropertyValue | undefined): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** The keys of a view that have a field of their own in `BaseView`. */
const viewKeys = new Set([
  'type',
  'name',
  'filters',
  'order',
  'sort',
  'groupBy',
  'group_by',
  'limit',
  'summaries',
]);

class BaseReader {
  readonly #base: ValueMap;
  readonly #places: BasePlaces;

  constructor(base: ValueMap, places: BasePlaces) {
    this.#base = base;
    this.#places = places;
  }

  read(): Base {
    return {
      filter: this.#filters().read(this.#base['filters'], { at: 'filters', path: '.filters' }),
      formulas: this.#expressions('formulas', 'formula'),
      titles: this.#titles(),
      summaries: this.#expressions('summaries', 'summary'),
      views: this.#views(),
    };
  }

  #filters(): FilterReader {
    return new FilterReader(
      (text, where) => this.#expression(text, where),
      (path) => this.#places.ofValue(path),
    );
  }

  #expression(text: string, { at, path }: { at: string; path: string }): BaseExpression {
    const placeOf = this.#places.ofString(path);
    return { at, text, parsed: parsedOrError(text), ...(placeOf === undefined ? {} : { placeOf }) };
  }

  /** The expressions of `formulas` or `summaries`; a number or a boolean counts as its text. */
  #expressions(key: 'formulas' | 'summaries', as: string): ReadonlyMap<string, BaseExpression> {
    return new Map(
      Object.entries(this.#map(key)).map(([name, value]) => {
        const where = { at: `${as}.${name}`, path: `.${key}.${name}` };
        if (isScalar(value)) return [name, this.#expression(String(value), where)];
        const parsed = new ExpressionError('parse', `A ${as} is one expression, such as: 2 * n`);
        const placeOf = () => this.#places.ofValue(where.path);
        return [name, { at: where.at, text: '', parsed, placeOf }];
      }),
    );
  }

  #titles(): ReadonlyMap<string, string> {
    const titles = new Map<string, string>();
    for (const [id, title] of Object.entries(this.#map('display'))) {
      if (typeof title === 'string') titles.set(idText(propertyId(id)), title);
    }
    for (const [id, settings] of Object.entries(this.#map('properties'))) {
      const title = isMap(settings) ? settings['displayName'] : undefined;
      if (typeof title === 'string') titles.set(idText(propertyId(id)), title);
    }
    return titles;
  }

  /** A mapping of the base; absent and empty ones are alike. */
  #map(key: string): ValueMap {
    const value = this.#base[key];
    if (value === undefined || value === null) return {};
    if (isMap(value)) return value;
    const message = `"${key}" must be a mapping, with a name on each line.`;
    throw new BaseFault('base_schema', key, message, this.#places.ofValue(`.${key}`));
  }

  #views(): readonly BaseView[] {
    const views = this.#base['views'];
    if (views === undefined || views === null) return [this.#view({}, 0)];
    if (!isValueList(views)) {
      const message = '"views" must be a list of views, such as: - type: table';
      throw new BaseFault('base_schema', 'views', message, this.#places.ofValue('.views'));
    }
    if (views.length === 0) return [this.#view({}, 0)];
    return views.map((view, index) => {
      if (isMap(view)) return this.#view(view, index);
      const message = 'A view must be a mapping with keys such as "type" and "name".';
      const place = this.#places.ofValue(`.views.${index}`);
      throw new BaseFault('base_schema', `views[${index}]`, message, place);
    });
  }

  #view(view: ValueMap, index: number): BaseView {
    const where = { at: `views[${index}].filters`, path: `.views.${index}.filters` };
    const order = view['order'];
    const group = view['groupBy'] ?? view['group_by'];
    const limit = view['limit'];
    const summaries = view['summaries'];
    const type = textOr(view['type'], 'table');
    return {
      type,
      name: textOr(view['name'], type.charAt(0).toUpperCase() + type.slice(1)),
      filter: this.#filters().read(view['filters'], where),
      order: isValueList(order)
        ? order.filter(isScalar).map((id) => propertyId(String(id)))
        : undefined,
      sort: isValueList(view['sort'])
        ? view['sort'].map(sortOf).filter((sort) => sort !== undefined)
        : [],
      group: sortOf(isScalar(group) ? { property: group } : group),
      // Hypothesis: 0, a negative number and what is no number mean no limit.
      limit: typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : undefined,
      summaries: isMap(summaries)
        ? Object.entries(summaries)
            .filter(([, name]) => isScalar(name))
            .map(([id, name]) => [propertyId(id), String(name)] as const)
        : [],
      settings: Object.fromEntries(Object.entries(view).filter(([key]) => !viewKeys.has(key))),
      placeOf: (at) => this.#placeOf(view, index, at),
    };
  }

  /** The first place where a view names a property, or the name of its summary. */
  #placeOf(view: ValueMap, index: number, at: string): BasePlace | undefined {
    const listed = ['order', 'sort', 'groupBy', 'group_by'].flatMap((key) => {
      const value = view[key];
      const path = `.views.${index}.${key}`;
      return isValueList(value)
        ? value.flatMap((each, n) => namedIn(each, `${path}.${n}`))
        : namedIn(value, path);
    });
    const summaries = isMap(view['summaries']) ? Object.keys(view['summaries']) : [];
    const summarized = summaries.flatMap((id) => {
      const path = `.views.${index}.summaries.${id}`;
      return namedIn(id, path).map(([name]) => [`summaries.${name}`, path] as const);
    });
    const path = [...listed, ...summarized].find(([name]) => name === at)?.[1];
    return path === undefined ? undefined : this.#places.ofString(path)?.(0);
  }
}

/** The property that a column, a sort or a group names, and the path of its string. */
function namedIn(
  value: PropertyValue | undefined,
  path: string,
): readonly (readonly [name: string, path: string])[] {
  if (isScalar(value)) return [[idText(propertyId(String(value))), path]];
  if (!isMap(value)) return [];
  return ['property', 'column'].flatMap((key) => {
    const named = value[key];
    return isScalar(named) ? namedIn(named, `${path}.${key}`) : [];
  });
}

/** The tree of an expression, or why it has none. */
export function parsedOrError(text: string): BaseExpression['parsed'] {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

function isScalar(value: PropertyValue | undefined): value is string | number | boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

function textOr(value: PropertyValue | undefined, other: string): string {
  return isScalar(value) && value !== '' ? String(value) : other;
}

/** An entry of `sort`; undefined for one that names no property, which is dropped as in the app. */
function sortOf(value: PropertyValue | undefined): BaseSort | undefined {
  if (!isMap(value)) return undefined;
  const property = value['property'] ?? value['column'];
  if (!isScalar(property) || property === '') return undefined;
  const isDescending = String(value['direction'] ?? '').toUpperCase() === 'DESC';
  return { property: propertyId(String(property)), direction: isDescending ? 'DESC' : 'ASC' };
}
