import { describe, expect, it } from 'vitest';
import { limits } from './limits.ts';
import { jsonExcess, readJson } from './read-json.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const deepest = limits.jsonDepthMax;
const nested = (levels: number, [open, close]: string): string =>
  (open ?? '').repeat(levels) + (close ?? '').repeat(levels);

describe('jsonExcess', () => {
  it.each<[string, string, boolean]>([
    ['as deep as allowed', nested(deepest, '[]'), false],
    ['a level deeper', nested(deepest + 1, '[]'), true],
    ['objects', `${'{"a":'.repeat(deepest + 1)}1${'}'.repeat(deepest + 1)}`, true],
    ['both', `${'[{"a":'.repeat(deepest / 2)}[]${'}]'.repeat(deepest / 2)}`, true],
    ['never closed', '['.repeat(8_000_000), true],
    ['closed more often than opened', `${']'.repeat(1_000)}${nested(deepest + 1, '[]')}`, false],
    ['side by side', `[${'[],'.repeat(1_000)}[]]`, false],
    ['in a string', JSON.stringify('['.repeat(1_000)), false],
    ['in a string with quotes', JSON.stringify('"['.repeat(1_000)), false],
    ['after a string that ends with a backslash', `["\\\\",${'['.repeat(deepest)}`, true],
    ['after a string with an escaped quote', `["\\"",${'['.repeat(deepest)}`, true],
    ['in a string with an escaped quote', `"\\"${'['.repeat(1_000)}"`, false],
    ['in a string that never ends', `"${'['.repeat(1_000)}`, false],
    ['in a string that ends with half an escape', '["\\', false],
    ['in a name', `{${JSON.stringify('{'.repeat(1_000))}:1}`, false],
  ])('nesting: %s', (_, text, isTooDeep) => {
    const message = `The JSON nests deeper than ${deepest} levels.`;
    expect(jsonExcess(bytesOf(text))).toBe(isTooDeep ? message : undefined);
  });

  it.each<[string, string, boolean]>([
    ['as many values as allowed', `[${'1,'.repeat(limits.jsonValuesMax - 2)}1]`, false],
    ['one more', `[${'1,'.repeat(limits.jsonValuesMax - 1)}1]`, true],
    ['arrays', `[${'[],'.repeat(limits.jsonValuesMax)}1]`, true],
    ['members', `{${'"a":1,'.repeat(limits.jsonValuesMax)}"a":1}`, true],
    ['one long text', JSON.stringify(',[{'.repeat(limits.jsonValuesMax)), false],
  ])('number: %s', (_, text, isTooMany) => {
    const message = `The JSON has more than ${limits.jsonValuesMax} values; send less at once.`;
    expect(jsonExcess(bytesOf(text))).toBe(isTooMany ? message : undefined);
  });
});

describe('readJson', () => {
  it.each<[string, Uint8Array, unknown]>([
    ['a value', bytesOf('{"a":["ä",1]}'), { kind: 'value', value: { a: ['ä', 1] } }],
    ['no JSON', bytesOf('{"a":1 x}'), { kind: 'malformed', at: 7 }],
    ['nothing', bytesOf(''), { kind: 'malformed', at: undefined }],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), { kind: 'malformed', at: undefined }],
    [
      'too deep',
      bytesOf(`${nested(999, '[]')} \n`),
      { kind: 'excess', message: expect.any(String) },
    ],
    ['too deep and never closed', bytesOf('['.repeat(999)), { kind: 'malformed', at: undefined }],
  ])('%s', (_, bytes, expected) => {
    expect(readJson(bytes)).toEqual(expected);
  });
});
