import { expect, it } from 'vitest';
import { faultOrigin } from './logger.ts';

it('a bug is told by its kind and place, never by its message', () => {
  const { kind, at } = faultOrigin(new RangeError('Dear diary\n    at secret.md:1:1'));
  expect(kind).toBe('RangeError');
  expect(at).toMatch(/^logger\.test\.ts:\d+:\d+$/);
});

it.each([
  ['a string', 'Dear diary', { kind: 'string', at: 'unknown' }],
  ['nothing', undefined, { kind: 'undefined', at: 'unknown' }],
  [
    'an error with a name of its own',
    Object.assign(new Error('x'), { name: 'Dear diary', stack: 'x' }),
    { kind: 'Error', at: 'unknown' },
  ],
])('%s that was thrown says nothing of itself', (_name, thrown, origin) => {
  expect(faultOrigin(thrown)).toEqual(origin);
});
