import type { TextRange } from '../../../base/text-range.ts';
import type { Base, BaseExpression, BaseFilter, BaseView } from '../syntax/base.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { parsedOrError } from '../syntax/read-base.ts';
import type { BaseErrorReport } from './base-errors.ts';
import type { ViewRequest } from './run-view.ts';

/** A request as plain data, which can be sent to another thread: expressions are their texts. */
export interface PackedView extends Omit<ViewRequest, 'base' | 'view' | 'random' | 'everyFile'> {
  readonly filter: PackedFilter | undefined;
  readonly formulas: readonly (readonly [name: string, PackedExpression])[];
  readonly summaries: readonly (readonly [name: string, PackedExpression])[];
  readonly view: Omit<BaseView, 'filter' | 'settings' | 'placeOf'> & {
    readonly filter: PackedFilter | undefined;
  };
}

interface PackedExpression {
  readonly at: string;
  readonly text: string;
  /** What is wrong with it, where it cannot be read. */
  readonly error?: {
    readonly code: ExpressionError['code'];
    readonly message: string;
    readonly range: TextRange | undefined;
  };
  /** Its number among the expressions of the request. */
  readonly number: number;
}

type PackedFilter =
  | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly PackedFilter[] }
  | { readonly kind: 'statement'; readonly statement: PackedExpression }
  | { readonly kind: 'constant'; readonly value: boolean };

/** A packed request, and how its errors get their places back. */
interface Packed {
  readonly view: PackedView;
  placed(errors: readonly BaseErrorReport[]): readonly BaseErrorReport[];
}

/** Packs a request; undefined when an expression of it has no text. */
export function packView(request: ViewRequest): Packed | undefined {
  const { base, view, self, source, nowMs, propertyTypes, page } = request;
  const written: BaseExpression[] = [];
  const { settings: _, placeOf: __, ...rest } = view;
  const pack = (expression: BaseExpression): PackedExpression => {
    const { at, text = '', parsed } = expression;
    written.push(expression);
    return {
      at,
      text,
      ...(parsed instanceof ExpressionError
        ? { error: { code: parsed.code, message: parsed.message, range: parsed.range } }
        : {}),
      number: written.length - 1,
    };
  };
  const packFilter = (filter: BaseFilter): PackedFilter => {
    if (filter.kind === 'constant') return filter;
    if (filter.kind === 'statement')
      return { kind: 'statement', statement: pack(filter.statement) };
    return { kind: filter.kind, items: filter.items.map(packFilter) };
  };
  const packAll = (all: ReadonlyMap<string, BaseExpression>) =>
    Array.from(all, ([name, each]) => [name, pack(each)] as const);
  const packed: PackedView = {
    self,
    source,
    nowMs,
    propertyTypes,
    page,
    filter: base.filter && packFilter(base.filter),
    formulas: packAll(base.formulas),
    summaries: packAll(base.summaries),
    view: { ...rest, filter: view.filter && packFilter(view.filter) },
  };
  const hasTexts = written.every(
    ({ text, parsed }) => text !== undefined || parsed instanceof ExpressionError,
  );
  return hasTexts ? { view: packed, placed: (errors) => placed(errors, written) } : undefined;
}

/**
 * Makes the request again. The text of the base is not there, so a place in it (`placeOf`) has the
 * number of the expression as its line and the character as its column; `Packed.placed` turns them
 * into those of the text.
 */
export function unpackView(packed: PackedView, random: () => number): ViewRequest {
  const { filter, formulas, summaries, view, ...rest } = packed;
  const base: Base = {
    filter: filter && unpackFilter(filter),
    formulas: new Map(formulas.map(([name, each]) => [name, unpack(each)])),
    summaries: new Map(summaries.map(([name, each]) => [name, unpack(each)])),
    titles: new Map(),
    views: [],
  };
  const own: BaseView = { ...view, filter: view.filter && unpackFilter(view.filter), settings: {} };
  return { ...rest, base, view: own, random };
}

function unpackFilter(filter: PackedFilter): BaseFilter {
  if (filter.kind === 'constant') return filter;
  if (filter.kind === 'statement')
    return { kind: 'statement', statement: unpack(filter.statement) };
  return { kind: filter.kind, items: filter.items.map(unpackFilter) };
}

function unpack({ at, text, error, number }: PackedExpression): BaseExpression {
  const parsed =
    error === undefined
      ? parsedOrError(text)
      : new ExpressionError(error.code, error.message, error.range);
  return { at, text, parsed, placeOf: (offset) => ({ line: number, column: offset }) };
}

function placed(
  errors: readonly BaseErrorReport[],
  written: readonly BaseExpression[],
): readonly BaseErrorReport[] {
  return errors.map(({ line, column, ...error }) => {
    const origin = line === undefined ? undefined : written[line];
    return { ...error, ...origin?.placeOf?.(column ?? 0) };
  });
}
