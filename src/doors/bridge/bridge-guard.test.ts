import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BridgeGuard, type BridgeGuardOptions } from './bridge-guard.ts';

const secret = 'a-token-of-the-test-0123456789';
const token = createHash('sha256').update(secret).digest();

/** The status that this guard answers; 0 lets in. */
function statusFor(
  options: Partial<BridgeGuardOptions>,
  headers: Readonly<Record<string, string>>,
  method = 'POST',
): number {
  const guard = new BridgeGuard({ allowOrigins: [], ...options });
  const all = new Headers({ host: '127.0.0.1:3000', ...headers });
  const head = { method, path: '/bridge/v1/tools', headers: all, address: '127.0.0.1' };
  return guard.refusal(head)?.status ?? 0;
}

describe('web pages', () => {
  it.each<[string, readonly string[], number]>([
    ['https://notes.example.org', [], 403],
    ['https://notes.example.org', ['https://notes.example.org'], 0],
    ['https://notes.example.org', ['HTTPS://Notes.Example.org:443/'], 0],
    ['http://notes.example.org', ['https://notes.example.org'], 403],
    ['https://notes.example.org:8443', ['https://notes.example.org'], 403],
    ['https://a.notes.example.org', ['https://notes.example.org'], 403],
    ['capacitor://localhost', [], 403],
    ['capacitor://localhost', ['capacitor://localhost'], 0],
    ['null', ['https://notes.example.org'], 403],
    ['null', ['*'], 0],
    ['https://evil.example', ['*'], 0],
    ['http://localhost:1, https://evil.example', [], 403],
    ['http://localhost:1@evil.example', [], 403],
    ['', [], 403],
  ])('of "%s" with %j allowed: %i', (origin, allowOrigins, status) => {
    expect(statusFor({ allowOrigins }, { origin })).toBe(status);
    expect(statusFor({ allowOrigins }, { origin }, 'OPTIONS')).toBe(status);
  });

  it('are named in words of ours, so that the log takes them for one kind', async () => {
    const headers = new Headers({ host: 'localhost', origin: 'a"1"b' });
    const head = { method: 'GET', path: '/bridge/v1/tools', headers, address: '127.0.0.1' };
    const answer = new BridgeGuard({ allowOrigins: [] }).refusal(head);
    expect(await answer?.json()).toMatchObject({
      details: expect.stringContaining('Web pages of "a?1?b" may not'),
    });
  });

  it('never open the door to another host', () => {
    expect(statusFor({ allowOrigins: ['*'] }, { host: 'evil.example' })).toBe(403);
  });

  it.each(['notes', 'null', '', 'https://', 'https://a.example/path', '**', 'https://*.example'])(
    '"%s" is no origin that can be allowed',
    (origin) => {
      expect(() => new BridgeGuard({ allowOrigins: [origin] })).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    },
  );
});

describe('a proxy or tunnel', () => {
  const names = [
    'Forwarded',
    'X-Forwarded-For',
    'X-Real-IP',
    'CF-Ray',
    'Tailscale-User-Login',
    'Fly-Client-IP',
    'x_forwarded_for',
    'Via',
  ];
  it.each(names)('that adds %s brings nobody in, whatever the rest says', (name) => {
    const authorization = `Bearer ${secret}`;
    expect(statusFor({ token, allowOrigins: ['*'] }, { authorization, [name]: '' })).toBe(403);
    expect(statusFor({}, { [name]: 'x' }, 'OPTIONS')).toBe(403);
  });

  it('is told where it may lead', async () => {
    const headers = new Headers({ host: 'abc.tunnel.dev', via: '1.1 x', 'x-forwarded-for': '1' });
    const head = { method: 'GET', path: '/bridge/v1/tools', headers, address: '127.0.0.1' };
    const answer = new BridgeGuard({ allowOrigins: [] }).refusal(head);
    expect(await answer?.json()).toEqual({
      error: 'Forbidden',
      message: 'Forbidden',
      details:
        'These headers (X-Forwarded-For, Via) show that a proxy or tunnel forwarded this request. Bridge v1 serves only programs on this machine. Through a proxy or tunnel, use MCP with --public-url and tokens.',
    });
  });
});

describe('the token', () => {
  it.each<[Readonly<Record<string, string>>, number]>([
    [{}, 401],
    [{ authorization: `Bearer ${secret}` }, 0],
    [{ authorization: `bearer  ${secret} ` }, 0],
    [{ 'x-obsiscripta-api-key': secret }, 0],
    [{ 'x-obsiscripta-api-key': secret, authorization: 'Bearer other' }, 0],
    [{ 'x-obsiscripta-api-key': 'other', authorization: `Bearer ${secret}` }, 401],
    [{ authorization: secret }, 401],
    [{ authorization: `Basic ${secret}` }, 401],
    [{ authorization: `Bearer ${secret}x` }, 401],
    [{ authorization: 'Bearer ' }, 401],
  ])('%j: %i', (headers, status) => {
    expect(statusFor({ token }, headers)).toBe(status);
    expect(statusFor({}, headers)).toBe(0);
  });

  it('is not asked for by what a browser asks first', () => {
    expect(statusFor({ token }, { origin: 'http://localhost:5173' }, 'OPTIONS')).toBe(0);
    const headers = new BridgeGuard({ allowOrigins: [], token }).withCors(new Response()).headers;
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  it('does not let a foreign page in', () => {
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${secret}` };
    expect(statusFor({ token }, headers)).toBe(403);
  });
});
