import { describe, expect, it } from 'vitest';
import { ExpressionError } from './expression-error.ts';
import { BaseFault, readBase } from './read-base.ts';

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

  it('says in which line its YAML is wrong', () => {
    expect(fault('filters: a\nviews:\n\t- type: table\n').place?.line).toBe(3);
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
});
