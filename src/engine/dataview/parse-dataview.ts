import { limits } from '../../base/limits.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import type {
  DataviewClause,
  DataviewQuery,
  DataviewSource,
  NamedExpression,
} from './dataview-query.ts';
import { parseField } from './parse-field.ts';
import { QueryText } from './query-text.ts';

const types = ['TABLE', 'LIST', 'TASK', 'CALENDAR'];
const clauseWords = ['FROM', 'WHERE', 'SORT', 'GROUP', 'LIMIT', 'FLATTEN'];

/**
 * Whether a text is a query of Dataview and not an expression of a base: it begins with TABLE, LIST,
 * TASK or CALENDAR, and not with a function or a property that is called so. An inline query of
 * DataviewJS (`$= …`) counts, so that it is refused by name.
 */
export function isDataview(text: string): boolean {
  const start = text.trimStart();
  return (
    start.startsWith('$=') ||
    /^(?:table|list|task|calendar)(?:\s*$|\s+[^\s.=<>!&|+*/%),-])/i.test(start)
  );
}

/**
 * Reads a query. Throws nothing but `ExpressionError`, with the place in the text. What is valid but
 * cannot be evaluated here, such as FLATTEN, is in `unsupported` of the query.
 */
export function parseDataview(text: string): DataviewQuery {
  const query = new QueryText(text);
  checkScript(query);
  const start = query.at;
  const type = query.takeWord(...types);
  if (type === undefined) throw query.unexpected('TABLE, LIST or TASK');
  const typeRange = query.from(start);
  const hasId = type === 'TASK' || !takesWithoutId(query);
  const fields = readFields(query, type);
  const source = query.takeWord('FROM') === undefined ? undefined : readSource(query);
  const clauses: DataviewClause[] = [];
  let unsupported: ExpressionError | undefined;
  if (type === 'CALENDAR') unsupported = notSupported('CALENDAR queries', typeRange);
  while (!query.isAtEnd) {
    const clause = readClause(query);
    if (clause instanceof ExpressionError) unsupported ??= clause;
    else clauses.push(clause);
  }
  const groups = clauses.filter((clause) => clause.kind === 'group');
  checkCount(groups.length, limits.dataviewGroupsMax, 'GROUP BY');
  const kind = type.toLowerCase() as DataviewQuery['type'];
  return { type: kind, hasId, fields, source, clauses, unsupported };
}

function notSupported(what: string, range: ExpressionError['range']): ExpressionError {
  return new ExpressionError('unsupported', `${what} are not supported.`, range);
}

/** JavaScript never runs, neither a block of it nor an inline query. */
function checkScript(query: QueryText): void {
  const start = query.at;
  if (query.take(/\$=|dv\s*\.|(?:const|let|var|await)\s/y) === undefined) return;
  throw notSupported('DataviewJS and its inline queries', query.from(start));
}

function takesWithoutId(query: QueryText): boolean {
  return query.take(/without\s+id(?![\p{L}\p{N}_-])/iuy) !== undefined;
}

