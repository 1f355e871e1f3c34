import { describe, expect, it } from 'vitest';
import { PasskeyDevice } from '../../../test/support/passkey-device.ts';
import {
  backIn,
  claude,
  passphrase,
  postAsProgram,
  signInDoor,
  TestBrowser,
  tokensFor,
  verifier,
  wordIn,
} from '../../../test/support/sign-in-door.ts';

const minuteMs = 60_000;
const another = 'nine slow otters under the bridge';

describe('setting up in a browser', () => {
  it('needs the printed code, once', async () => {
    const at = await signInDoor({ hasOwner: false });
    const browser = new TestBrowser(at);
    expect(await (await browser.get('/owner')).text()).toContain('/owner/set-up');
    expect((await browser.get('/owner/set-up')).status).toBe(200);
    const code = await at.owner.makeSetUpCode();
    const set = async (fields: Record<string, string>) =>
      browser.post('/owner/set-up', { code, passphrase, again: passphrase, ...fields });
    expect((await set({ code: 'AAAA-AAAA-AAAA-AAAA-AAAA' })).status).toBe(403);
    expect((await set({ again: another })).status).toBe(400);
    expect((await set({ passphrase: 'short', again: 'short' })).status).toBe(400);
    const done = await set({});
    expect([done.status, done.headers.get('location')]).toEqual([303, '/owner']);
    expect((await browser.get('/owner')).status).toBe(200);
    expect((await browser.get('/owner/set-up')).status).toBe(404);
    expect((await set({})).status).toBe(404);
    expect(at.log.join('\n')).not.toContain(code);
  });
});

describe('signing in', () => {
  it('is refused for a while after ten wrong ones, but not for a browser that is known', async () => {
    const at = await signInDoor();
    const [known, stranger] = [new TestBrowser(at), new TestBrowser(at)];
    await known.signIn();
    for (let times = 0; times < 10; times++) {
      const wrong = await stranger.post('/owner/sign-in', { passphrase: 'guess after guess' });
      expect(wrong.status).toBe(403);
    }
    const slow = await stranger.post('/owner/sign-in', { passphrase });
    expect(slow.status).toBe(429);
    expect(Number(slow.headers.get('retry-after'))).toBeGreaterThan(0);
    known.cookies.delete('__Host-vd_owner');
    await known.signIn();
  });

  it('gives a session that ends, and a device that is remembered', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    const response = await browser.post('/owner/sign-in', { passphrase, return: '//evil.example' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/owner']);
    const [session = '', device = ''] = response.headers.getSetCookie();
    expect(session).toMatch(/^__Host-vd_owner=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/$/);
    expect(device).toMatch(/^__Host-vd_device=.*; Path=\/; Max-Age=34560000$/);
    at.clock.nowMs += 31 * minuteMs;
    expect(await (await browser.get('/owner')).text()).toContain('action="/owner/sign-in"');
  });

  it('is shown again to whoever asks for the page', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    expect(await (await browser.get('/owner/sign-in')).text()).toContain('name="passphrase"');
  });
});

describe('an owner who is signed in and comes from the console', () => {
  it('goes back to it at once, but only by a link of our own pages', async () => {
    const at = await signInDoor({ consoleKey: async () => 'a-key' });
    const browser = new TestBrowser(at);
    await browser.signIn();
    const open = (path: string, site?: string) =>
      browser.get(path, site === undefined ? {} : { 'sec-fetch-site': site });
    const led = await open('/owner?to=console', 'same-origin');
    expect([led.status, led.headers.get('location')]).toEqual([303, '/c/enter#k=a-key']);
    for (const [path, site] of [
      ['/owner?to=console', 'cross-site'],
      ['/owner?to=console', 'same-site'],
      ['/owner?to=console', 'none'],
      ['/owner?to=console', undefined],
      ['/owner?to=//other.example', 'same-origin'],
      ['/owner', 'same-origin'],
    ] as const) {
      const shown = await open(path, site);
      expect([path, site, shown.status]).toEqual([path, site, 200]);
      expect(await shown.text()).toContain('Who may come in');
    }
    const stranger = await new TestBrowser(at).get('/owner?to=console', {
      'sec-fetch-site': 'same-origin',
    });
    expect([stranger.status, await stranger.text()]).toEqual([
      200,
      expect.stringContaining('name="passphrase"'),
    ]);
  });
});

