import { limits } from '../../../base/limits.ts';
import { type VaultFolder, type VaultPath, vaultFolder } from '../../../base/vault-path.ts';
import type { FactConditions, ValueCondition } from '../../ports/records.ts';
import { isFunction } from '../functions/call-method.ts';
import type { BaseFilter } from '../syntax/base.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { isFileField, literalTexts, noteProperty } from '../syntax/expression-forms.ts';
import { DateValue } from '../values/date-value.ts';
import { linkFrom } from '../values/link-from.ts';
import type { Value } from '../values/value.ts';
import { comparedValue, isPlainText, keysOf, turned, valueName } from './compared-value.ts';
import { Row, type RowContext } from './evaluate.ts';
import { type Required, required } from './required-parts.ts';

/** Conditions while they are collected. */
interface Found {
  readonly folders: VaultFolder[];
  readonly tags: (readonly string[])[];
  readonly linksTo: VaultPath[];
  readonly properties: string[];
  readonly extensions: string[];
  readonly values: ValueCondition[];
  sinceMs?: number;
}

/**
 * What every file that passes the filters must have, as far as the index can tell. A file without it
 * cannot pass, so the query need not look at it. The conditions are `decisive` where they say all that
 * the filters say. Where a filter uses a function that does not exist, there are no conditions: then
 * every file is looked at, so that the error is reported.
 *
 * Throws `MissingFacts` while the file of a link is not known.
 */
export function filterConditions(
  filters: readonly BaseFilter[],
  context: Omit<RowContext, 'file'>,
): FactConditions {
  if (filters.flatMap(allStatements).some(hasUnknownFunction)) return {};
  const found = conditionsOf(
    filters.map((filter) => required(filter)),
    { ...context, file: undefined },
  );
  return countOf(found) > limits.baseConditionsMax ? {} : found;
}

/** How many conditions there are; each choice counts, and each tag. */
function countOf({ anyOf = [], tags = [], ...conditions }: FactConditions): number {
  const others = Object.values(conditions).reduce(
    (sum: number, each) => sum + (Array.isArray(each) ? each.length : 1),
    tags.flat().length,
  );
  return anyOf.flat().reduce((sum, each) => sum + 1 + countOf(each), others);
}

