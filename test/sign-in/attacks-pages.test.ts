import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageStyle } from '../../src/oauth/pages/style.ts';
import {
  backIn,
  challenge,
  ordinaryYes,
  passphrase,
  TestBrowser,
  wordIn,
} from '../support/sign-in-door.ts';
import { exchange, waitingRequest } from './support/pages-seen.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';

const evil = 'https://evil.example';
const minuteMs = 60_000;

const shared = sharedServer();

describe('frames', () => {
  const style = createHash('sha256').update(pageStyle).digest('base64');
  const policy = (script = ''): string =>
    `default-src 'none'; style-src 'sha256-${style}'; ${script}form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  const withScript = policy("script-src 'self'; connect-src 'self'; ");

  it('32: no page can be put into a frame, be kept, or run a script of others', async () => {
    const { server, browser, path, word } = await waitingRequest(shared());
    const stranger = new TestBrowser(server);
    const strangers = await stranger.begin();
    const gone = `/authorize/${'x'.repeat(22)}`;
    const pages: readonly (readonly [string, Response, number, string])[] = [
      ['consent', await browser.get(path), 200, policy()],
      ['sign-in', await stranger.get('/owner'), 200, policy()],
      ['sign-in for a program', await stranger.get(strangers), 200, policy()],
      ['owner', await browser.get('/owner'), 200, withScript],
      ['set-up', await stranger.get('/owner/set-up'), 404, policy()],
      ['gone', await stranger.get(gone), 400, policy()],
      ['unknown client', await stranger.get('/authorize?client_id=x'), 400, policy()],
      ['wrong passphrase', await stranger.post('/owner/sign-in', {}), 403, policy()],
      [
        'foreign form',
        await browser.post(path, {}, { 'sec-fetch-site': 'cross-site' }),
        403,
        policy(),
      ],
      ['foreign origin', await browser.post(path, {}, { origin: evil }), 403, policy()],
      ['other method', await server.send({ method: 'PUT', path: '/owner' }), 405, policy()],
      [
        'foreign name',
        await server.send({ path: '/owner', headers: { host: 'evil.example' } }),
        403,
        policy(),
      ],
      ['large form', await browser.post(path, { word: 'x'.repeat(20_000) }), 413, policy()],
      ['back', await browser.post(path, { ...ordinaryYes, word }), 200, policy()],
    ];
    for (const [name, { status, headers }, expected, csp] of pages) {
      const seen = {
        status,
        csp: headers.get('content-security-policy'),
        frame: headers.get('x-frame-options'),
        referrer: headers.get('referrer-policy'),
        cache: headers.get('cache-control'),
        sniff: headers.get('x-content-type-options'),
        opener: headers.get('cross-origin-opener-policy'),
      };
      expect(seen, name).toEqual({
        status: expected,
        csp,
        frame: 'DENY',
        referrer: 'same-origin',
        cache: 'no-store',
        sniff: 'nosniff',
        opener: null,
      });
    }
  });
});

describe('what a browser does next', () => {
  it('54: no answer has it send a form again: 303 leads to a page, never 307 or 308', async () => {
    const { server, browser, path, word } = await waitingRequest(await SignInServer.start());
    const ownerWord = wordIn(await (await browser.get('/owner')).text());
    const another = 'another long passphrase';
    const posts: readonly (readonly [string, Record<string, string>, number])[] = [
      ['/owner/sign-in', { passphrase: 'wrong' }, 403],
      [`${path}/sign-in`, { passphrase: 'wrong' }, 403],
      ['/owner/set-up', { code: 'x', passphrase, again: passphrase }, 404],
      [path, { word, answer: 'allow' }, 400],
      [path, { ...ordinaryYes, folder: '', word }, 200],
      ['/owner/revoke', { word: ownerWord, id: 'g0123456789abcdef' }, 200],
      ['/owner/revoke-all', { word: ownerWord }, 200],
      ['/owner/passkeys/remove', { word: ownerWord, id: 'x' }, 200],
      ['/owner/passphrase', { word: ownerWord, passphrase: another, again: another }, 200],
      ['/owner/sign-in', { passphrase: another }, 303],
      ['/owner/sign-in/', { passphrase: another }, 404],
      ['/authorize', { passphrase: another }, 405],
    ];
    for (const [at, fields, status] of posts) {
      const response = await browser.post(at, fields);
      expect([at, response.status]).toEqual([at, status]);
      expect([at, response.headers.get('location')]).toEqual([
        at,
        status === 303 ? '/owner' : null,
      ]);
    }
    const out = wordIn(await (await browser.get('/owner')).text());
    const response = await browser.post('/owner/sign-out', { word: out });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/owner']);
    expect(await server.grants()).toEqual([]);
  });

  const paths = [
    '/owner',
    '/owner/sign-in',
    '/owner/passkeys/request',
    '/authorize',
    '/authorize/x',
  ];
  it.each(paths)('61: web pages of other sites get no CORS headers from %s', async (path) => {
    const { server, browser } = await waitingRequest(shared());
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    for (const origin of [evil, 'null', 'https://vault.example.com', 'http://localhost:1065']) {
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const headers = {
          origin,
          cookie,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        };
        const response = await server.send({ method, path, headers });
        const names = [...response.headers.keys()].filter((name) => name.startsWith('access-'));
        expect([method, origin, names]).toEqual([method, origin, []]);
        const isOwn = origin === 'https://vault.example.com';
        if (method === 'OPTIONS') {
          const isLocal = origin.startsWith('http://localhost');
          expect(response.status).toBe(isOwn || isLocal ? 405 : 403);
        }
        await response.text();
      }
    }
  });

  it.each(paths)('61: nor from %s when the request itself is refused', async (path) => {
    const origin = 'https://vault.example.com';
    const headers = { origin, host: 'evil.example' };
    const response = await shared().send({ path, headers });
    const names = [...response.headers.keys()].filter((name) => name.startsWith('access-'));
    expect([response.status, names]).toEqual([403, []]);
  });

  it.each(['/token', '/register', '/revoke', '/.well-known/oauth-authorization-server'])(
    '61: %s is open to all pages, but never with their cookies',
    async (path) => {
      const { server, browser } = await waitingRequest(shared());
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const response = await server.send({ method, path, headers: { origin: evil, cookie } });
        const seen = ['origin', 'credentials'].map((name) =>
          response.headers.get(`access-control-allow-${name}`),
        );
        expect([method, ...seen, response.headers.getSetCookie()]).toEqual([method, '*', null, []]);
        await response.text();
      }
    },
  );
});

describe('the consent page', () => {
  it('consent is asked again of a client that was allowed before', async () => {
    const { server, browser, path } = await waitingRequest(shared());
    expect((await browser.consent(path)).status).toBe(200);
    const again = await (await browser.get(await browser.begin())).text();
    expect(again).toContain('Claude asks to use your notes');
    expect(again).not.toContain('vdk_');
    expect(await server.grants()).toEqual([]);
  });

  it('delete is never selected at first, needs a fresh sign-in, and folder and end are kept', async () => {
    const { server, browser } = await waitingRequest(shared());
    const path = await browser.begin({ scope: 'vault:read vault:write vault:delete' });
    const page = await (await browser.get(path)).text();
    const checked = [...page.matchAll(/name="rights" value="(\w+)"( checked)?/g)];
    expect(checked.map(([, name, mark]) => [name, mark !== undefined])).toEqual([
      ['read', false],
      ['propose', false],
      ['change', true],
      ['delete', false],
    ]);
    server.pass(10 * minuteMs - 1);
    const late = await browser.begin();
    server.pass(2);
    const yes = { rights: 'delete', where: 'folders', folder: 'Projects', days: '1' };
    const stale = await browser.consent(late, yes);
    expect([stale.status, (await stale.text()).includes('vdk_')]).toEqual([403, false]);
    const wrong = await browser.consent(late, { ...yes, passphrase: 'not the passphrase' });
    expect([wrong.status, (await wrong.text()).includes('vdk_')]).toEqual([403, false]);
    const given = await browser.consent(late, { ...yes, passphrase });
    const code = backIn(await given.text()).searchParams.get('code') ?? '';
    expect(await exchange(server, { code })).toMatchObject({
      status: 200,
      json: { scope: 'vault:read vault:write vault:delete', expires_in: 86_400 },
    });
    const [grant] = await server.grants();
    expect(grant).toMatchObject({
      effects: ['read', 'write', 'destroy'],
      folders: ['Projects'],
      endsMs: server.clock.nowMs + 24 * 60 * minuteMs,
    });
  });

  it('with --read-only, what changes notes is absent and refused', async () => {
    const server = await SignInServer.start({ args: ['--read-only'] });
    const browser = new TestBrowser(server);
    await browser.signIn();
    const path = await browser.begin({
      scope: 'vault:write vault:delete',
      code_challenge: challenge,
    });
    const page = await (await browser.get(path)).text();
    const offered = [...page.matchAll(/name="rights" value="(\w+)"/g)].map(([, name]) => name);
    expect(offered).toEqual(['read']);
    for (const rights of ['change', 'delete', 'propose', 'admin', '__proto__']) {
      const response = await browser.consent(path, { rights });
      expect([rights, response.status]).toEqual([rights, 400]);
    }
    expect((await browser.consent(path, { rights: 'read' })).status).toBe(200);
  });
});
