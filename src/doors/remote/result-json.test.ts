import { expect, it } from 'vitest';
import { resultJson } from './result-json.ts';

const long = 'QUJD'.repeat(20_000);

it.each([
  ['nothing', null],
  ['an empty object', {}],
  ['a short content', { contentBase64: 'QUJD', mtime: 1 }],
  ['a long content', { contentBase64: long, mtime: 1, size: 60_000 }],
  ['a long content after other fields', { mtime: 1, contentBase64: long }],
  ['a long content alone', { contentBase64: long }],
  ['a long text with quotes', { content: '"\\\n'.repeat(40_000) }],
  ['a list', [{ contentBase64: long }]],
])('writes %s as JSON does', (_what, value) => {
  expect(JSON.parse(resultJson(value))).toEqual(value);
});

it('writes what is absent as null', () => {
  expect(resultJson(undefined)).toBe('null');
});
