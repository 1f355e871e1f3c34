import { expect, it } from 'vitest';
import { askerKey, askerOf } from './asker.ts';

const app = { door: 'mcp-http', client: 'a/1' } as const;
const token = { token: 't' };

it.each([
  ['all connections with one token together', { ...token, connection: 'c' }, token],
  ['a view with a token, like its connection', { ...token, viewOf: 'c' }, token],
  ['a call with a token alone', token, token],
  ['a connection without a token', { connection: 'c' }, { connection: 'c' }],
  ['a view, like the connection that shows it', { viewOf: 'c' }, { connection: 'c' }],
  ['a call without either', {}, app],
])('the brake counts %s', (_, from, counted) => {
  expect(askerKey(askerOf({ ...app, ...from }))).toBe(JSON.stringify(counted));
});
