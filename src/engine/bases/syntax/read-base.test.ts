import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { ExpressionError } from './expression-error.ts';
import { BaseFault, readBase } from './read-base.ts';

const runs = counted({ quick: 500, full: 5_000, soak: 200_000 });

function fault(text: string): BaseFault {
  try {
    readBase(text);
  } catch (error) {
    if (error instanceof BaseFault) return error;
    throw error;
  }
  throw new Error('The base can be read.');
}

describe('a base that cannot be used', () => {
  it.each([
    ['- a\n', 'base_schema', ''],
    ['views: 3\n', 'base_schema', 'views'],
    ['views:\n  - 3\n', 'base_schema', 'views[0]'],
    ['formulas: x\n', 'base_schema', 'formulas'],
    ['views: [\n', 'base_yaml', ''],
    ['views: []\nviews: []\n', 'base_yaml', ''],
  ])('%j: %s at "%s"', (text, code, at) => {
    expect(fault(text)).toMatchObject({ code, at });
  });

  it.each([
    ['filters: a\nviews:\n\t- type: table\n', 3, 1],
    ['filters: a\nviews: 3\n', 2, 8],
    ['views:\n  - type: table\n  - x\n', 3, 5],
    ['formulas:\n  - a\n', 2, 3],
    ['\n- a\n', 2, 1],
  ])('%j is wrong in line %i, column %i', (text, line, column) => {
    expect(fault(text).place).toEqual({ line, column });
  });

  it('is the only exception, whatever the text', () => {
    const piece = fc.constantFrom(
      ...['filters', 'formulas', 'summaries', 'views', 'order', 'sort', 'and', 'or', 'not', 'a'],
      ...[
        ': ',
        ':\n',
        '\n',
        '\n  ',
        '\n    ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ', ',
        '"',
        "'",
        '|\n',
        '>-\n',
      ],
      ...['&x ', '*x', '!!set ', '# ', '---\n', '5', 'true', 'null', '\t', 'n > 3', '\ufeff', '🌲'],
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { views } = readBase(text);
          expect(views.length).toBeGreaterThan(0);
          for (const view of views) view.placeOf?.('note.a');
        } catch (error) {
          expect(error).toBeInstanceOf(BaseFault);
        }
      }),
      { numRuns: runs },
    );
  });
});

it('an empty file is a base with one table', () => {
  const { views, filter } = readBase('');
  expect(filter).toBeUndefined();
  expect(views.map(({ type, order }) => [type, order])).toEqual([['table', undefined]]);
});

it('keeps the settings of a view that are for those who show it', () => {
  const [view] = readBase(
    'views:\n  - type: cards\n    image: note.cover\n    cardSize: 120\n',
  ).views;
  expect(view).toMatchObject({ type: 'cards', settings: { image: 'note.cover', cardSize: 120 } });
});

it('reads the names of older versions', () => {
  const { titles, views } = readBase(
    'display:\n  file.name: Game\nviews:\n  - sort:\n      - column: property.n\n        direction: desc\n    group_by: s\n',
  );
  expect(titles.get('file.name')).toBe('Game');
  expect(views[0]?.sort).toEqual([{ property: { kind: 'note', name: 'n' }, direction: 'DESC' }]);
  expect(views[0]?.group).toEqual({ property: { kind: 'note', name: 's' }, direction: 'ASC' });
});

describe('the place of an error', () => {
  it.each([
    ['plain', 'formulas:\n  a: 1 + * 2\n', 2, 10],
    ['in quotes with an escape', 'formulas:\n  a: "\\"x\\" + * 2"\n', 2, 15],
    ['folded over lines', 'formulas:\n  a: >-\n    1 +\n    * 2\n', 4, 5],
  ])('is where it is written: %s', (_, text, line, column) => {
    const formula = readBase(text).formulas.get('a');
    const error = formula?.parsed;
    expect(error).toBeInstanceOf(ExpressionError);
    const offset = error instanceof ExpressionError ? (error.range?.start ?? -1) : -1;
    expect(formula?.placeOf?.(offset)).toEqual({ line, column });
  });

  it.each([
    ['a column', 'order: [n, file.bad]', 'file.bad', 16],
    ['a sort', 'sort: [{ property: file.bad }]', 'file.bad', 24],
    ['a sort of older versions', 'sort: [{ column: property.x }]', 'note.x', 22],
    ['a group', 'groupBy: { property: "file.bad" }', 'file.bad', 27],
    ['a summary', 'summaries: { file.size: Nope }', 'summaries.file.size', 29],
  ])('of the view is that of %s', (_, text, at, column) => {
    const [view] = readBase(`views:\n  - ${text}\n`).views;
    expect(view?.placeOf?.(at)).toEqual({ line: 2, column });
    expect(view?.placeOf?.('note.other')).toBeUndefined();
  });

  it('of a formula that is no text is that of its value', () => {
    const formula = readBase('formulas:\n  a: 1\n  b: [1, 2]\n').formulas.get('b');
    expect(formula?.parsed).toMatchObject({ code: 'parse', message: expect.stringMatching('2 *') });
    expect(formula?.placeOf?.(0)).toEqual({ line: 3, column: 6 });
  });

  it('of a filter is that of its mapping', () => {
    const { filter } = readBase('filters:\n  and:\n    - n\n    - xor: [n]\n');
    const wrong = filter?.kind === 'and' ? filter.items[1] : undefined;
    const place = wrong?.kind === 'statement' ? wrong.statement.placeOf?.(0) : undefined;
    expect(place).toEqual({ line: 4, column: 7 });
  });
});
