import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { pageStyle } from '../../src/oauth/pages/style.ts';
import {
  authorizeQuery,
  backIn,
  challenge,
  claude,
  ordinaryYes,
  passphrase,
  TestBrowser,
  tokensFor,
  verifier,
  wordIn,
} from '../support/sign-in-door.ts';
import { exchange, sharedServer, titleIn } from './support/pages-seen.ts';
import { SignInServer } from './support/sign-in-server.ts';

const evil = 'https://evil.example';
const minuteMs = 60_000;

const shared = sharedServer();

/** A server, the owner's browser, and a request of claude.ai that waits for the owner. */
async function waiting(server = shared()) {
  const browser = new TestBrowser(server);
  await browser.signIn();
  const path = await browser.begin();
  const word = wordIn(await (await browser.get(path)).text());
  return { server, browser, path, word };
}

describe('frames', () => {
  const style = createHash('sha256').update(pageStyle).digest('base64');
  const policy = (script = ''): string =>
    `default-src 'none'; style-src 'sha256-${style}'; ${script}form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  const withScript = policy("script-src 'self'; connect-src 'self'; ");

  it('32: no page can be put into a frame, be kept, or run a script of others', async () => {
    const { server, browser, path, word } = await waiting();
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

describe('forms that other sites post', () => {
  /** Every address that takes a form or the JSON of a script, with what it takes. */
  const forms = (
    path: string,
    word: string,
  ): readonly (readonly [string, Record<string, string>])[] => [
    [path, { ...ordinaryYes, folder: '', word }],
    [`${path}/sign-in`, { passphrase }],
    ['/owner/sign-in', { passphrase }],
    ['/owner/sign-out', { word }],
    ['/owner/revoke', { word, id: 'g0123456789abcdef' }],
    ['/owner/revoke-all', { word }],
    ['/owner/passphrase', { word, passphrase: 'another long one', again: 'another long one' }],
    ['/owner/passkeys/remove', { word, id: 'x' }],
    ['/owner/passkeys/options', { word }],
    ['/owner/passkeys/add', { word }],
    ['/owner/passkeys/request', {}],
    ['/owner/passkeys/sign-in', {}],
  ];
  const origins: readonly (readonly [string, Record<string, string | undefined>])[] = [
    ['33: from another site', { origin: evil, 'sec-fetch-site': 'cross-site' }],
    [
      '33: from another site, by a browser that says no more',
      { origin: evil, 'sec-fetch-site': undefined },
    ],
    ['33: from a page on this computer', { origin: 'http://localhost:1065' }],
    ['33: from the same name with http', { origin: 'http://vault.example.com' }],
    ['33: from the same name with another port', { origin: 'https://vault.example.com:8443' }],
    [
      '33: from a name below ours',
      { origin: 'https://a.vault.example.com', 'sec-fetch-site': 'same-site' },
    ],
    ['33: with our origin, but sent cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['33: with our origin, but sent same-site', { 'sec-fetch-site': 'same-site' }],
    ['34: with Origin: null', { origin: 'null', 'sec-fetch-site': undefined }],
    ['34: without an Origin', { origin: undefined }],
    ['34: with two origins', { origin: `https://vault.example.com, ${evil}` }],
  ];

  it.each(origins)(
    '%s: 403 everywhere, with the cookie of the owner, and nothing is done',
    async (_, headers) => {
      const { server, browser, path, word } = await waiting();
      await tokensFor(server, browser);
      const before = [await server.grants(), await server.books.owner.read()];
      for (const [at, fields] of forms(path, word)) {
        const response = await browser.post(at, fields, headers);
        expect([at, response.status, response.headers.getSetCookie()]).toEqual([at, 403, []]);
      }
      expect([await server.grants(), await server.books.owner.read()]).toEqual(before);
      // The request waits as before.
      const back = await browser.post(path, { ...ordinaryYes, word });
      expect(backIn(await back.text()).searchParams.get('code')).toMatch(/^vdk_/);
    },
  );

  it('33: the cookies are not sent along by other sites, nor read by scripts', async () => {
    const server = shared();
    const browser = new TestBrowser(server);
    const begun = await browser.get(`/authorize?${authorizeQuery()}`);
    const response = await browser.post('/owner/sign-in', { passphrase });
    const lines = [begun, response].flatMap(({ headers }) => headers.getSetCookie());
    const flags = lines.map((line) => line.replace(/=[^;]*/, '').replace(/Max-Age=\d+/, 'Max-Age'));
    expect(flags).toEqual([
      '__Host-vd_browser; Secure; HttpOnly; SameSite=Lax; Path=/',
      '__Host-vd_owner; Secure; HttpOnly; SameSite=Lax; Path=/',
      '__Host-vd_device; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age',
    ]);
  });

  it.each([
    ['none', undefined],
    ['empty', ''],
    ['of the owner’s page', 'owner'],
    ['of another request', 'consent'],
    ['of another session', 'session'],
    ['very long', 'x'.repeat(10_000)],
  ])('33: a form with a word that is %s does nothing', async (_, sent) => {
    const { server, browser, path } = await waiting();
    const other = new TestBrowser(server);
    await other.signIn();
    const words: Record<string, string> = {
      owner: wordIn(await (await browser.get('/owner')).text()),
      consent: wordIn(await (await browser.get(await browser.begin())).text()),
      session: wordIn(await (await other.get(await other.begin())).text()),
    };
    const word = sent === undefined ? {} : { word: words[sent] ?? sent };
    const response = await browser.post(path, { ...ordinaryYes, ...word });
    expect([response.status, (await response.text()).includes('vdk_')]).toEqual([403, false]);
    // The page is shown again, so the owner can still answer.
    expect((await browser.consent(path)).status).toBe(200);
  });

  it('35: what a form says of client, address, challenge and more is not read', async () => {
    const { server, browser, path, word } = await waiting();
    const forged = {
      client_id: 'https://evil.example/client.json',
      redirect_uri: `${evil}/callback`,
      code_challenge: createHash('sha256').update('e'.repeat(43)).digest('base64url'),
      state: 'forged',
      resource: `${evil}/mcp`,
      scope: 'vault:delete',
      iss: evil,
      vault: '/etc',
      effects: 'destroy',
    };
    const page = await browser.post(path, { ...ordinaryYes, rights: 'read', word, ...forged });
    const back = backIn(await page.text());
    expect(`${back.origin}${back.pathname}`).toBe(claude.redirect);
    const { code = '', ...others } = Object.fromEntries(back.searchParams);
    expect(others).toEqual({ state: 'a b&c', iss: 'https://vault.example.com' });
    const given = await exchange(server, { code, code_verifier: verifier });
    expect(given).toMatchObject({ status: 200, json: { scope: 'vault:read' } });
    const [grant, ...more] = await server.grants();
    expect(more).toEqual([]);
    expect(grant).toMatchObject({
      client: { id: claude.id, name: 'Claude', kind: 'known', answersTo: 'claude.ai' },
      effects: ['read'],
      folders: [''],
      tools: ['notes'],
      vaults: [server.vault],
      resource: 'https://vault.example.com/mcp',
    });
  });
});

