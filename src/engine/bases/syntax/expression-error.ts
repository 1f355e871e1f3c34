import type { TextRange } from '../../../base/text-range.ts';

/** What can be wrong with an expression, or with its evaluation for one file. */
type ExpressionErrorCode =
  | 'parse'
  | 'type'
  | 'unknown_function'
  | 'unknown_member'
  | 'unknown_summary'
  | 'unknown_view'
  | 'cycle'
  | 'budget'
  | 'unsupported'
  | 'base_schema';

/**
 * An error inside a base. The call does not fail: the code that evaluates the expression catches the
 * error and answers it as data, with its place in the text of the base.
 */
export class ExpressionError extends Error {
  readonly code: ExpressionErrorCode;
  /** Where in the text of the expression; absent when it is about all of it. */
  readonly range: TextRange | undefined;
  /** The formula in whose text the range is, when it was reached from another expression. */
  formula?: string;

  constructor(code: ExpressionErrorCode, message: string, range?: TextRange) {
    super(message);
    this.code = code;
    this.range = range;
  }
}
