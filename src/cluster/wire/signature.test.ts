import { expect, it } from 'vitest';
import { digestOf, SignatureChecker, signatureHeaders } from './signature.ts';

const nowMs = 1_700_000_000_000;
const request = { method: 'POST', path: '/cluster/call', digest: digestOf('{"a":1}') };

/** A request with this signature, as the checker sees it. */
function signed(secret: string, timeMs = nowMs) {
  const headers = new Headers(signatureHeaders(secret, request, timeMs));
  return { method: request.method, path: request.path, headers };
}

it('accepts a request once, with either of two secrets, and answers the digest', () => {
  const checker = new SignatureChecker(['new', 'old'], () => nowMs);
  for (const secret of ['new', 'old']) {
    const sent = signed(secret);
    expect(checker.check(sent)).toBe(request.digest);
    expect(checker.check(sent)).toBeUndefined();
  }
});

it('remembers a request for as long as it could come again', () => {
  const clock = { nowMs };
  const checker = new SignatureChecker(['s'], () => clock.nowMs);
  const early = signed('s', nowMs + 59_000); // The clock of the other node is ahead.
  expect(checker.check(early)).toBe(request.digest);
  clock.nowMs += 118_000;
  expect(checker.check(signed('s', clock.nowMs))).toBe(request.digest);
  expect(checker.check(early)).toBeUndefined();
});

it.each([
  ['no signature', { headers: new Headers() }],
  ['another secret', signed('wrong')],
  ['a signature that is too old', signed('s', nowMs - 61_000)],
  ['one from the future', signed('s', nowMs + 61_000)],
  ['another path', { path: '/cluster/tell' }],
  ['another method', { method: 'GET' }],
  ['another digest', { headers: changed((parts) => parts.with(3, digestOf('{"a":2}'))) }],
  ['another time', { headers: changed((parts) => parts.with(1, `${nowMs + 1}`)) }],
  ['another nonce', { headers: changed((parts) => parts.with(2, '0'.repeat(32))) }],
  ['something more', { headers: changed((parts) => [...parts, 'x']) }],
])('refuses a request with %s', (_, difference) => {
  const checker = new SignatureChecker(['s'], () => nowMs);
  expect(checker.check({ ...signed('s'), ...difference })).toBeUndefined();
});

function changed(change: (parts: string[]) => string[]): Headers {
  const name = 'vaultdoor-signature';
  const parts = (signed('s').headers.get(name) ?? '').split(' ');
  return new Headers({ [name]: change(parts).join(' ') });
}
