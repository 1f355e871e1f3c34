import { limits } from '../../../base/limits.ts';
import type { BaseExpression } from '../syntax/base.ts';
import type { ExpressionError } from '../syntax/expression-error.ts';

/** An error inside a base, as an answer reports it. */
export interface BaseErrorReport {
  /** Where in the base, such as `filters.and[0]` or `formula.total`. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
  /** Where in the text of the base, from 1; absent where it is not written there. */
  readonly line?: number;
  readonly column?: number;
  /** For how many files it occurred. */
  readonly count: number;
}

/** Collects the errors of a query: each place and kind once, with the number of files. */
export class BaseErrors {
  readonly #found = new Map<string, BaseErrorReport>();
  readonly #formulas: ReadonlyMap<string, BaseExpression>;

  constructor(formulas: ReadonlyMap<string, BaseExpression>) {
    this.#formulas = formulas;
  }

  get all(): readonly BaseErrorReport[] {
    return Array.from(this.#found.values());
  }

  /** Reports an error at a place. `written` is the expression whose text its range is about. */
  add(at: string, error: ExpressionError, written?: BaseExpression): void {
    const key = `${error.code} ${at}`;
    const known = this.#found.get(key);
    if (known !== undefined) {
      this.#found.set(key, { ...known, count: known.count + 1 });
    } else if (this.#found.size < limits.baseErrorsMax) {
      const { code, message, range, formula } = error;
      const origin = formula === undefined ? written : this.#formulas.get(formula);
      const place = origin?.placeOf?.(range?.start ?? 0);
      this.#found.set(key, { at, code, message, ...place, count: 1 });
    }
  }
}
