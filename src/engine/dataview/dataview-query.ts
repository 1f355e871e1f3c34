import type { TextRange } from '../../base/text-range.ts';
import type { Expression } from '../bases/syntax/expression.ts';
import type { ExpressionError } from '../bases/syntax/expression-error.ts';

/** A query in the language of Dataview, as it is written. Ranges are places in its text. */
export interface DataviewQuery {
  readonly type: 'table' | 'list' | 'task' | 'calendar';
  /** Whether the first column is the file, or the key of a group. */
  readonly hasId: boolean;
  /** The columns of a table; the value of a list, if it has one. */
  readonly fields: readonly NamedExpression[];
  /** Which notes to look at; undefined for all. */
  readonly source: DataviewSource | undefined;
  /** In the order in which they are written and done. */
  readonly clauses: readonly DataviewClause[];
  /** What the query asks for that cannot be evaluated here, such as FLATTEN. */
  readonly unsupported: ExpressionError | undefined;
}

/** An expression with its name: what stands after AS, or else its own text. */
export interface NamedExpression {
  readonly expression: Expression;
  readonly name: string;
}

export type DataviewClause =
  | { readonly kind: 'where' | 'limit'; readonly expression: Expression }
  | { readonly kind: 'sort'; readonly keys: readonly SortKey[] }
  | { readonly kind: 'group'; readonly by: NamedExpression };

interface SortKey {
  readonly expression: Expression;
  readonly direction: 1 | -1;
}

/** What stands after FROM. */
export type DataviewSource = { readonly range: TextRange } & (
  | { readonly kind: 'tag'; readonly tag: string }
  /** A folder, or else the path of one note. */
  | { readonly kind: 'folder'; readonly path: string }
  /** Notes that link to a note, or that a note links to. An empty link means the note of the query. */
  | { readonly kind: 'incoming' | 'outgoing'; readonly link: string }
  | { readonly kind: 'not'; readonly item: DataviewSource }
  | { readonly kind: 'and' | 'or'; readonly items: readonly DataviewSource[] }
);
