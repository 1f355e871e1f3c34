import { limits } from '../../../base/limits.ts';
import type { Base, BaseExpression, BaseFilter, BaseView } from '../syntax/base.ts';
import type { Expression } from '../syntax/expression.ts';
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

/** Functions that take text. A word without quotes is the property of that name, which has none of it. */
const takesText: ReadonlyMap<string, string> = new Map([
  ['hasTag', 'tag'],
  ['inFolder', 'folder'],
  ['hasProperty', 'property'],
]);

/** What a base and one of its views should write in another way, each place once. */
export function baseWarnings(base: Base, view: BaseView): readonly BaseWarning[] {
  const filters = [base.filter, view.filter].filter((filter) => filter !== undefined);
  const written = [...filters.flatMap(statements), ...base.formulas.values()];
  return written
    .concat(Array.from(base.summaries.values()))
    .flatMap(doubtfulCalls)
    .slice(0, limits.baseErrorsMax);
}

function statements(filter: BaseFilter): readonly BaseExpression[] {
  if (filter.kind === 'constant') return [];
  return filter.kind === 'statement' ? [filter.statement] : filter.items.flatMap(statements);
}

function doubtfulCalls({ at, parsed, placeOf }: BaseExpression): readonly BaseWarning[] {
  if (parsed instanceof ExpressionError) return [];
  const found: BaseWarning[] = [];
  const left = [parsed];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    left.push(...Array.from(childrenOf(each)).reverse());
    if (each.kind !== 'call' || found.length >= limits.baseErrorsMax) continue;
    const message = doubtAbout(each);
    if (message !== undefined) found.push({ at, message, ...placeOf?.(each.nameRange.start) });
  }
  return found;
}

function doubtAbout({
  receiver,
  name,
  args,
}: Extract<Expression, { kind: 'call' }>): string | undefined {
  const now = receiver === undefined ? oldFunctions.get(name) : undefined;
  if (now !== undefined) return `${name}(x) is of an old version of Bases. Write: ${now}`;
  const what = takesText.get(name);
  if (what === undefined) return undefined;
  const bare = args.find((arg) => arg.kind === 'name' && arg.name !== 'this');
  if (bare?.kind !== 'name') return undefined;
  return `${name}(${bare.name}) asks for the value of the property "${bare.name}". If "${bare.name}" is the ${what}, write: ${name}("${bare.name}")`;
}
