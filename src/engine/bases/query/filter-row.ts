import type { BaseExpression, BaseFilter } from '../syntax/base.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { isTruthy } from '../values/value.ts';
import type { Row } from './evaluate.ts';

/** Thrown when a statement of a filter fails for a row. */
export class FilterFailure extends Error {
  readonly statement: BaseExpression;
  readonly error: ExpressionError;

  constructor(statement: BaseExpression, error: ExpressionError) {
    super(error.message);
    this.statement = statement;
    this.error = error;
  }
}

/**
 * Whether a row passes a filter. A list without conditions lets every row pass. Throws `FilterFailure`
 * when a statement that has to be evaluated fails.
 */
export function passes(filter: BaseFilter, row: Row): boolean {
  switch (filter.kind) {
    case 'constant':
      return filter.value;
    case 'statement':
      return holds(filter.statement, row);
    case 'and':
      return filter.items.every((item) => passes(item, row));
    case 'or':
      return filter.items.length === 0 || filter.items.some((item) => passes(item, row));
    default:
      return !filter.items.some((item) => passes(item, row));
  }
}

function holds(statement: BaseExpression, row: Row): boolean {
  const { parsed } = statement;
  try {
    if (parsed instanceof ExpressionError) throw parsed;
    return isTruthy(row.value(parsed));
  } catch (error) {
    throw error instanceof ExpressionError ? new FilterFailure(statement, error) : error;
  }
}

/** The statements of a filter that cannot be read: with one of them, a view has no rows. */
export function unreadable(filter: BaseFilter): readonly BaseExpression[] {
  if (filter.kind === 'constant') return [];
  if (filter.kind !== 'statement') return filter.items.flatMap(unreadable);
  return filter.statement.parsed instanceof ExpressionError ? [filter.statement] : [];
}
