import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expressionCase, viewCase } from '../support/base-cases.ts';
import * as expressions from './expression-cases.ts';
import * as filesAndLinks from './file-cases.ts';
import * as functions from './function-cases.ts';
import { orders, summaries } from './order-cases.ts';
import { files, filters, fourNotes } from './view-cases.ts';

// Cases of our own, in UTC as those of the sheet.

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe.each(Object.entries({ ...expressions, ...functions, ...filesAndLinks }))(
  '%s',
  (_, rows) => {
    it.each(rows.map(([expr, value, rest]) => [expr.slice(0, 80), expr, value, rest] as const))(
      '%s',
      async (_, expr, value, rest) => {
        expect((await expressionCase({ expr, ...rest })).value).toEqual(value);
      },
    );
  },
);

describe.each(Object.entries({ filters, files, orders, summaries }))('views: %s', (_, rows) => {
  it.each(rows.map((row) => [row.what, row] as const))('%s', async (_, row) => {
    const { vault = fourNotes, base, view = null, this: self = null, answer } = row;
    expect(await viewCase({ vault, base, view, this: self })).toEqual(answer);
  });
});
