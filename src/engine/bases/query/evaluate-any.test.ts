import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expressionCase } from '../../../../test/support/base-cases.ts';
import { counted } from '../../../../test/support/counts.ts';

const runs = counted({ quick: 1_000, full: 10_000, soak: 500_000 });

const vault = { 'A.md': '#t\n[[Notes/Note]] ![[p.png]]', 'p.png': '' };
const note = {
  n: 3,
  s: 'Hello',
  d: '2025-01-31',
  dt: '2025-01-31T10:20:30',
  l: [3, 'b', null, '2024-02-29', '[[A]]'],
  o: { a: 1, B: [1] },
  b: true,
  lk: '[[A|Ay]]',
  tags: ['t/u'],
};
const formulas = {
  self: 'formula.self + 1',
  other: 'formula.third',
  third: 'l.map(formula.other)',
};

const atom = fc.constantFrom(
  ...[...Object.keys(note), 'z', 'file', 'note', 'this', 'formula', 'value', 'values', 'acc'],
  ...['0', '1', '-1', '2.5', '1/0', '0/0', '1e3', '100000', '""', '"a"', '"1d"', '"2025-02-30"'],
  ...['/l+/g', '/(a)|b/i', 'null', 'true', '[]', '{}', '{"$a": [n]}', 'now()', 'duration("1M")'],
  ...['formula.self', 'formula.other', 'link("A")', 'file("A")', '"\\ud800"', 'file.links'],
);
const methods = fc.constantFrom(
  ...[
    'isTruthy',
    'isType',
    'toString',
    'isEmpty',
    'date',
    'time',
    'format',
    'relative',
    'contains',
  ],
  ...['containsAll', 'containsAny', 'startsWith', 'endsWith', 'lower', 'title', 'trim', 'reverse'],
  ...['repeat', 'slice', 'replace', 'split', 'abs', 'ceil', 'floor', 'round', 'toFixed', 'filter'],
  ...['map', 'reduce', 'flat', 'join', 'sort', 'unique', 'mean', 'median', 'stddev', 'sum', 'min'],
  ...['max', 'earliest', 'latest', 'asFile', 'linksTo', 'asLink', 'hasLink', 'hasProperty'],
  ...['hasTag', 'inFolder', 'keys', 'values', 'matches', 'constructor', '__proto__'],
);
const globals = fc.constantFrom(
  ...['if', 'date', 'duration', 'now', 'today', 'number', 'list', 'link', 'file', 'min', 'max'],
  ...['random', 'image', 'icon', 'html', 'escapeHTML', 'not', 'empty', 'notEmpty', 'upper'],
);
const members = fc.constantFrom(
  ...['length', 'year', 'months', 'days', 'name', 'tags', 'links', 'backlinks', 'properties', 'a'],
  ...['file', 'folder', 'mtime', 'constructor', 'prototype'],
);
const operators = fc.constantFrom(
  ...['+', '-', '*', '/', '%', '<', '>', '<=', '>=', '==', '!=', '&&', '||'],
);
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const args = fc.array(inner, { maxLength: 3 }).map((all) => all.join(', '));
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc.tuple(inner, methods, args).map(([of, name, all]) => `(${of}).${name}(${all})`),
      fc.tuple(globals, args).map(([name, all]) => `${name}(${all})`),
      fc.tuple(inner, members).map(([of, name]) => `(${of}).${name}`),
      fc.tuple(inner, inner).map(([of, at]) => `(${of})[${at}]`),
      fc.tuple(inner, operators, inner).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc.tuple(fc.constantFrom('!', '-'), inner).map(([sign, of]) => `${sign}(${of})`),
      args.map((all) => `[${all}]`),
    ),
  };
});

it('any expression has a value that is JSON, or an error of the language', async () => {
  await fc.assert(
    fc.asyncProperty(expression, async (expr) => {
      const { value } = await expressionCase({ expr, note, vault, formulas, this: 'A.md' });
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
    { numRuns: runs },
  );
});
