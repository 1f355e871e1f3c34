import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import { checkInput } from './check-input.ts';

const input = z.object({
  name: z.string().min(1),
  ids: z.array(z.coerce.number().int().min(1)).min(1).optional(),
  limit: z.number().max(9).optional(),
  mode: z.enum(['all', 'some']).optional(),
  trash: z.literal('local').optional(),
  force: z.boolean().optional(),
  properties: z.record(z.string(), z.json()).optional(),
  version: z.string().regex(/^a/, 'it begins with a').optional(),
});

const instead = new Map([
  ['mood', 'use sing'],
  ['fields', 'use properties'],
  ['soft', 'it always is'],
]);
const elsewhere = (argument: string) => instead.get(argument);
const ignores = (argument: string, args: Readonly<Record<string, unknown>>) =>
  argument === 'pretty' && args['pretty'] === true;

function problem(args: unknown): string {
  try {
    checkInput({ name: 'put', input, elsewhere, ignores }, args);
  } catch (error) {
    if (error instanceof VaultError) return `${error.code}: ${error.message}`;
  }
  return 'none';
}

const halfPair = 'it has half a surrogate pair, which is no character';

describe('checkInput', () => {
  it('takes every character there is', () => {
    expect(problem({ name: '🎉', properties: { 'ü🎉': ['𝕏'] } })).toBe('none');
  });

  it.each<[unknown, string]>([
    [{}, '"name": it is missing'],
    [undefined, '"name": it is missing'],
    [[], 'it must be an object'],
    [{ name: '' }, '"name": it must not be empty'],
    [{ name: 5 }, '"name": it must be text'],
    [{ name: 'A', ids: ['x'] }, '"ids.0": it must be a number'],
    [{ name: 'A', ids: [1.5] }, '"ids.0": it must be a whole number'],
    [{ name: 'A', ids: [0] }, '"ids.0": it must be at least 1'],
    [{ name: 'A', ids: [] }, '"ids": it must not be empty'],
    [{ name: 'A', ids: 1 }, '"ids": it must be a list'],
    [{ name: 'A', limit: 10 }, '"limit": it must be at most 9'],
    [{ name: 'A', mode: 'x' }, '"mode": it must be "all" or "some"'],
    [{ name: 'A', trash: 'system' }, '"trash": it must be "local"'],
    [{ name: 'A', force: 'yes' }, '"force": it must be true or false'],
    [{ name: 'A', properties: 1 }, '"properties": it must be an object'],
    [{ name: 'A', version: 'b' }, '"version": it begins with a'],
    [{ name: 'a\ud800' }, `"name": ${halfPair}`],
    [
      { name: '\udc00🎉', properties: { deep: [{ '\ud83c': 1 }] } },
      `"name": ${halfPair}; "properties": ${halfPair}`,
    ],
    [{ ids: [0] }, '"name": it is missing; "ids.0": it must be at least 1'],
  ])('says of %j: %s', (args, expected) => {
    expect(problem(args)).toBe(`invalid_input: Wrong arguments for put: ${expected}.`);
  });

  const all = 'name, ids, limit, mode, trash, force, properties, version';

  it.each<[unknown, string]>([
    [{ name: 'A', frob: 1 }, `"frob": it takes ${all}`],
    [{ name: 'A', Limit: 1 }, '"Limit": use "limit"'],
    [{ name: 'A', limt: 1 }, '"limt": use "limit"'],
    [{ name: 'A', max_results: 1 }, '"max_results": use "limit"'],
    [{ name: 'A', mood: 1 }, '"mood": use sing'],
    [{ title: 'A' }, '"title": use "name"'],
    [{ title: 'A', moode: 'all' }, '"title": use "name"; no argument "moode": use "mode"'],
    [{ name: 'A', pretty: 1 }, `"pretty": it takes ${all}`],
    // One useful sentence: what is missing in a call that should be another one is not said.
    [{ mood: 1 }, '"mood": use sing'],
    [{ name: 'A', soft: true }, '"soft": it always is'],
    [{ name: 'A', fields: { a: 1 } }, '"fields": use "properties"'],
    [{ name: 'A', fields: 1 }, '"fields": use "properties"; "properties": it must be an object'],
    [{ frob: 1 }, `"frob": it takes ${all}; "name": it is missing`],
    [{ name: 'A', constructor: 1 }, `"constructor": it takes ${all}`],
  ])('refuses the unknown argument of %j: %s', (args, expected) => {
    expect(problem(args)).toBe(`invalid_input: put has no argument ${expected}.`);
  });

  it.each<unknown>([
    { name: 'A', frob: null },
    { name: 'A', pretty: true },
    { name: 'A', _meta: { progressToken: 1 } },
    { name: 'A', toolCallId: 'call_1', sessionId: 'x', chatInput: 'hi' },
  ])('takes what clients add on their own: %j', (args) => {
    expect(problem(args)).toBe('none');
  });

  it('ignores unknown arguments where a contract says so', () => {
    expect(checkInput({ name: 'put', input }, { name: 'A', x: 1 }, { unknown: 'ignore' })).toEqual({
      name: 'A',
    });
  });

  it('names few unknown arguments, and no long name', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, n]));
    expect(problem({ name: 'A', ...many }).length).toBeLessThan(800);
    expect(problem({ name: 'A', ['y'.repeat(100_000)]: 1 }).length).toBeLessThan(400);
  });
});
