import { foldName } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { isExternal } from '../../../markdown/facts/link-text.ts';
import type { BaseFilter } from '../syntax/base.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { isFileField, literalTexts, noteProperty, requiredBy } from '../syntax/expression-forms.ts';
import { areTags } from './rename-in-expression.ts';

/** What a filter says about every note that passes it, as far as a new note can have it. */
export interface Implied {
  /** The folder; empty for the root of the vault, undefined where the filter names none. */
  readonly folder: string | undefined;
  readonly tags: readonly string[];
  /** By the name of the property; `contains` where the property is a list with these values. */
  readonly properties: ReadonlyMap<string, ImpliedValue>;
}

type ImpliedValue =
  | { readonly is: PropertyValue }
  | { readonly contains: readonly PropertyValue[] };

/**
 * Finds what filters imply about a new note: folder, tags and properties. Only what must hold in any
 * case counts, so nothing inside `or` and `not` does. Where two statements contradict each other,
 * the first counts. `self` is a link to the file that `this` stands for.
 */
export function impliedBy(filters: readonly BaseFilter[], self: string | undefined): Implied {
  const finder = new ImpliedFinder(self);
  for (const expression of filters.flatMap(requiredBy)) finder.add(expression);
  return finder;
}

class ImpliedFinder implements Implied {
  folder: string | undefined;
  readonly tags: string[] = [];
  readonly properties = new Map<string, ImpliedValue>();
  readonly #self: string | undefined;

  constructor(self: string | undefined) {
    this.#self = self;
  }

  add(expression: Expression): void {
    if (expression.kind === 'call') this.#call(expression);
    if (expression.kind !== 'binary' || expression.operator !== '==') return;
    const { left, right } = expression;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const value = this.#value(other);
      if (value === undefined) continue;
      if (isFileField(side, 'folder') && typeof value === 'string') this.#folder(value);
      const property = noteProperty(side);
      if (property !== undefined && !this.properties.has(property)) {
        this.properties.set(property, { is: value });
      }
    }
  }

  #call({ receiver, name, args }: CallExpression): void {
    if (receiver === undefined) return;
    const texts = literalTexts(args);
    const isOfFile = receiver.kind === 'name' && receiver.name === 'file';
    if (isOfFile && name === 'inFolder' && texts?.[0] !== undefined) this.#folder(texts[0]);
    if (isOfFile && name === 'hasTag' && texts !== undefined) this.#tag(texts.slice(0, 1));
    if (!['contains', 'containsAny', 'containsAll'].includes(name)) return;
    const values = args
      .flatMap((arg) => (arg.kind === 'list' ? arg.items : [arg]))
      .map((arg) => this.#value(arg));
    // For `containsAny`, one of them is enough.
    const wanted = name === 'containsAny' ? values.slice(0, 1) : values;
    const known = wanted.filter((value) => value !== undefined);
    if (known.length === 0 || known.length < wanted.length) return;
    if (areTags(receiver)) {
      this.#tag(known.filter((value) => typeof value === 'string'));
      return;
    }
    const property = noteProperty(listed(receiver));
    if (property === undefined) return;
    const before = this.properties.get(property) ?? { contains: [] };
    if ('is' in before) return;
    const added = known.filter((value) => !before.contains.includes(value));
    this.properties.set(property, { contains: [...before.contains, ...added] });
  }

  /** Of several folders, one inside the other, the inner one counts. */
  #folder(text: string): void {
    const folder = text.replace(/^\/+|\/+$/g, '');
    if (this.folder === undefined || folder.startsWith(`${this.folder}/`)) this.folder = folder;
    else if (this.folder === '') this.folder = folder;
  }

  #tag(tags: readonly string[]): void {
    for (const tag of tags.map((each) => each.replace(/^#/, ''))) {
      const isKnown = this.tags.some((each) => foldName(each) === foldName(tag));
      if (tag !== '' && !isKnown) this.tags.push(tag);
    }
  }

  /** The value that a property must have to be equal to an expression; undefined if unknown. */
  #value(expression: Expression): PropertyValue | undefined {
    if (expression.kind === 'literal') return expression.value ?? undefined;
    if (expression.kind === 'name' && expression.name === 'this') return this.#self;
    if (expression.kind === 'member') {
      const { of, name } = expression;
      return name === 'file' && of.kind === 'name' && of.name === 'this' ? this.#self : undefined;
    }
    if (expression.kind === 'unary') {
      const value = this.#value(expression.operand);
      return expression.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    if (expression.kind !== 'call' || expression.receiver !== undefined) return undefined;
    const [text, display] = literalTexts(expression.args) ?? [];
    if (text === undefined) return undefined;
    if (expression.name === 'date') return text;
    return expression.name === 'link' ? linkTo(text, display) : undefined;
  }
}

/** The expression inside `list(…)`, or the expression itself. */
function listed(expression: Expression): Expression {
  if (expression.kind !== 'call' || expression.receiver !== undefined) return expression;
  return expression.name === 'list' ? (expression.args[0] ?? expression) : expression;
}

function linkTo(text: string, display: string | undefined): string {
  if (isExternal(text) || text.trimStart().startsWith('[')) return text;
  return `[[${text}${display === undefined ? '' : `|${display}`}]]`;
}
