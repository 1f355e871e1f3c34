import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';

const rows: readonly [string, readonly string[]][] = [
  ['meeting Work', ['meeting', 'work']],
  ['"they said \\"hi\\""', ['they said hi']],
  ['a -b -"c d"', ['a', '-b', '-c d']],
  ['"open phrase', ['open phrase']],
  ['well-known', ['well known']],
  ['学', ['学*']],
  ['大学生 x', ['大学 学生', 'x']],
  ['*** ()', []],
];
it.each(rows)('reads %j', (query, expected) => {
  const shown = parseQuery(query).map(
    ({ words, negated, prefix }) => `${negated ? '-' : ''}${words.join(' ')}${prefix ? '*' : ''}`,
  );
  expect(shown).toEqual(expected);
});

it('takes any text, and no term is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (query) => {
      for (const term of parseQuery(query))
        expect(term.words.every((word) => word !== '')).toBe(true);
    }),
  );
});