describe('requests that wait', () => {
  const text = /answered already, is too old, or belongs to another browser/;
  const refused = async (response: Response) => {
    expect([response.status, text.test(await response.text())]).toEqual([400, true]);
  };

  it('36: a request of another session is not shown and not decided', async () => {
    const { server, browser, path } = await waiting();
    const other = new TestBrowser(server);
    await refused(await other.get(path));
    await refused(await other.post(`${path}/sign-in`, { passphrase }));
    await other.signIn();
    await refused(await other.get(path));
    await refused(await other.post(path, { ...ordinaryYes }));
    await refused(await other.post(path, { ...ordinaryYes, answer: 'refuse' }));
    expect((await browser.consent(path)).status).toBe(200);
  });

  it.each(['allow', 'refuse'])('36: a request is decided once (%s first)', async (answer) => {
    const { server, browser, path, word } = await waiting();
    const first = await browser.post(path, { ...ordinaryYes, word, answer });
    expect(first.status).toBe(200);
    await refused(await browser.post(path, { ...ordinaryYes, word }));
    await refused(await browser.get(path));
    expect(await server.grants()).toEqual([]);
  });

  it('36: of two answers at the same moment, one has a code', async () => {
    const { browser, path, word } = await waiting();
    const both = await Promise.all([1, 2].map(() => browser.post(path, { ...ordinaryYes, word })));
    const texts = await Promise.all(both.map((response) => response.text()));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(texts.filter((one) => one.includes('vdk_'))).toHaveLength(1);
  });

  it.each([
    ['36: 10 minutes later it is gone', 10 * minuteMs, 400],
    ['36: 11 minutes later it is gone', 11 * minuteMs, 400],
    ['36: a moment before, it is not', 10 * minuteMs - 1, 200],
    ['36: when the clock was set back, it is gone', -1, 400],
  ])('%s', async (_, ms, status) => {
    const { server, browser, path, word } = await waiting();
    server.pass(ms);
    if (status === 200)
      expect((await browser.post(path, { ...ordinaryYes, word })).status).toBe(200);
    else await refused(await browser.post(path, { ...ordinaryYes, word }));
  });

  it('36: strangers push out each other’s requests, and never that of the owner', async () => {
    const { server, browser, path } = await waiting();
    const stranger = new TestBrowser(server);
    const first = await stranger.begin();
    for (let count = 0; count < limits.authorizeWaitingMax; count++) await stranger.begin();
    await refused(await stranger.get(first));
    expect((await browser.consent(path)).status).toBe(200);
  });

  it.each(['x'.repeat(22), 'x'.repeat(100), '..', '%2e%2e', '__proto__', 'constructor'])(
    '36: an id that nobody was given (%s)',
    async (id) => {
      const { server, browser } = await waiting();
      const response = await browser.get(`/authorize/${id}`);
      expect([400, 404]).toContain(response.status);
      expect(await server.grants()).toEqual([]);
    },
  );
});

