import { expect, it } from 'vitest';
import { askerKey, askerOf } from './asker.ts';

const caller = { door: 'mcp-http', client: 'a/1', token: 't' } as const;

it.each([
  ['a connection', { connection: 'c' }, { connection: 'c' }],
  ['a view, like the connection that shows it', { viewOf: 'c' }, { connection: 'c' }],
  ['a call without either', {}, { token: 't' }],
])('the brake counts %s', (_, from, counted) => {
  expect(askerKey(askerOf({ ...caller, ...from }))).toBe(JSON.stringify(counted));
});
