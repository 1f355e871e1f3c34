import fc from 'fast-check';
import { expect, it } from 'vitest';
import { viewCase } from '../../../../test/support/base-cases.ts';
import { counted } from '../../../../test/support/counts.ts';

// Bases that are written to take long: deep, in a circle, with lists and texts that multiply, with
// patterns for which other engines try every way, and with aliases of YAML that multiply. Each of
// them is answered; that it takes long enough to fail is what the time of a test is for.

const runs = counted({ quick: 60, full: 600, soak: 20_000 });

const vault = {
  'A.md': '---\nn: 3\nl: [1, 2, 3, 4, 5, 6, 7, 8]\n---\n[[B]]',
  'B.md': '---\nn: 5\n---\n#t',
};

const depth = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constantFrom(1_000, 5_000));
const names = ['a', 'b', 'c', 'd'];
const formula = fc.constantFrom(...names).map((name) => `formula.${name}`);

const deep = fc
  .tuple(
    depth,
    fc.constantFrom(
      ['(', ')'],
      ['[', ']'],
      ['!', ''],
      ['-', ''],
      ['if(1, ', ')'],
      ['l.map(', ')'],
      ['{"a": ', '}'],
      ['n + ', ''],
      ['l[', ']'],
    ),
    formula,
  )
  .map(
    ([times, [open = '', close = ''], inner]) => open.repeat(times) + inner + close.repeat(times),
  );

const multiplied = fc
  .tuple(
    fc.constantFrom(
      'l',
      '"ab".repeat(400000)',
      '"a,".repeat(50000).split(",")',
      'file.links',
      'l.map(l)',
    ),
    fc.array(
      fc.constantFrom(
        ...[
          '.map(l)',
          '.map(l.map(l))',
          '.flat()',
          '.reduce(acc + acc, l)',
          '.reduce(acc + acc, "xx")',
        ],
        ...[
          '.filter(l.contains(value))',
          '.unique()',
          '.sort()',
          '.join("ab".repeat(9))',
          '.lower()',
        ],
        ...['.split("")', '.repeat(1000)', '.reverse()', '.toString()', '.contains(l)', '.title()'],
      ),
      { maxLength: 6 },
    ),
  )
  .map(([start, calls]) => start + calls.join(''));

const pattern = fc
  .tuple(
    fc.constantFrom(
      '(a+)+$',
      '(a|aa)*b',
      '(.*)*x',
      '(a?){50}a{50}',
      '(\\w+\\s?)*!',
      '((a*)*)*c',
      'a{1000}b',
    ),
    fc.constantFrom('.matches(TEXT)', '.matches(TEXT + TEXT)'),
    fc.integer({ min: 1, max: 20_000 }),
  )
  .map(([written, call, length]) =>
    `/${written}/${call}`.replaceAll('TEXT', `"a".repeat(${length})`),
  );

const expression = fc.oneof(
  deep,
  multiplied,
  pattern,
  formula,
  fc.tuple(formula, multiplied).map(([a, b]) => `${b}.map(${a} + ${a})`),
  fc.tuple(formula, formula).map(([a, b]) => `l.map(${a} + l.map(${b}))`),
);

const filter = fc
  .tuple(depth, fc.constantFrom('and', 'or', 'not'), expression)
  .map(
    ([times, kind, inner]) =>
      `${`{${kind}: [`.repeat(times)}${JSON.stringify(inner)}${']}'.repeat(times)}`,
  );

const bomb = fc
  .tuple(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 12 }))
  .map(([levels, wide]) =>
    Array.from({ length: levels }, (_, at) => {
      const items = at === 0 ? 'n' : `*x${at - 1}`;
      return `k${at}: &x${at} [${Array.from({ length: wide }, () => items).join(', ')}]\n`;
    }).join(''),
  );

const base = fc
  .record({
    formulas: fc.tuple(expression, expression, expression, expression),
    filter: fc.option(
      fc.oneof(
        filter,
        expression.map((each) => JSON.stringify(each)),
      ),
    ),
    bomb: fc.option(bomb, { freq: 5 }),
    summary: expression,
  })
  .map(({ formulas, filter: own, bomb: aliases, summary }) =>
    [
      aliases ?? '',
      `formulas:\n${formulas.map((each, at) => `  ${names[at]}: ${JSON.stringify(each)}\n`).join('')}`,
      own === null ? '' : `filters: ${own}\n`,
      `summaries:\n  s: ${JSON.stringify(summary)}\n`,
      'views:\n  - name: T\n    order: [formula.a, formula.b, formula.c, formula.d]\n',
      '    sort: [{ property: formula.b }]\n    groupBy: { property: formula.c }\n',
      '    summaries: { formula.d: s }\n',
    ].join(''),
  );

const codes = [
  ...['parse', 'type', 'unknown_function', 'unknown_member', 'cycle', 'budget'],
  ...['base_yaml', 'base_schema'],
];

it('hostile bases are answered', async () => {
  await fc.assert(
    fc.asyncProperty(base, async (text) => {
      const answer = await viewCase({ vault, base: text, view: null, this: 'A.md' });
      const { errors } = answer as { errors: readonly { code: string }[] };
      for (const { code } of errors) expect(codes).toContain(code);
    }),
    { numRuns: runs },
  );
}, 120_000);