/** What must hold, where each of these must. */
function conditionsOf(parts: readonly Required[], context: RowContext): FactConditions {
  const finder = new ConditionFinder(context);
  const said = parts.flatMap(({ expressions }) => expressions.map((each) => finder.add(each)));
  const decisive = parts.every(({ isAll }) => isAll) && said.every((each) => each);
  const choices = parts.flatMap(({ choices: each }) => each);
  const anyOf = choices
    .map((choice) => choice.map((part) => conditionsOf([part], context)))
    .filter((choice) => choice.every(narrowsDown));
  const { folders, tags, linksTo, properties, extensions, values, sinceMs } = finder.found;
  return {
    ...(folders.length === 0 ? {} : { folders }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(linksTo.length === 0 ? {} : { linksTo }),
    ...(properties.length === 0 ? {} : { properties: Array.from(new Set(properties)) }),
    ...(extensions.length === 0 ? {} : { extensions }),
    ...(values.length === 0 ? {} : { values }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(anyOf.length === 0 ? {} : { anyOf }),
    ...(decisive ? { decisive } : {}),
  };
}

function narrowsDown({ decisive: _, ...conditions }: FactConditions): boolean {
  return Object.keys(conditions).length > 0;
}

/** The expressions of a filter that can be read. */
export function allStatements(filter: BaseFilter): readonly Expression[] {
  if (filter.kind === 'constant') return [];
  if (filter.kind !== 'statement') return filter.items.flatMap(allStatements);
  const { parsed } = filter.statement;
  return parsed instanceof ExpressionError ? [] : [parsed];
}

/** Walks with a list of its own, because a long sum is a deep tree. */
function hasUnknownFunction(expression: Expression): boolean {
  const left = [expression];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (each.kind === 'call') {
      if (!isFunction(each.name, each.receiver === undefined ? 'none' : 'value')) return true;
    }
    left.push(...childrenOf(each));
  }
  return false;
}

class ConditionFinder {
  readonly found: Found = {
    folders: [],
    tags: [],
    linksTo: [],
    properties: [],
    extensions: [],
    values: [],
  };
  readonly #context: RowContext;

  constructor(context: RowContext) {
    this.#context = context;
  }

  /** Adds what an expression requires. Answers whether the conditions say all that it says. */
  add(expression: Expression): boolean {
    const value = this.#valueCondition(expression);
    if (value !== undefined) {
      this.found.values.push(value.condition);
      return value.isAll;
    }
    const property = presentProperty(expression);
    if (property !== undefined) this.found.properties.push(property);
    if (expression.kind === 'call' && expression.receiver !== undefined) {
      return this.#call(expression, expression.receiver);
    }
    if (expression.kind !== 'binary') return false;
    const { operator, left, right } = expression;
    const text = right.kind === 'literal' && typeof right.value === 'string' ? right.value : '';
    if (operator === '==' && isFileField(left, 'folder')) this.#folder(text);
    // The index compares extensions without regard to case, so it finds more than `==` does.
    if (operator === '==' && isFileField(left, 'ext') && text !== '') {
      if (this.found.extensions.length === 0) this.found.extensions.push(text.toLowerCase());
    }
    if ((operator === '>' || operator === '>=') && isFileField(left, 'mtime')) {
      return this.#since(operator, right);
    }
    return false;
  }

  #call({ name, args }: CallExpression, receiver: Expression): boolean {
    const texts = literalTexts(args);
    const [first] = args;
    if (receiver.kind === 'name' && receiver.name === 'file') {
      if (name === 'inFolder' && texts?.length === 1) return this.#folder(texts[0] ?? '');
      if (name === 'hasTag' && texts !== undefined) return this.#tags(texts);
      if (name === 'hasLink' && first !== undefined) return this.#link(first);
    }
    if (isFileField(receiver, 'tags') && texts !== undefined) {
      if (name === 'contains') return this.#tags(texts.slice(0, 1));
      if (name === 'containsAny') return this.#tags(texts);
      if (name === 'containsAll') return texts.map((tag) => this.#tags([tag])).every((all) => all);
    }
    if (isFileField(receiver, 'links') && name === 'contains' && first !== undefined) {
      return this.#link(first);
    }
    return false;
  }

  #folder(text: string): boolean {
    const folder = text.replace(/^\/+|\/+$/g, '');
    if (folder === '' || this.found.folders.length > 0) return false;
    try {
      const found = vaultFolder(folder);
      this.found.folders.push(found);
      return found === folder;
    } catch {
      return false; // No file is in such a folder; the expression itself finds that out.
    }
  }

  #tags(tags: readonly string[]): boolean {
    const names = tags.map((tag) => tag.replace(/^#/, ''));
    if (names.length === 0 || names.includes('')) return false;
    this.found.tags.push(names);
    return true;
  }

  /** A link is a condition when its file is known: otherwise texts of links are compared. */
  #link(expression: Expression): boolean {
    const path = this.#fileOf(expression);
    if (path === null || path === undefined) return false;
    this.found.linksTo.push(path as VaultPath);
    return true;
  }

  #fileOf(expression: Expression): string | null | undefined {
    const { world, source, self } = this.#context;
    if (expression.kind === 'name' && expression.name === 'this') return self;
    if (expression.kind === 'member' && expression.name === 'file') {
      return expression.of.kind === 'name' && expression.of.name === 'this' ? self : undefined;
    }
    if (expression.kind !== 'call' || expression.receiver !== undefined) return undefined;
    const [text] = literalTexts(expression.args) ?? [];
    if (expression.name !== 'link' || text === undefined) return undefined;
    return linkFrom({ world, source }, text).path;
  }

  #since(operator: '>' | '>=', expression: Expression): boolean {
    const value = this.#fixed(expression);
    if (!(value instanceof DateValue) || this.found.sinceMs !== undefined) return false;
    // Times of files are whole milliseconds here, and fractions of them in the index.
    this.found.sinceMs = operator === '>' ? Math.floor(value.ms) + 1 : Math.ceil(value.ms);
    return true;
  }

  /** The value of an expression that is the same for every file; undefined for others. */
  #fixed(expression: Expression): Value | undefined {
    const isFixed = (each: Expression): boolean =>
      each.kind !== 'name' &&
      each.kind !== 'member' &&
      each.kind !== 'index' &&
      !(each.kind === 'call' && each.name === 'random') &&
      childrenOf(each).every(isFixed);
    if (depthOver(expression, 20) || !isFixed(expression)) return undefined;
    try {
      return new Row(this.#context).value(expression);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return undefined;
    }
  }

  /** What the value of a property must be, and whether that is all that the expression says. */
  #valueCondition(
    expression: Expression,
  ): { readonly condition: ValueCondition; readonly isAll: boolean } | undefined {
    if (expression.kind === 'binary') {
      const sides = [expression.left, expression.right] as const;
      const isTurned = noteProperty(sides[0]) === undefined;
      const [property, other] = isTurned ? [sides[1], sides[0]] : sides;
      const name = valueName(noteProperty(property));
      const value = name === undefined ? undefined : this.#fixed(other);
      if (name === undefined || value === undefined) return undefined;
      const operator = isTurned ? turned(expression.operator) : expression.operator;
      return comparedValue(name, operator, value);
    }
    if (expression.kind !== 'call' || expression.receiver === undefined) return undefined;
    if (!['contains', 'containsAny', 'containsAll'].includes(expression.name)) return undefined;
    const name = valueName(noteProperty(listedIn(expression.receiver)));
    const [wanted, ...more] = expression.args;
    if (name === undefined || wanted === undefined) return undefined;
    // Of several, `containsAny` needs only one.
    if (expression.name === 'containsAny' && more.length > 0) return undefined;
    const [text] = literalTexts([wanted]) ?? [];
    if (text !== undefined) {
      const condition = { name, lists: { oneOf: keysOf(text) } };
      return isPlainText(text) ? { condition, isAll: false } : undefined;
    }
    const linkTo = this.#fileOf(wanted);
    if (linkTo === null || linkTo === undefined) return undefined;
    return { condition: { name, lists: { linkTo: linkTo as VaultPath } }, isAll: false };
  }
}

