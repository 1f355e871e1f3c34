import { describe, expect, it } from 'vitest';
import { inNameOrder, toolHash } from './tool-hash.ts';

type BridgeTool = Parameters<typeof toolHash>[0][number];

const tool = (
  name: string,
  description = 'x',
  properties: Readonly<Record<string, unknown>> = {},
): BridgeTool => ({ name, description, inputSchema: { type: 'object', properties } });

const five = [
  tool('b', 'B'),
  tool('A', 'é', { z: { type: 'number' }, 10: { type: 'string' }, 9: { type: 'string' } }),
  tool('a_b'),
  tool('a-b'),
  tool('a/b'),
];

const seedTool: BridgeTool = {
  name: 'read_note',
  description: 'Read a note by path',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  },
};

describe('the hash of a set of tools', () => {
  it.each<[string, readonly BridgeTool[], string]>([
    ['no tools', [], '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    [
      "the seed's read_note",
      [seedTool],
      'e43ef14dc12d08cc6d1d7ca9df9acabdc8369e3fe25f2ff512ca186ae6e080ab',
    ],
    [
      'five tools with odd names and keys',
      five,
      '31bac720a3dcc10c7a659606bb156c95e0fd30fcae5961b9d2a3f267c31229a6',
    ],
    [
      'five tools in another order',
      [...five].reverse(),
      '31bac720a3dcc10c7a659606bb156c95e0fd30fcae5961b9d2a3f267c31229a6',
    ],
  ])('of %s is that of the reference', (_what, tools, hash) => {
    expect(toolHash(tools)).toBe(hash);
  });

  const odd = (properties: string): string =>
    toolHash([tool('t', 'x', JSON.parse(properties) as Record<string, unknown>)]);

  it.each<[string, string, string]>([
    ['the order of keys', '{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":1}}'],
    ['the order of keys that are numbers', '{"10":1,"9":2,"z":3}', '{"z":3,"9":2,"10":1}'],
    ['a key that objects cannot be given', '{"__proto__":{"a":1},"z":3}', '{"z":3}'],
  ])('does not change with %s', (_what, one, other) => {
    expect(odd(one)).toBe(odd(other));
  });

  it('does not change with a key that has no value', () => {
    expect(toolHash([tool('t', 'x', { a: undefined })])).toBe(toolHash([tool('t')]));
  });

  it('does not change with what clients are not shown', () => {
    expect(toolHash([{ ...seedTool, title: 'Read' } as BridgeTool])).toBe(toolHash([seedTool]));
  });

  it.each<[string, string, string]>([
    ['the order of a list', '{"enum":["a","b"]}', '{"enum":["b","a"]}'],
    ['a value', '{"a":{"b":1}}', '{"a":{"b":2}}'],
    ['a letter that is not plain', '{"a":"é"}', '{"a":"e"}'],
    ['a key', '{"a":1}', '{"A":1}'],
  ])('changes with %s', (_what, one, other) => {
    expect(odd(one)).not.toBe(odd(other));
  });
});

it('lists names as a dictionary would, not by the numbers of their letters', () => {
  const sorted = (...names: string[]): string[] =>
    inNameOrder(names.map((name) => tool(name))).map(({ name }) => name);
  expect(sorted('b', 'A', 'a_b', 'a-b', 'a/b')).toEqual(['A', 'a_b', 'a-b', 'a/b', 'b']);
  expect(sorted('Zed', 'utils/helper')).toEqual(['utils/helper', 'Zed']);
});