describe('signing in', () => {
  it('37: a session that was set before is not made the owner’s', async () => {
    const server = shared();
    const browser = new TestBrowser(server);
    const fixed = 'A'.repeat(43);
    browser.cookies.set('__Host-vd_owner', fixed);
    await browser.signIn();
    const own = browser.cookies.get('__Host-vd_owner');
    expect(own).toMatch(/^[\w-]{43}$/);
    expect(own).not.toBe(fixed);
    const attacker = new TestBrowser(server);
    attacker.cookies.set('__Host-vd_owner', fixed);
    expect(titleIn(await (await attacker.get('/owner')).text())).toBe('Sign in');
    expect((await server.books.owner.read()).sessions).toHaveLength(1);
  });

  it('37: signing in again gives a new session, and ends the one before', async () => {
    const server = shared();
    const browser = new TestBrowser(server);
    await browser.signIn();
    const first = browser.cookies.get('__Host-vd_owner') ?? '';
    const path = await browser.begin();
    const response = await browser.post(`${path}/sign-in`, { passphrase });
    expect([response.status, response.headers.get('location')]).toEqual([303, path]);
    const second = browser.cookies.get('__Host-vd_owner') ?? '';
    expect(second).not.toBe(first);
    const thief = new TestBrowser(server);
    thief.cookies.set('__Host-vd_owner', first);
    expect(titleIn(await (await thief.get('/owner')).text())).toBe('Sign in');
    // The request stays that of this browser.
    expect((await browser.consent(path)).status).toBe(200);
  });

  it('37: login CSRF: another site cannot sign a browser in, nor set its cookies', async () => {
    const server = shared();
    const victim = new TestBrowser(server);
    const before = await server.books.owner.read();
    const response = await victim.post('/owner/sign-in', { passphrase }, { origin: evil });
    expect([response.status, victim.cookies.size]).toEqual([403, 0]);
    expect(await server.books.owner.read()).toEqual(before);
  });

  it.each(['return', 'return_to', 'next', 'redirect', 'redirect_uri', 'continue', 'url'])(
    '38: there is no parameter %s that leads away',
    async (name) => {
      const server = shared();
      const browser = new TestBrowser(server);
      const query = `?${name}=${encodeURIComponent(evil)}`;
      const fields = { passphrase, [name]: evil };
      const page = await browser.get(`/owner/sign-in${query}`);
      expect(await page.text()).not.toContain('evil.example');
      const signedIn = await browser.post(`/owner/sign-in${query}`, fields);
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/owner']);
      const path = await browser.begin();
      const again = await browser.post(`${path}/sign-in${query}`, fields);
      expect([again.status, again.headers.get('location')]).toEqual([303, path]);
    },
  );
});

