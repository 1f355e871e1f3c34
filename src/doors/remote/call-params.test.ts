import { expect, it } from 'vitest';
import { readParams } from './call-params.ts';

it.each([
  [undefined, {}],
  [null, {}],
  [{}, {}],
  [{ path: 'a' }, { path: 'a' }],
  [{ path: null, recursive: false }, { recursive: false }],
  [
    { path: '', other: 0 },
    { path: '', other: 0 },
  ],
  [{ path: 'a', vault: 'another' }, { path: 'a' }],
  [[], undefined],
  ['a', undefined],
  [7, undefined],
  [false, undefined],
])('reads %j as %j', (params, read) => {
  expect(readParams(params)).toEqual(read);
});
