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

/** Functions to which a text is given more often than a property. */
const mayTakeText: ReadonlySet<string> = new Set([
  'contains',
  'containsAny',
  'containsAll',
  'startsWith',
  'endsWith',
  'hasLink',
  'link',
  'file',
]);

/** Names that are no properties of the note, at least where they may stand. */
const otherNames: ReadonlySet<string> = new Set([
  'this',
  'file',
  'note',
  'formula',
  'value',
  'values',
  'index',
  'acc',
]);

/** A name that may be a text without its quotes, and the warning if no note has such a property. */
interface BareName {
  readonly name: string;
  readonly warning: BaseWarning;
}

/** The names such as `open` in `status == open`, each place once. */
export function bareNames(base: Base, view: BaseView): readonly BareName[] {
  return expressionsOf(base, view).flatMap(({ at, parsed, placeOf }) => {
    const found: BareName[] = [];
    for (const each of nodesOf(parsed)) {
      for (const asked of textPlaces(each)) {
        if (asked.kind !== 'name' || otherNames.has(asked.name)) continue;
        const { name, range } = asked;
        const message = `No note has a property "${name}". If it is a text, write: "${name}"`;
        found.push({ name, warning: { at, message, ...placeOf?.(range.start) } });
      }
    }
    return found;
  });
}

function textPlaces(expression: Expression): readonly Expression[] {
  if (expression.kind === 'binary') {
    const isEquality = expression.operator === '==' || expression.operator === '!=';
    return isEquality ? [expression.right] : [];
  }
  return expression.kind === 'call' && mayTakeText.has(expression.name) ? expression.args : [];
}

/** What a base and one of its views should write in another way, each place once. */
export function baseWarnings(base: Base, view: BaseView): readonly BaseWarning[] {
  return expressionsOf(base, view)
    .concat(Array.from(base.summaries.values()))
    .flatMap(doubtfulCalls)
    .slice(0, limits.baseErrorsMax);
}

function expressionsOf(base: Base, view: BaseView): readonly BaseExpression[] {
  const filters = [base.filter, view.filter].filter((filter) => filter !== undefined);
  return [...filters.flatMap(statements), ...base.formulas.values()];
}

function statements(filter: BaseFilter): readonly BaseExpression[] {
  if (filter.kind === 'constant') return [];
  return filter.kind === 'statement' ? [filter.statement] : filter.items.flatMap(statements);
}

function doubtfulCalls({ at, parsed, placeOf }: BaseExpression): readonly BaseWarning[] {
  const found: BaseWarning[] = [];
  for (const each of nodesOf(parsed)) {
    if (each.kind !== 'call' || found.length >= limits.baseErrorsMax) continue;
    const message = doubtAbout(each);
    if (message !== undefined) found.push({ at, message, ...placeOf?.(each.nameRange.start) });
  }
  return found;
}

/** An expression and all that it is made of, in the order in which it is written. */
function nodesOf(parsed: BaseExpression['parsed']): readonly Expression[] {
  const nodes: Expression[] = [];
  const left = parsed instanceof ExpressionError ? [] : [parsed];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    nodes.push(each);
    left.push(...Array.from(childrenOf(each)).reverse());
  }
  return nodes;
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
