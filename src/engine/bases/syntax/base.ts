import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { Expression } from './expression.ts';
import type { ExpressionError } from './expression-error.ts';
import type { PropertyId } from './property-id.ts';

/** An expression of a base, or why it cannot be read. */
export interface BaseExpression {
  /** Where in the base, such as `filters.and[0]` or `formula.total`. */
  readonly at: string;
  /** As it is written; absent where `parsed` is not read from a text of this language. */
  readonly text?: string;
  readonly parsed: Expression | ExpressionError;
  /** Finds line and column of a character of the expression in the text of the base. */
  readonly placeOf?: (offset: number) => BasePlace | undefined;
}

/** A place in the text of a base; both count from 1. */
export interface BasePlace {
  readonly line: number;
  readonly column: number;
}

/** A filter: statements joined by `and`, `or` and `not` (none of them may be true). */
export type BaseFilter =
  | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly BaseFilter[] }
  | { readonly kind: 'statement'; readonly statement: BaseExpression }
  | { readonly kind: 'constant'; readonly value: boolean };

export interface BaseSort {
  readonly property: PropertyId;
  readonly direction: 'ASC' | 'DESC';
}

/** One view of a base. */
export interface BaseView {
  readonly name: string;
  /** `table`, `cards`, `list`, `map`, or any other word: plugins add their own. */
  readonly type: string;
  readonly filter: BaseFilter | undefined;
  /** The columns; undefined when the view does not say which. */
  readonly order: readonly PropertyId[] | undefined;
  readonly sort: readonly BaseSort[];
  readonly group: BaseSort | undefined;
  readonly limit: number | undefined;
  /** The name of the summary of each property. */
  readonly summaries: readonly (readonly [PropertyId, string])[];
  /** The other settings of the view, as they are written. */
  readonly settings: Readonly<Record<string, PropertyValue>>;
  /** Finds line and column of a property that the view names, by what errors call it. */
  readonly placeOf?: (at: string) => BasePlace | undefined;
}

/** A base as it is written. */
export interface Base {
  readonly filter: BaseFilter | undefined;
  readonly formulas: ReadonlyMap<string, BaseExpression>;
  /** The titles of properties (`displayName`), by their full id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly summaries: ReadonlyMap<string, BaseExpression>;
  readonly views: readonly BaseView[];
}