function depthOver(expression: Expression, max: number): boolean {
  return max === 0 || childrenOf(expression).some((child) => depthOver(child, max - 1));
}

/**
 * The property that a note must have for the expression to be true: null is neither greater nor less
 * than anything, and functions of null give null.
 */
function presentProperty(expression: Expression): string | undefined {
  if (expression.kind === 'binary') {
    const { operator, left, right } = expression;
    if (['<', '>', '<=', '>='].includes(operator)) return noteProperty(left);
    const isValue = right.kind === 'literal' && right.value !== null;
    return operator === '==' && isValue ? noteProperty(left) : undefined;
  }
  if (expression.kind === 'unary' && expression.operator === '!') {
    const { operand } = expression;
    return operand.kind === 'call' && operand.name === 'isEmpty' && operand.receiver !== undefined
      ? noteProperty(operand.receiver)
      : undefined;
  }
  if (expression.kind !== 'call') return noteProperty(expression);
  const { receiver, name } = expression;
  if (receiver === undefined || name === 'isEmpty' || name === 'isType') return undefined;
  const listed = listedIn(receiver);
  if (listed !== receiver) {
    // `containsAll` of an empty list is true even for an empty list.
    return name === 'contains' || name === 'containsAny' ? noteProperty(listed) : undefined;
  }
  return noteProperty(receiver);
}

/** The argument of `list(…)`; other expressions as they are. */
function listedIn(expression: Expression): Expression {
  const isList =
    expression.kind === 'call' && expression.receiver === undefined && expression.name === 'list';
  return (isList ? expression.args[0] : undefined) ?? expression;
}