describe("the owner's page", () => {
  it('shows connections and ends them', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    await tokensFor(at, browser, { where: 'folders', folder: 'Projects' });
    await tokensFor(at, browser);
    const html = await (await browser.get('/owner')).text();
    expect(html).toContain('Claude');
    expect(html).toContain('Projects');
    expect(html).not.toContain('does not come in now');
    const word = wordIn(html);
    const [{ id } = { id: '' }] = await at.grants.list();
    expect((await browser.post('/owner/revoke', { id, word: 'x' })).status).toBe(403);
    expect(await at.grants.list()).toHaveLength(2);
    expect((await browser.post('/owner/revoke', { id, word })).status).toBe(200);
    expect(await at.grants.list()).toHaveLength(1);
    expect((await browser.post('/owner/revoke', { id: 'g0', word })).status).toBe(200);
    const all = await browser.post('/owner/revoke-all', { word });
    expect(await at.grants.list()).toEqual([]);
    expect(await all.text()).toContain('you disconnected it');
  });

  it('all of them, also the one whose code is still under way', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const page = await browser.consent(await browser.begin());
    const code = backIn(await page.text()).searchParams.get('code') ?? '';
    const word = wordIn(await (await browser.get('/owner')).text());
    await browser.post('/owner/revoke-all', { word });
    const { json } = await postAsProgram(at, '/token', {
      grant_type: 'authorization_code',
      client_id: claude.id,
      code,
      redirect_uri: claude.redirect,
      code_verifier: verifier,
    });
    expect(json).toMatchObject({ error: 'invalid_grant' });
    expect(await at.grants.list()).toEqual([]);
  });

  it('says which connections are for other vaults', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    await tokensFor(at, browser);
    const [grant] = await at.grants.list();
    if (grant === undefined) throw new Error('No connection was made.');
    const keep = { ...grant, vaults: ['/v/notes', '/v/more'] };
    await at.book.change(grant.id, () => ({ keep, answer: undefined }));
    expect(await (await browser.get('/owner')).text()).toContain('It does not come in now');
  });

  it('is for the owner alone', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    const forms = ['sign-out', 'revoke', 'revoke-all', 'passphrase', 'passkeys/remove'];
    for (const form of forms) {
      expect((await browser.post(`/owner/${form}`, { word: 'x' })).status).toBe(403);
      const loaded = await browser.get(`/owner/${form}`);
      expect([loaded.status, loaded.headers.get('location')]).toEqual([303, '/owner']);
    }
  });

  it('signs out', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const cookie = browser.cookies.get('__Host-vd_owner') ?? '';
    const word = wordIn(await (await browser.get('/owner')).text());
    expect((await browser.post('/owner/sign-out', { word })).status).toBe(303);
    expect(browser.cookies.has('__Host-vd_owner')).toBe(false);
    browser.cookies.set('__Host-vd_owner', cookie);
    expect(await (await browser.get('/owner')).text()).toContain('action="/owner/sign-in"');
  });

  it('changes the passphrase soon after signing in, and signs all others out', async () => {
    const at = await signInDoor();
    const [browser, other] = [new TestBrowser(at), new TestBrowser(at)];
    await browser.signIn();
    await other.signIn();
    const word = async () => wordIn(await (await browser.get('/owner')).text());
    const change = async (fields: Record<string, string> = {}) =>
      browser.post('/owner/passphrase', {
        passphrase: another,
        again: another,
        word: await word(),
        ...fields,
      });
    expect((await change({ again: passphrase })).status).toBe(400);
    at.clock.nowMs += 11 * minuteMs;
    expect((await change()).status).toBe(403);
    await browser.signIn();
    expect((await change()).status).toBe(200);
    expect(await (await browser.get('/owner')).text()).toContain('name="word"');
    expect(await (await other.get('/owner')).text()).toContain('action="/owner/sign-in"');
    expect((await other.post('/owner/sign-in', { passphrase })).status).toBe(403);
    expect((await other.post('/owner/sign-in', { passphrase: another })).status).toBe(303);
  });
});

