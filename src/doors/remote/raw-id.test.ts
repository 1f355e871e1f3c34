import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawId } from './raw-id.ts';

it.each([
  ['{"id":1}', '1'],
  ['{"id":1.0}', '1.0'],
  ['{"id":1e2,"a":1}', '1e2'],
  ['{"id":12345678901234567890}', '12345678901234567890'],
  ['{"id":"a\\u0062"}', '"a\\u0062"'],
  ['{"id":"\\"","x":2}', '"\\""'],
  ['{"id":"\\\\"}', '"\\\\"'],
  ['{ "id" : { "a" : [ 1 , "}" ] } , "b" : 2 }', '{ "a" : [ 1 , "}" ] }'],
  ['{"id":null}', 'null'],
  ['{"id":1,"id":2}', '2'],
  ['{"\\u0069d":3}', '3'],
  ['{"params":{"id":1},"x":"\\"id\\":2"}', undefined],
  ['{"params":[{"id":1}],"id":7}', '7'],
  ['{"a":":","id":8}', '8'],
  ['\n\t{\r\n"id"\n:\n9\n}\n', '9'],
  ['{}', undefined],
  ['{"a":true}', undefined],
])('finds the id of %s: %s', (json, id) => {
  expect(rawId(json)).toBe(id);
});

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

it('finds the source of the last id in any JSON, however it is spaced', () => {
  const field = fc.tuple(fc.oneof(fc.constant('id'), fc.string()), fc.jsonValue(), space, space);
  fc.assert(
    fc.property(fc.array(field), fc.nat(3), (fields, indent) => {
      const source = (value: unknown): string => JSON.stringify(value, undefined, indent);
      const body = fields.map(([name, value, a, b]) => {
        return `${a}${JSON.stringify(name)}${b}:${a}${source(value)}${b}`;
      });
      const last = fields.findLast(([name]) => name === 'id');
      expect(rawId(`{${body.join(',')}}`)).toBe(last && source(last[1]));
    }),
    { numRuns: 300 },
  );
});
