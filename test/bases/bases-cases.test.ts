import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expressionCase, viewCase } from '../support/base-cases.ts';
import { sharedFolder } from '../support/unpack-vaults.ts';

// The cases of the sheet about Bases, each by its id. They are evaluated without an index here.

interface Case {
  readonly id: string;
  readonly expr?: string;
  readonly expect: unknown;
  readonly type?: string;
}

const cases = readFileSync(join(sharedFolder(), 'obsidian/bases-cases.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

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
    expect(cases.length).toBeGreaterThan(300);
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