function readFields(query: QueryText, type: string): readonly NamedExpression[] {
  const word = query.peekName()?.toUpperCase() ?? '';
  // `sort` is a function, too.
  const isClause = clauseWords.includes(word) && !/sort\(/iy.test(query.text.slice(query.at));
  if (type === 'TASK' || query.isAtEnd || isClause) return [];
  if (type !== 'TABLE') return [readNamed(query)];
  const fields: NamedExpression[] = [];
  do fields.push(readNamed(query));
  while (query.takeSign(','));
  checkCount(fields.length, limits.dataviewColumnsMax, 'columns');
  return fields;
}

function checkCount(count: number, max: number, what: string): void {
  if (count > max) throw new ExpressionError('budget', `A query has at most ${max} ${what}.`);
}

/** An expression, and the name after AS. */
function readNamed(query: QueryText): NamedExpression {
  const start = query.at;
  const expression = parseField(query);
  const { end } = query.from(start);
  const own = query.text
    .slice(start, end)
    .replace(/\s*\n\s*/g, '')
    .trim();
  if (query.takeWord('AS') === undefined) return { expression, name: own };
  const name = query.takeText() ?? query.takeName();
  if (name === undefined) throw query.unexpected('a name or a text in quotes');
  return { expression, name };
}

function readClause(query: QueryText): DataviewClause | ExpressionError {
  const start = query.at;
  const word = query.takeWord(...clauseWords);
  const range = query.from(start);
  switch (word) {
    case 'WHERE':
      return { kind: 'where', expression: parseField(query) };
    case 'LIMIT':
      return { kind: 'limit', expression: parseField(query) };
    case 'SORT':
      return readSort(query);
    case 'GROUP':
      if (query.takeWord('BY') === undefined) throw query.unexpected('BY');
      return { kind: 'group', by: readNamed(query) };
    case 'FLATTEN':
      readNamed(query);
      return new ExpressionError('unsupported', 'FLATTEN is not supported.', range);
    case 'FROM':
      throw new ExpressionError('parse', 'FROM stands before all other clauses, and once.', range);
    default:
      throw unknownClause(query);
  }
}

function unknownClause(query: QueryText): ExpressionError {
  const start = query.at;
  const name = query.takeName();
  if (name === undefined) return query.unexpected('an operator such as = or and, or a clause');
  const message = `There is no clause or operator "${name}". Clauses are FROM, WHERE, SORT, GROUP BY and LIMIT.`;
  return new ExpressionError('parse', message, query.from(start));
}

function readSort(query: QueryText): DataviewClause {
  const keys: (DataviewClause & { kind: 'sort' })['keys'][number][] = [];
  do {
    const expression = parseField(query);
    const word = query.takeWord('ASC', 'ASCENDING', 'DESC', 'DESCENDING') ?? 'ASC';
    keys.push({ expression, direction: word.startsWith('ASC') ? 1 : -1 });
  } while (query.takeSign(','));
  checkCount(keys.length, limits.dataviewColumnsMax, 'keys in one SORT');
  return { kind: 'sort', keys };
}

/** Sources joined by `and` and `or`, which bind alike, from left to right. */
function readSource(query: QueryText): DataviewSource {
  const start = query.at;
  let left = readSourceItem(query);
  let items: DataviewSource[] = [];
  for (let levels = 0; ; ) {
    const joined = query.take(/[&|]|(?:and|or)(?![\p{L}\p{N}_])/iuy)?.[0].toLowerCase();
    if (joined === undefined) return left;
    const kind = joined === 'and' || joined === '&' ? 'and' : 'or';
    if (levels === 0 || left.kind !== kind) {
      levels++;
      items = [left];
    }
    items.push(readSourceItem(query));
    left = { kind, items, range: query.from(start) };
    if (levels > limits.baseNestingMax) {
      const message = `A source nests at most ${limits.baseNestingMax} levels deep.`;
      throw new ExpressionError('budget', message, left.range);
    }
  }
}

function readSourceItem(query: QueryText): DataviewSource {
  const start = query.at;
  if (query.takeSign('(')) {
    const inner = query.nested(() => readSource(query));
    query.expectSign(')');
    return inner;
  }
  if (query.take(/[-!]/y) !== undefined) {
    const item = query.nested(() => readSourceItem(query));
    return { kind: 'not', item, range: query.from(start) };
  }
  if (query.take(/outgoing\(/iy) !== undefined) {
    const link = query.takeLink();
    if (link === undefined) throw query.unexpected('a link such as [[Note]]');
    query.expectSign(')');
    return { kind: 'outgoing', link, range: query.from(start) };
  }
  if (query.take(/csv\(/iy) !== undefined) throw notSupported('CSV files', query.from(start));
  const link = query.takeLink();
  if (link !== undefined) return { kind: 'incoming', link, range: query.from(start) };
  const tag = query.takeTag();
  if (tag !== undefined) return { kind: 'tag', tag, range: query.from(start) };
  const path = query.takeText();
  if (path !== undefined) return { kind: 'folder', path, range: query.from(start) };
  throw query.unexpected('a "folder", a #tag or a [[link]]');
}