describe('names that clients give themselves', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['HTML', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['the end of an attribute', '"><script>1</script>', '&quot;&gt;&lt;script&gt;1&lt;/script&gt;'],
    ['a bidi override', 'Claude\u202e\u2066gpj.exe', 'Claudegpj.exe'],
    ['zero width', 'Cla\u200bude\u00ad\u2060', 'Claude'],
    ['controls and lines', 'Claude\r\n\u0000\u001b[2JX-Evil: 1', 'Claude [2JX-Evil: 1'],
    ['10 kB', 'Long '.repeat(2_000), `${'Long '.repeat(12)}`.trim()],
    ['a claim', 'Vaultdoor (verified)', 'Vaultdoor (verified)'],
    ['nothing but invisible characters', '\u200b\u202e', 'A program without a name'],
  ];

  it.each(rows)(
    '39: %s is shown as text, cut, with the warning outside of it',
    async (_, name, shown) => {
      const server = shared();
      const redirect_uris = ['https://evil.example/callback'];
      const registered = await server.postJson('/register', {
        client_name: name,
        redirect_uris,
        token_endpoint_auth_method: 'none',
      });
      expect(registered.status).toBe(201);
      const { client_id } = (await registered.json()) as { readonly client_id: string };
      const browser = new TestBrowser(server);
      const asked = { client_id, redirect_uri: redirect_uris[0] };
      const path = await browser.begin(asked);
      const signIn = await (await browser.get(path)).text();
      await browser.signIn();
      const consent = await (await browser.get(path)).text();
      const [, heading] = /<h1>(.*)<\/h1>/.exec(consent) ?? [];
      expect(heading).toBe(`${shown} asks to use your notes`);
      expect(consent).toMatch(
        /<\/h1>\s+<p class="who"><span class="pill warn">name not verified<\/span><\/p>\s+<p class="soft">This name is not verified: any program can call itself so\.<\/p>/,
      );
      expect(consent).toContain('Your answer goes to <strong>evil.example</strong>');
      expect((await browser.consent(path)).status).toBe(200);
      const owner = await (await browser.get('/owner')).text();
      for (const page of [signIn, consent, owner]) expect(page).not.toMatch(/<img|<script>1/);
      for (const text of [signIn, consent, owner, ...server.log]) {
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
        expect(['\0', '\u001b'].filter((char) => text.includes(char))).toEqual([]);
        if (name.length > 60) expect(text).not.toContain(name.slice(0, 70));
      }
    },
  );
});

describe('what a browser does next', () => {
  it('54: no answer has it send a form again: 303 leads to a page, never 307 or 308', async () => {
    const { server, browser, path, word } = await waiting(await SignInServer.start());
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
    const { server, browser } = await waiting();
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

  it.each(['/token', '/register', '/revoke', '/.well-known/oauth-authorization-server'])(
    '61: %s is open to all pages, but never with their cookies',
    async (path) => {
      const { server, browser } = await waiting();
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
    const { server, browser, path } = await waiting();
    expect((await browser.consent(path)).status).toBe(200);
    const again = await (await browser.get(await browser.begin())).text();
    expect(again).toContain('Claude asks to use your notes');
    expect(again).not.toContain('vdk_');
    expect(await server.grants()).toEqual([]);
  });

  it('delete is never selected at first, needs a fresh sign-in, and folder and end are kept', async () => {
    const { server, browser } = await waiting();
    const path = await browser.begin({ scope: 'vault:read vault:write vault:delete' });
    const page = await (await browser.get(path)).text();
    const checked = [...page.matchAll(/name="rights" value="(\w+)"( checked)?/g)];
    expect(checked.map(([, name, mark]) => [name, mark !== undefined])).toEqual([
      ['read', false],
      ['propose', false],
      ['change', true],
      ['delete', false],
      ['nothing', false],
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
    expect(offered).toEqual(['read', 'nothing']);
    for (const rights of ['change', 'delete', 'propose', 'admin', '__proto__']) {
      const response = await browser.consent(path, { rights });
      expect([rights, response.status]).toEqual([rights, 400]);
    }
    expect((await browser.consent(path, { rights: 'read' })).status).toBe(200);
  });
});
