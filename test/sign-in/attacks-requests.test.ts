import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { ordinaryYes, passphrase, TestBrowser } from '../support/sign-in-door.ts';
import { titleIn, waitingRequest } from './support/pages-seen.ts';
import { sharedServer } from './support/shared-server.ts';

const evil = 'https://evil.example';
const minuteMs = 60_000;

const shared = sharedServer();

describe('requests that wait', () => {
  const text = /answered already, is too old, or belongs to another browser/;
  const refused = async (response: Response) => {
    expect([response.status, text.test(await response.text())]).toEqual([400, true]);
  };

  it('36: a request of another session is not shown and not decided', async () => {
    const { server, browser, path } = await waitingRequest(shared());
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
    const { server, browser, path, word } = await waitingRequest(shared());
    const first = await browser.post(path, { ...ordinaryYes, word, answer });
    expect(first.status).toBe(200);
    await refused(await browser.post(path, { ...ordinaryYes, word }));
    await refused(await browser.get(path));
    expect(await server.grants()).toEqual([]);
  });

  it('36: of two answers at the same moment, one has a code', async () => {
    const { browser, path, word } = await waitingRequest(shared());
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
    const { server, browser, path, word } = await waitingRequest(shared());
    server.pass(ms);
    if (status === 200)
      expect((await browser.post(path, { ...ordinaryYes, word })).status).toBe(200);
    else await refused(await browser.post(path, { ...ordinaryYes, word }));
  });

  it('36: strangers push out each other’s requests, and never that of the owner', async () => {
    const { server, browser, path } = await waitingRequest(shared());
    const stranger = new TestBrowser(server);
    const first = await stranger.begin();
    for (let count = 0; count < limits.authorizeWaitingMax; count++) await stranger.begin();
    await refused(await stranger.get(first));
    expect((await browser.consent(path)).status).toBe(200);
  });

  it.each(['x'.repeat(22), 'x'.repeat(100), '..', '%2e%2e', '__proto__', 'constructor'])(
    '36: an id that nobody was given (%s)',
    async (id) => {
      const { server, browser } = await waitingRequest(shared());
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
    ['nothing but invisible characters', '\u200b\u202e', 'An app without a name'],
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
        /<\/h1>\s+<p class="soft">This name is not verified: any app can call itself so\.<\/p>/,
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
