import type { Expression } from '../../src/engine/bases/syntax/expression.ts';

/** An expression as text that gives the same tree again: every operand stands in brackets. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'string'
        ? printText(expression.value)
        : String(expression.value);
    case 'pattern':
      return expression.pattern.toString();
    case 'list':
      return `[${expression.items.map(printExpression).join(', ')}]`;
    case 'object':
      return `{${expression.entries
        .map(([key, item]) => `${printText(key)}: ${printExpression(item)}`)
        .join(', ')}}`;
    case 'name':
      return expression.name;
    case 'member':
      return `${bracketed(expression.of)}.${expression.name}`;
    case 'index':
      return `${bracketed(expression.of)}[${printExpression(expression.at)}]`;
    case 'call': {
      const args = expression.args.map(printExpression).join(', ');
      const { receiver, name } = expression;
      return `${receiver === undefined ? '' : `${bracketed(receiver)}.`}${name}(${args})`;
    }
    case 'lambda':
      return `(${expression.names.join(', ')}) => ${printExpression(expression.body)}`;
    case 'unary':
      return `${expression.operator}${bracketed(expression.operand)}`;
    default:
      return `${bracketed(expression.left)} ${expression.operator} ${bracketed(expression.right)}`;
  }
}

function bracketed(expression: Expression): string {
  return `(${printExpression(expression)})`;
}

function printText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
