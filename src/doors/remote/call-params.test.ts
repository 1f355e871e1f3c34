import { describe, expect, it } from 'vitest';
import { changedPaths, overlap, readParams, touchedPaths } from './call-params.ts';

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

it.each([
  [{ path: 'a/b.md' }, ['a/b.md']],
  [{ path: '/a//./b/' }, ['a/b']],
  [{ path: '/' }, ['']],
  [{ oldPath: 'a', newPath: 'b' }, ['a', 'b']],
  [{ srcPath: 'a', destPath: 'b' }, ['b', 'a']],
  [{ paths: ['a', 'b', 7] }, ['a', 'b']],
  [{ paths: Array.from({ length: 65 }, (_, n) => `${n}`) }, ['']],
  [{ query: 'x' }, ['']],
  [{ path: 7 }, ['']],
])('%j touches %j', (params, touched) => {
  expect(touchedPaths(params)).toEqual(touched);
});

it('changes no source of a copy', () => {
  expect(changedPaths({ srcPath: 'a', destPath: 'b/' })).toEqual(['b']);
});

describe('overlap', () => {
  it.each([
    [['a'], ['a'], true],
    [['a/b'], ['a'], true],
    [['a'], ['a/b'], true],
    [[''], ['a'], true],
    [['A.md'], ['a.MD'], true],
    [['x', 'a'], ['y', 'a'], true],
    [['ab'], ['a'], false],
    [['a/b'], ['a/c'], false],
    [['a'], [], false],
  ])('%j and %j: %s', (some, others, expected) => {
    expect(overlap(some, others)).toBe(expected);
    expect(overlap(others, some)).toBe(expected);
  });
});
