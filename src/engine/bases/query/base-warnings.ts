import { limits } from '../../../base/limits.ts';
import type { Base, BaseExpression, BaseFilter, BaseView } from '../syntax/base.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';

/** Something in a base that works, and that should be written in another way. */
export interface BaseWarning {
  /** Where in the base, such as `filters.and[0]` or `formula.total`. */
  readonly at: string;
  readonly message: string;
  /** Where in the text of the base, from 1; absent where it is not written there. */
  readonly line?: number;
  readonly column?: number;
}

/** The functions of Obsidian 1.9.0 and 1.9.1 that still work, and what to write now. */
const oldFunctions: ReadonlyMap<string, string> = new Map([
  ['not', '!x'],
  ['empty', 'x.isEmpty()'],
  ['notEmpty', '!x.isEmpty()'],
]);

/** The old functions that a base and one of its views use, each place once. */
export function baseWarnings(base: Base, view: BaseView): readonly BaseWarning[] {
  const filters = [base.filter, view.filter].filter((filter) => filter !== undefined);
  const written = [...filters.flatMap(statements), ...base.formulas.values()];
  return written
    .concat(Array.from(base.summaries.values()))
    .flatMap(oldCalls)
    .slice(0, limits.baseErrorsMax);
}

function statements(filter: BaseFilter): readonly BaseExpression[] {
  if (filter.kind === 'constant') return [];
  return filter.kind === 'statement' ? [filter.statement] : filter.items.flatMap(statements);
}

function oldCalls({ at, parsed, placeOf }: BaseExpression): readonly BaseWarning[] {
  if (parsed instanceof ExpressionError) return [];
  const found: BaseWarning[] = [];
  const left = [parsed];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    left.push(...Array.from(childrenOf(each)).reverse());
    if (each.kind !== 'call' || each.receiver !== undefined) continue;
    const now = oldFunctions.get(each.name);
    if (now === undefined || found.length >= limits.baseErrorsMax) continue;
    const message = `${each.name}(x) is of an old version of Bases. Write: ${now}`;
    found.push({ at, message, ...placeOf?.(each.nameRange.start) });
  }
  return found;
}
