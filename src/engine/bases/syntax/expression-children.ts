import type { Expression } from './expression.ts';

/** The expressions that an expression directly consists of, in their order. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'list':
      return expression.items;
    case 'object':
      return expression.entries.map(([, item]) => item);
    case 'member':
      return [expression.of];
    case 'index':
      return [expression.of, expression.at];
    case 'call':
      return expression.receiver === undefined
        ? expression.args
        : [expression.receiver, ...expression.args];
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    default:
      return [];
  }
}
