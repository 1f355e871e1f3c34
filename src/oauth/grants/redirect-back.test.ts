import { expect, it } from 'vitest';
import { type Issuer, issuerOf } from './issuer.ts';
import { redirectBack } from './redirect-back.ts';

const issuer = issuerOf('https://vault.example.com') as Issuer;
const iss = 'iss=https%3A%2F%2Fvault.example.com';

it.each([
  ['https://claude.ai/callback', `https://claude.ai/callback?code=c&${iss}`],
  ['https://a.example/cb?x=1', `https://a.example/cb?x=1&code=c&${iss}`],
  ['https://a.example/cb?', `https://a.example/cb?code=c&${iss}`],
  ['https://a.example/cb?x=1&', `https://a.example/cb?x=1&code=c&${iss}`],
  ['http://127.0.0.1:40123', `http://127.0.0.1:40123?code=c&${iss}`],
  ['cursor://anysphere.cursor-mcp/cb', `cursor://anysphere.cursor-mcp/cb?code=c&${iss}`],
])('%s gets the answer', (uri, expected) => {
  expect(redirectBack(uri, issuer, { code: 'c', state: undefined })).toBe(expected);
});

it('gives back the state as it was', () => {
  const state = 'a b+c&d=e"<>#%20\n日🎉';
  const uri = redirectBack('https://a.example/cb', issuer, { error: 'access_denied', state });
  expect(uri).not.toMatch(/["<>#\s+]/);
  expect(new URL(uri).searchParams.get('state')).toBe(state);
  expect(new URL(uri).searchParams.get('iss')).toBe(issuer.url);
});
