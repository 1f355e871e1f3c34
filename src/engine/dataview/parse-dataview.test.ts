import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printExpression } from '../../../test/support/print-expression.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import type { DataviewSource } from './dataview-query.ts';
import { isDataview, parseDataview } from './parse-dataview.ts';

/** The first expression of a query as a tree in brackets. */
function field(text: string): string {
  const [first] = parseDataview(`LIST ${text}`).fields;
  return first === undefined ? '' : printExpression(first.expression);
}

/** A source as text: `+` is and, `,` is or, `-` is not. */
function sourceText(source: DataviewSource | undefined): string {
  if (source === undefined) return 'all';
  switch (source.kind) {
    case 'tag':
      return source.tag;
    case 'folder':
      return `"${source.path}"`;
    case 'incoming':
      return `to ${source.link}`;
    case 'outgoing':
      return `from ${source.link}`;
    case 'not':
      return `-${sourceText(source.item)}`;
    default:
      return `(${source.items.map(sourceText).join(source.kind === 'and' ? '+' : ',')})`;
  }
}

function failure(text: string): ExpressionError {
  try {
    const { unsupported } = parseDataview(text);
    if (unsupported !== undefined) return unsupported;
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`"${text}" can be read.`);
}

describe('queries', () => {
  it('have a type, columns, a source and clauses in their order', () => {
    const query = parseDataview(
      '// what I read\ntable without id file.link AS "Book", rating as ⭐,\n author\nfrom #book\nWHERE rating > 3\nsort rating desc, file.name\nGROUP BY author AS who\nLIMIT 5',
    );
    expect(query.type).toBe('table');
    expect(query.hasId).toBe(false);
    expect(query.fields.map(({ name }) => name)).toEqual(['Book', '⭐', 'author']);
    expect(sourceText(query.source)).toBe('#book');
    expect(query.clauses.map(({ kind }) => kind)).toEqual(['where', 'sort', 'group', 'limit']);
    expect(query.clauses[1]).toMatchObject({ keys: [{ direction: -1 }, { direction: 1 }] });
    expect(query.clauses[2]).toMatchObject({ by: { name: 'who' } });
  });

  it.each([
    ['TABLE', 'all'],
    ['TASK FROM ""', '""'],
    ['LIST FROM #a/b-c and -#d', '(#a/b-c+-#d)'],
    ['LIST FROM #a or #b and "c"', '((#a,#b)+"c")'],
    ['LIST FROM #a and (#b | "c/d")', '(#a+(#b,"c/d"))'],
    ['LIST FROM [[A b]] & !outgoing([[C]])', '(to A b+-from C)'],
    ['LIST FROM [[]]', 'to '],
  ])('%s has the source %s', (text, expected) => {
    expect(sourceText(parseDataview(text).source)).toBe(expected);
  });

  it.each([
    ['a-b - c', '(a-b) - (c)'],
    ['a and b or c and d', '(((a) && (b)) || (c)) && (d)'],
    ['a = 1 + 2 * -3', '(a) == ((1) + ((2) * (-3)))'],
    ['!a.b & c', '(!((a).b)) && (c)'],
    ['rows.file["x y"][0]', '((((rows).file)["x y"])[0])'.slice(1, -1)],
    ['date(today) - dur(1 day, 2 h)', '($date("today")) - ($dur("1 day, 2 h"))'],
    ['date("2025-01-01")', 'date("2025-01-01")'],
    ['date(due)', 'date(due)'],
    ['[[A|b]]', '$link("A|b")'],
    ['[1, [2]]', '[1, [2]]'],
    ['{a: 1, "b c": null}', '{"a": 1, "b c": null}'],
    ['filter(file.tasks, (t) => !t.completed)', 'filter((file).tasks, (t) => !((t).completed))'],
    ['"a\\"b\\n"', '"a\\"b\\\\n"'],
  ])('%s is read as %s', (text, expected) => {
    expect(field(text)).toBe(expected);
  });

  it.each([
    ['CALENDAR file.ctime FROM ""', 'unsupported', 'CALENDAR'],
    ['LIST FLATTEN file.tags AS t', 'unsupported', 'FLATTEN'],
    ['LIST WHERE due:: 3', 'unsupported', 'Inline fields'],
    ['$= dv.pages()', 'unsupported', 'DataviewJS'],
    ['dv.table([], [])', 'unsupported', 'DataviewJS'],
    ['LIST FROM csv("a.csv")', 'unsupported', 'CSV'],
    ['LIST frobnicate(x)', 'unknown_function', 'frobnicate'],
    ['LIST contians(x, 1)', 'unknown_function', 'contains'],
    ['LIST FROM #a HAVING x', 'parse', 'HAVING'],
    ['LIST WHERE a == 1', 'parse', 'Write: ='],
    ['LIST WHERE a && b', 'parse', 'Write: and'],
    ['LIST WHERE x.contains(1)', 'parse', 'f(x)'],
    ['LIST SORT a FROM "b"', 'parse', 'FROM stands before'],
    ['LIST FROM b', 'parse', '"folder"'],
    ['LIST WHERE "a', 'parse', 'closing'],
    ['LIST dur(1 fortnight)', 'parse', 'dur(7 days)'],
    ['LIST FROM #a and-#b HAVING x', 'parse', 'HAVING'],
    ['SELECT 1', 'parse', 'TABLE'],
    ['', 'parse', 'TABLE'],
  ])('%s fails with %s', (text, code, says) => {
    const { code: found, message } = failure(text);
    expect([found, message]).toEqual([code, expect.stringContaining(says)]);
  });

  it('that are too long or nest too deep are refused', () => {
    const texts = [
      `LIST ${'('.repeat(200)}`,
      `LIST ${'!'.repeat(200)}x`,
      `LIST FROM ${'('.repeat(200)}`,
      `LIST FROM #a${' and #a or #a'.repeat(200)}`,
      `LIST "${'a'.repeat(30_000)}"`,
      `TASK${' GROUP BY a'.repeat(6)}`,
      `LIST SORT a${', a'.repeat(100)}`,
      `TABLE a${', a'.repeat(100)}`,
    ];
    expect(texts.map((text) => failure(text).code)).toEqual(texts.map(() => 'budget'));
  });

  it('are told from expressions of bases', () => {
    const queries = [
      'TABLE',
      'list\nfrom "a"',
      'TASK WHERE x',
      'table (a + b) as c',
      ' LIST rows.x',
    ];
    const expressions = ['list(a).contains(1)', 'task == 1', 'table.x', 'list', 'tables > 1'];
    expect(queries.filter((text) => !isDataview(text))).toEqual([]);
    expect(expressions.filter(isDataview)).toEqual(['list']);
  });

  it('of any text are read or refused', () => {
    const word = fc.constantFrom(
      ...'TABLE LIST TASK WITHOUT ID FROM WHERE SORT GROUP BY LIMIT FLATTEN AS and or ( ) [ ] [[ ]] { } " # - ! = . , :: => date( dur( x 1 \\ // \n'.split(
        / /,
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 40 }).map((words) => `LIST ${words.join(' ')}`),
      fc.array(word, { maxLength: 40 }).map((words) => `TABLE ${words.join('')}`),
    );
    fc.assert(
      fc.property(text, (each) => {
        try {
          parseDataview(each);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          const { range } = error as ExpressionError;
          expect(range === undefined || range.end <= each.length).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
