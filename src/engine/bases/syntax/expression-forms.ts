import type { BaseFilter } from './base.ts';
import type { Expression } from './expression.ts';
import { ExpressionError } from './expression-error.ts';

/** The statements that must all hold, each split at its `&&`. */
export function requiredBy(filter: BaseFilter): readonly Expression[] {
  if (filter.kind === 'and') return filter.items.flatMap(requiredBy);
  if (filter.kind !== 'statement' || filter.statement.parsed instanceof ExpressionError) return [];
  const parts: Expression[] = [];
  let left: Expression = filter.statement.parsed;
  while (left.kind === 'binary' && left.operator === '&&') {
    parts.push(left.right);
    left = left.left;
  }
  return [left, ...parts];
}

/** The name of a note's property, where the expression is one. */
export function noteProperty(expression: Expression): string | undefined {
  if (expression.kind === 'name') {
    return ['file', 'note', 'formula', 'this'].includes(expression.name)
      ? undefined
      : expression.name;
  }
  if (expression.kind !== 'member' && expression.kind !== 'index') return undefined;
  if (expression.of.kind !== 'name' || expression.of.name !== 'note') return undefined;
  if (expression.kind === 'member') return expression.name;
  const { at } = expression;
  return at.kind === 'literal' && typeof at.value === 'string' ? at.value : undefined;
}

/** Whether an expression is `file.<name>`. */
export function isFileField(expression: Expression, name: string): boolean {
  return (
    expression.kind === 'member' &&
    expression.name === name &&
    expression.of.kind === 'name' &&
    expression.of.name === 'file'
  );
}

/** The arguments, where each is a text in quotes; undefined otherwise. */
export function literalTexts(args: readonly Expression[]): readonly string[] | undefined {
  const texts = args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined));
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}
