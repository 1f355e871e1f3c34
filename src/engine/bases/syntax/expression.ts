import type { TextRange } from '../../../base/text-range.ts';
import type { Pattern } from './pattern.ts';

/** The operators that stand between two operands. */
export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '!='
  | '&&'
  | '||';

/** The tree of an expression. Every node knows which characters of the text it was read from. */
export type Expression =
  | (Node<'literal'> & { readonly value: null | boolean | number | string })
  | (Node<'pattern'> & { readonly pattern: Pattern })
  | (Node<'list'> & { readonly items: readonly Expression[] })
  | (Node<'object'> & { readonly entries: readonly (readonly [string, Expression])[] })
  | (Node<'name'> & { readonly name: string })
  | (Node<'member'> & { readonly of: Expression; readonly name: string })
  | (Node<'index'> & { readonly of: Expression; readonly at: Expression })
  | CallExpression
  | (Node<'lambda'> & { readonly names: readonly string[]; readonly body: Expression })
  | (Node<'unary'> & { readonly operator: '!' | '-'; readonly operand: Expression })
  | BinaryExpression;

interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly range: TextRange;
}

/** `name(…)`, or `receiver.name(…)`. The range of an error is that of the name. */
export interface CallExpression extends Node<'call'> {
  readonly receiver: Expression | undefined;
  readonly name: string;
  readonly nameRange: TextRange;
  readonly args: readonly Expression[];
}

export interface BinaryExpression extends Node<'binary'> {
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