describe('passkeys', () => {
  it('are added, sign in for a request that waits, suffice for deleting, and are removed', async () => {
    const at = await signInDoor({ consoleKey: async () => 'a-key' });
    const first = new TestBrowser(at);
    const key = new PasskeyDevice(at.issuer.origin);
    await first.signIn();
    const word = async () => wordIn(await (await first.get('/owner')).text());
    const options = await first.postJson('/owner/passkeys/options', { word: await word() });
    const credential = key.create((await options.json()) as object);
    const sent = { word: await word(), credential, name: 'Phone' };
    expect((await first.postJson('/owner/passkeys/add', sent)).status).toBe(200);
    expect(await (await first.get('/owner')).text()).toContain('Phone');

    const browser = new TestBrowser(at);
    const path = await browser.begin();
    const page = await browser.get(path);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; connect-src");
    expect(await page.text()).toContain('/owner/passkeys/sign-in');
    const use = async () => {
      const request = await browser.postJson('/owner/passkeys/request', {});
      const used = { credential: key.get((await request.json()) as object) };
      return browser.postJson('/owner/passkeys/sign-in', used);
    };
    const stranger = new TestBrowser(at);
    await stranger.get('/owner');
    const request = await browser.postJson('/owner/passkeys/request', {});
    const stolen = { credential: key.get((await request.json()) as object) };
    expect((await stranger.postJson('/owner/passkeys/sign-in', stolen)).status).toBe(403);
    expect((await use()).status).toBe(200);
    expect(wordIn(await (await browser.get(path)).text())).not.toBe('');

    // Who comes from the console is led back to it; no other address leads anywhere.
    for (const [query, next] of [
      ['?to=console', '/c/enter#k=a-key'],
      ['?to=https://other.example', undefined],
      ['?to=//other.example', undefined],
    ] as const) {
      const visitor = new TestBrowser(at);
      const [, answer = ''] =
        /data-answer="([^"]*)"/.exec(await (await visitor.get(`/owner${query}`)).text()) ?? [];
      const asked = await visitor.postJson('/owner/passkeys/request', {});
      const used = { credential: key.get((await asked.json()) as object) };
      expect(await (await visitor.postJson(answer, used)).json()).toEqual(
        next === undefined ? {} : { next },
      );
    }

    at.clock.nowMs += 9 * minuteMs;
    const late = await browser.begin();
    at.clock.nowMs += 2 * minuteMs;
    const asks = await browser.consent(late, { rights: 'delete' });
    expect(asks.status).toBe(403);
    expect(await asks.text()).toContain('/owner/passkeys/sign-in');
    expect((await use()).status).toBe(200);
    const allowed = await browser.consent(late, { rights: 'delete' });
    expect(backIn(await allowed.text()).searchParams.get('code')).toMatch(/^vdk_/);

    const remove = { id: key.id, word: await word() };
    expect((await first.post('/owner/passkeys/remove', remove)).status).toBe(403);
    await first.signIn();
    const again = { id: key.id, word: await word() };
    expect((await first.post('/owner/passkeys/remove', again)).status).toBe(200);
    expect(await at.owner.passkeys()).toEqual([]);
    expect((await use()).status).toBe(403);
  });

  it('have options for the fresh owner, from our own page and with its word', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const word = wordIn(await (await browser.get('/owner')).text());
    const options = async (body: unknown, origin?: string) =>
      (await browser.postJson('/owner/passkeys/options', body, origin)).status;
    expect(await options({ word })).toBe(200);
    expect(await options({ word: 'x' })).toBe(403);
    expect(await options({})).toBe(403);
    expect(await options([])).toBe(400);
    expect(await options({ word }, 'https://evil.example')).toBe(403);
    const added = await browser.postJson('/owner/passkeys/add', {
      word,
      credential: {},
      name: 'a',
    });
    expect([added.status, await added.json()]).toEqual([400, { message: expect.any(String) }]);
    at.clock.nowMs += 11 * minuteMs;
    expect(await options({ word })).toBe(403);
    const stale = await browser.postJson('/owner/passkeys/add', {
      word,
      credential: {},
      name: 'a',
    });
    expect(stale.status).toBe(403);
  });

  it('are asked for in a browser that has seen the sign-in page', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    expect((await browser.postJson('/owner/passkeys/request', {})).status).toBe(403);
    await browser.get('/owner');
    const request = await browser.postJson('/owner/passkeys/request', {});
    expect([request.status, await request.json()]).toMatchObject([
      200,
      { challenge: expect.any(String) },
    ]);
    const signIn = await browser.postJson('/owner/passkeys/sign-in', { credential: {} });
    expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('need a name, not an address', async () => {
    const at = await signInDoor({ urls: ['http://127.0.0.1:1065'] });
    const browser = new TestBrowser(at);
    await browser.get('/owner');
    expect((await browser.postJson('/owner/passkeys/request', {})).status).toBe(400);
  });

  it('have one script, as a file', async () => {
    const at = await signInDoor();
    const response = await new TestBrowser(at).get('/owner/passkey.js?v=1.0.0');
    expect(response.headers.get('content-type')).toContain('text/javascript');
    expect(await response.text()).toContain('PublicKeyCredential');
  });
});
