import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expressionCase, sheetCases, viewCase } from '../support/base-cases.ts';

// The cases of the sheet about Bases, each by its id, and a second set of the same form whose answers
// were derived from the sheet alone. They are evaluated without an index here.

interface Case {
  readonly id: string;
  readonly expr?: string;
  readonly expect: unknown;
  readonly type?: string;
}

const cases = sheetCases<Case>();

// The sheet says what time it is in UTC.
const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('cases of the sheet', () => {
  it('are there', () => {
    expect(cases.length).toBeGreaterThan(950);
  });

  it.each(cases.filter(({ expr }) => expr !== undefined).map((each) => [each.id, each] as const))(
    '%s',
    async (_, each) => {
      const { expect: value, type } = each;
      expect(await expressionCase(each as never)).toEqual({ value, type });
    },
  );

  it.each(cases.filter(({ expr }) => expr === undefined).map((each) => [each.id, each] as const))(
    '%s',
    async (_, each) => {
      expect(await viewCase(each as never)).toEqual(each.expect);
    },
  );
});
