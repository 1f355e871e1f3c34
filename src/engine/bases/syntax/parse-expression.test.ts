import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { printExpression } from '../../../../test/support/print-expression.ts';
import type { Expression } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse-expression.ts';

const runs = counted({ quick: 300, full: 3_000, soak: 100_000 });

/** The tree without ranges, which depend on how the text is written. */
function shape(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'range' || key === 'nameRange' ? undefined : value,
    ),
  );
}

function failure(text: string): ExpressionError {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`"${text}" is an expression.`);
}

describe('operators', () => {
  it.each([
    ['1 + 2 * 3', '1 + (2 * 3)'],
    ['10 / 5 / 2', '(10 / 5) / 2'],
    ['!a == b', '(!a) == b'],
    ['-a.b', '-(a.b)'],
    ['a < b == c > d', '(a < b) == (c > d)'],
    ['a || b && c', 'a || (b && c)'],
    ['a == b && c != d || e', '((a == b) && (c != d)) || e'],
    ['1.isTruthy()', '(1).isTruthy()'],
    ['a / b / c', '(a / b) / c'],
  ])('%s is %s', (text, other) => {
    expect(shape(parseExpression(text))).toEqual(shape(parseExpression(other)));
  });
});

describe('an expression that cannot be read', () => {
  it.each([
    ['', 'value is expected'],
    ['a === b', 'Write =='],
    ['a = 1', 'Write =='],
    ['x => x', '"value"'],
    ['a ?? b', 'if(a, a, b)'],
    ['a ? b : c', 'if(condition'],
    ['a b', 'operator'],
    ['rating > 3 and status == 1', 'Write && for "and"'],
    ['(a OR b)', 'Write || for "OR"'],
    ['(1', '")" is expected'],
    ['"abc', 'no closing "'],
    ['/abc', 'no closing /'],
    ['/(/', 'regular expression'],
    ['/a(?=b)/', 'Look-around'],
    ['/a/xyz', 'flags'],
    ['a.1', 'a name'],
    ['{1: 2}', 'key in quotes'],
    ['a @ b', '"@"'],
  ])('%s says what to write: %s', (text, part) => {
    const { code, message, range } = failure(text);
    expect(code).toBe('parse');
    expect(message).toContain(part);
    expect(range).toBeDefined();
  });

  it.each([
    ['brackets', `${'('.repeat(101)}1${')'.repeat(101)}`],
    ['signs', `${'!'.repeat(5_000)}1`],
    ['lists', '['.repeat(5_000)],
    ['characters', 'a'.repeat(20_001)],
  ])('has too many %s', (_, text) => {
    expect(failure(text).code).toBe('budget');
  });

  it('is an error and nothing else, for any text', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'file',
        '.',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '/',
        '\\',
        ',',
        ':',
        '1',
        '2.5',
      ],
      ...[
        '==',
        '!=',
        '&&',
        '||',
        '!',
        '-',
        '+',
        '<',
        'null',
        ' ',
        '\n',
        '🌲',
        'été',
        '=',
        '?',
        '=>',
      ],
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { numRuns: runs },
    );
  });
});

it('a long sum is read, although its tree is deep', () => {
  expect(parseExpression(Array.from({ length: 5_000 }, () => '1').join('+')).kind).toBe('binary');
});

it('printing a tree and reading it gives the tree again', () => {
  const range = { start: 0, end: 0 };
  const name = fc.constantFrom('a', 'file', 'note', '$x', '_y', 'naïve', '0🌲'.slice(1));
  const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.record({ kind: fc.constant('name' as const), name, range: fc.constant(range) }),
      fc.record({
        kind: fc.constant('literal' as const),
        value: fc.oneof(
          fc.constant(null),
          fc.boolean(),
          fc.string(),
          fc.nat(),
          fc.integer({ min: 0, max: 1_000 }).map((n) => n / 4),
        ),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('list' as const),
        items: fc.array(tie('tree'), { maxLength: 3 }),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('object' as const),
        entries: fc.array(fc.tuple(fc.string(), tie('tree')), { maxLength: 2 }),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('member' as const),
        of: tie('tree'),
        name,
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('index' as const),
        of: tie('tree'),
        at: tie('tree'),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('call' as const),
        receiver: fc.option(tie('tree'), { nil: undefined }),
        name,
        nameRange: fc.constant(range),
        args: fc.array(tie('tree'), { maxLength: 2 }),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('unary' as const),
        operator: fc.constantFrom('!' as const, '-' as const),
        operand: tie('tree'),
        range: fc.constant(range),
      }),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom('*', '/', '%', '+', '-', '<', '>=', '==', '!=', '&&', '||'),
        left: tie('tree'),
        right: tie('tree'),
        range: fc.constant(range),
      }) as fc.Arbitrary<Expression>,
    ),
  }));
  fc.assert(
    fc.property(tree, (each) => {
      expect(shape(parseExpression(printExpression(each)))).toEqual(shape(each));
    }),
    { numRuns: runs },
  );
});
