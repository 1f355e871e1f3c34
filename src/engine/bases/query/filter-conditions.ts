import { type VaultFolder, type VaultPath, vaultFolder } from '../../../base/vault-path.ts';
import type { FactConditions } from '../../ports/records.ts';
import { isFunction } from '../functions/call-method.ts';
import type { BaseFilter } from '../syntax/base.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { isFileField, literalTexts, noteProperty, requiredBy } from '../syntax/expression-forms.ts';
import { DateValue } from '../values/date-value.ts';
import { linkFrom } from '../values/link-from.ts';
import { Row, type RowContext } from './evaluate.ts';

/** Conditions while they are collected. */
interface Found {
  readonly folders: VaultFolder[];
  readonly tags: (readonly string[])[];
  readonly linksTo: VaultPath[];
  readonly properties: string[];
  readonly extensions: string[];
  sinceMs?: number;
}

/**
 * What every file that passes the filters must have, as far as the index can tell. A file without it
 * cannot pass, so the query need not look at it. Where a filter uses a function that does not exist,
 * there are no conditions: then every file is looked at, so that the error is reported.
 *
 * Throws `MissingFacts` while the file of a link is not known.
 */
export function filterConditions(
  filters: readonly BaseFilter[],
  context: Omit<RowContext, 'file'>,
): FactConditions {
  const expressions = filters.flatMap(requiredBy);
  if (filters.flatMap(allStatements).some(hasUnknownFunction)) return {};
  const finder = new ConditionFinder({ ...context, file: undefined });
  for (const expression of expressions) finder.add(expression);
  const { folders, tags, linksTo, properties, extensions, sinceMs } = finder.found;
  return {
    ...(folders.length === 0 ? {} : { folders }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(linksTo.length === 0 ? {} : { linksTo }),
    ...(properties.length === 0 ? {} : { properties: Array.from(new Set(properties)) }),
    ...(extensions.length === 0 ? {} : { extensions }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}

function allStatements(filter: BaseFilter): readonly Expression[] {
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
  readonly found: Found = { folders: [], tags: [], linksTo: [], properties: [], extensions: [] };
  readonly #context: RowContext;

  constructor(context: RowContext) {
    this.#context = context;
  }

  add(expression: Expression): void {
    const property = presentProperty(expression);
    if (property !== undefined) this.found.properties.push(property);
    if (expression.kind === 'call' && expression.receiver !== undefined) {
      this.#call(expression, expression.receiver);
    }
    if (expression.kind !== 'binary') return;
    const { operator, left, right } = expression;
    const text = right.kind === 'literal' && typeof right.value === 'string' ? right.value : '';
    if (operator === '==' && isFileField(left, 'folder')) this.#folder(text);
    // The index compares extensions without regard to case, so it finds more than `==` does.
    if (operator === '==' && isFileField(left, 'ext') && text !== '') {
      if (this.found.extensions.length === 0) this.found.extensions.push(text.toLowerCase());
    }
    if ((operator === '>' || operator === '>=') && isFileField(left, 'mtime')) this.#since(right);
  }

  #call({ name, args }: CallExpression, receiver: Expression): void {
    const texts = literalTexts(args);
    const [first] = args;
    if (receiver.kind === 'name' && receiver.name === 'file') {
      if (name === 'inFolder' && texts?.length === 1) this.#folder(texts[0] ?? '');
      if (name === 'hasTag' && texts !== undefined) this.#tags(texts);
      if (name === 'hasLink' && first !== undefined) this.#link(first);
    }
    if (isFileField(receiver, 'tags') && texts !== undefined) {
      if (name === 'contains') this.#tags(texts.slice(0, 1));
      if (name === 'containsAny') this.#tags(texts);
      if (name === 'containsAll') for (const tag of texts) this.#tags([tag]);
    }
    if (isFileField(receiver, 'links') && name === 'contains' && first !== undefined) {
      this.#link(first);
    }
  }

  #folder(text: string): void {
    const folder = text.replace(/^\/+|\/+$/g, '');
    if (folder === '' || this.found.folders.length > 0) return;
    try {
      this.found.folders.push(vaultFolder(folder));
    } catch {
      // No file is in such a folder; the expression itself finds that out.
    }
  }

  #tags(tags: readonly string[]): void {
    const names = tags.map((tag) => tag.replace(/^#/, ''));
    if (names.length > 0 && !names.includes('')) this.found.tags.push(names);
  }

  /** A link is a condition when its file is known: otherwise texts of links are compared. */
  #link(expression: Expression): void {
    const path = this.#fileOf(expression);
    if (path !== null && path !== undefined) this.found.linksTo.push(path as VaultPath);
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

  /** The right side may only be about the clock, so that it is the same for every file. */
  #since(expression: Expression): void {
    const isFixed = (each: Expression): boolean =>
      each.kind !== 'name' &&
      each.kind !== 'member' &&
      each.kind !== 'index' &&
      childrenOf(each).every(isFixed);
    if (depthOver(expression, 20) || !isFixed(expression)) return;
    try {
      const value = new Row(this.#context).value(expression);
      if (value instanceof DateValue) this.found.sinceMs = value.ms;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
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
  const isListOf =
    receiver.kind === 'call' && receiver.receiver === undefined && receiver.name === 'list';
  const [listed] = isListOf ? receiver.args : [];
  if (listed !== undefined) {
    // `containsAll` of an empty list is true even for an empty list.
    return name === 'contains' || name === 'containsAny' ? noteProperty(listed) : undefined;
  }
  return noteProperty(receiver);
}
