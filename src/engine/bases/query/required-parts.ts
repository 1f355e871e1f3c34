import type { BaseFilter } from '../syntax/base.ts';
import type { Expression } from '../syntax/expression.ts';
import { ExpressionError } from '../syntax/expression-error.ts';

/** What a filter requires. */
export interface Required {
  /** These must all hold. */
  readonly expressions: readonly Expression[];
  /** Of each of these, one must hold. */
  readonly choices: readonly (readonly Required[])[];
  /** Whether the expressions are the whole filter. */
  readonly isAll: boolean;
}

/** What a filter requires, as far as it can be split. */
export function required(filter: BaseFilter): Required {
  if (filter.kind === 'and') {
    const parts = filter.items.map(required);
    return {
      expressions: parts.flatMap(({ expressions }) => expressions),
      choices: parts.flatMap(({ choices }) => choices),
      isAll: parts.every(({ isAll }) => isAll),
    };
  }
  if (filter.kind === 'or' && filter.items.length > 0) {
    return { expressions: [], choices: [filter.items.map(required)], isAll: false };
  }
  if (filter.kind !== 'statement' || filter.statement.parsed instanceof ExpressionError) {
    return { expressions: [], choices: [], isAll: false };
  }
  return requiredBy(filter.statement.parsed);
}

/** Splits an expression at its `&&`, and what is left at its `||`. */
function requiredBy(expression: Expression): Required {
  const parts = operands(expression, '&&');
  const [alone, joined] = [
    parts.filter((part) => !isJoined(part, '||')),
    parts.filter((part) => isJoined(part, '||')),
  ];
  return {
    expressions: alone,
    choices: joined.map((part) =>
      operands(part, '||').map((each) => ({
        expressions: operands(each, '&&').filter((one) => !isJoined(one, '||')),
        choices: [],
        isAll: false,
      })),
    ),
    isAll: joined.length === 0,
  };
}

function isJoined(expression: Expression, operator: '&&' | '||'): boolean {
  return expression.kind === 'binary' && expression.operator === operator;
}

/** The operands that an operator joins, from left to right. */
function operands(expression: Expression, operator: '&&' | '||'): readonly Expression[] {
  const parts: Expression[] = [];
  let left = expression;
  while (left.kind === 'binary' && left.operator === operator) {
    parts.push(left.right);
    left = left.left;
  }
  return [left, ...parts.reverse()];
}
