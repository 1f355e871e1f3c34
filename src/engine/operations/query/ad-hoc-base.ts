import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { Base } from '../../bases/syntax/base.ts';
import { ExpressionError } from '../../bases/syntax/expression-error.ts';
import { parseExpression } from '../../bases/syntax/parse-expression.ts';
import { type BasePlaces, baseFrom } from '../../bases/syntax/read-base.ts';

/** A query that a call says itself, in the language of bases. */
export interface AdHocQuery {
  /** An expression that must hold for a file. */
  readonly filter?: string;
  /** Property ids, or expressions. */
  readonly columns?: readonly string[];
  /** Property ids or expressions, each with ` desc` for the other direction. */
  readonly sort?: readonly string[];
  readonly group?: string;
}

/**
 * Makes a base of a query. Fails with `invalid_input` when an expression cannot be read: here it is
 * an argument of the call, and the caller can write another one at once.
 */
export function adHocBase({ filter, columns, sort = [], group }: AdHocQuery): Base {
  const formulas: Record<string, string> = {};
  const id = (text: string): string => {
    const written = text.trim();
    if (isPropertyId(written)) return written;
    check(written);
    formulas[written] = written;
    return `formula.${written}`;
  };
  const sorted = (text: string) => {
    const [, written = text, direction = 'asc'] =
      /^(.*?)(?:\s+(asc|desc))?$/is.exec(text.trim()) ?? [];
    return { property: id(written), direction: direction.toUpperCase() };
  };
  if (filter !== undefined) check(filter);
  const view = {
    ...(columns === undefined ? {} : { order: columns.map(id) }),
    sort: sort.map(sorted),
    ...(group === undefined ? {} : { groupBy: sorted(group) }),
  };
  const texts = { ...(filter === undefined ? {} : { filters: filter }), formulas };
  const base = baseFrom({ ...texts, views: [view] }, placesOf(filter));
  const { filter: read } = base;
  if (read?.kind !== 'statement') return base;
  // The base that it may be joined to has filters, too.
  return { ...base, filter: { ...read, statement: { ...read.statement, at: 'filter' } } };
}

/** Lines and columns of the filter and of other expressions, each in its own text. */
function placesOf(filter = ''): BasePlaces {
  return {
    ofString: (path) => {
      const formula = path.startsWith('.formulas.') ? path.slice('.formulas.'.length) : undefined;
      const lines = new LineIndex(formula ?? filter);
      return (offset) => {
        const { line, col } = lines.positionAt(offset);
        return { line: line + 1, column: col + 1 };
      };
    },
    ofValue: () => undefined,
  };
}

/**
 * Whether a text names a property. A note's property may have spaces, hyphens and dots in its name, so
 * only other signs make it an expression, or that it is about the file itself or `this`.
 */
function isPropertyId(text: string): boolean {
  return !/[()[\]{}"'+*/%<>=!&|,]|^file$|^file\.[^.]*\.|^this(?:\.|$)/.test(text);
}

function check(text: string): void {
  try {
    parseExpression(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const at = error.range === undefined ? '' : ` at character ${error.range.start + 1}`;
    throw new VaultError(
      'invalid_input',
      `The expression \`${text}\` cannot be read${at}: ${error.message}`,
      {
        details: { code: error.code },
      },
    );
  }
}
