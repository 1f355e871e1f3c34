import { limits } from '../../../base/limits.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { BaseExpression, BaseFilter, BasePlace } from './base.ts';
import { ExpressionError } from './expression-error.ts';

/** Where a filter is: as errors name it, and as strings of the YAML are found. */
interface FilterPlace {
  readonly at: string;
  readonly path: string;
}

type ReadStatement = (text: string, where: FilterPlace) => BaseExpression;
type FindPlace = (path: string) => BasePlace | undefined;

/**
 * Reads filters. What is wrong with one becomes a statement that cannot be read: then the view has
 * no rows, and the error says where it is.
 */
export class FilterReader {
  readonly #readStatement: ReadStatement;
  readonly #findPlace: FindPlace;

  constructor(readStatement: ReadStatement, findPlace: FindPlace) {
    this.#readStatement = readStatement;
    this.#findPlace = findPlace;
  }

  /** Reads a filter; undefined when the base has none at this place. */
  read(value: PropertyValue | undefined, where: FilterPlace): BaseFilter | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    if (depthOf(value) > limits.baseFilterDepthMax) {
      const message = `Filters nest at most ${limits.baseFilterDepthMax} levels deep.`;
      return this.#wrong(where, new ExpressionError('budget', message));
    }
    return this.#filter(value, where);
  }

  #filter(value: PropertyValue, where: FilterPlace): BaseFilter {
    if (typeof value === 'boolean') return { kind: 'constant', value };
    if (typeof value === 'string' || typeof value === 'number') {
      return { kind: 'statement', statement: this.#readStatement(String(value), where) };
    }
    const entries = value === null || Array.isArray(value) ? [] : Object.entries(value);
    const [[kind, items] = []] = entries as readonly (readonly [string, PropertyValue])[];
    if (entries.length !== 1 || items === undefined || !isKind(kind)) {
      const message = 'A filter is an expression, or has exactly one of "and", "or" and "not".';
      return this.#wrong(where, new ExpressionError('base_schema', message));
    }
    const list = (Array.isArray(items) ? items : items === null ? [] : [items]) as PropertyValue[];
    return {
      kind,
      items: list.flatMap((item, index) => {
        const isListed = Array.isArray(items);
        const at = `${where.at}.${kind}${isListed ? `[${index}]` : ''}`;
        const path = `${where.path}.${kind}${isListed ? `.${index}` : ''}`;
        return item === null || item === '' ? [] : [this.#filter(item, { at, path })];
      }),
    };
  }

  #wrong({ at, path }: FilterPlace, error: ExpressionError): BaseFilter {
    const placeOf = () => this.#findPlace(path);
    return { kind: 'statement', statement: { at, text: at, parsed: error, placeOf } };
  }
}

function isKind(kind: string | undefined): kind is 'and' | 'or' | 'not' {
  return kind === 'and' || kind === 'or' || kind === 'not';
}

/** How many mappings of a filter are inside each other. YAML itself limits how deep they can be. */
function depthOf(value: PropertyValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value).map((each) => depthOf(each as PropertyValue));
  return inner.reduce((most, each) => Math.max(most, each), 0) + (Array.isArray(value) ? 0 : 1);
}
