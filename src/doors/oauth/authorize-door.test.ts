import { describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  backIn,
  claude,
  passphrase,
  signInDoor,
  TestBrowser,
} from '../../../test/support/sign-in-door.ts';

const minuteMs = 60_000;

type Changed = Readonly<Record<string, string | undefined>>;

describe('a request that is shown and never sent back', () => {
  const rows: readonly [what: string, changed: Changed][] = [
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'vdc_nobody' }],
    ['a forged registration', { client_id: 'vdc_e30.AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a plain http id', { client_id: 'http://claude.ai/x' }],
    ['another host', { redirect_uri: 'https://evil.example/api/mcp/auth_callback' }],
    ['another path', { redirect_uri: `${claude.redirect}/x` }],
    ['another case', { redirect_uri: 'https://CLAUDE.ai/api/mcp/auth_callback' }],
    ['a fragment', { redirect_uri: `${claude.redirect}#x` }],
    ['a quote', { redirect_uri: `${claude.redirect}"><b>` }],
    ['no address of several', { redirect_uri: undefined }],
    ['too many characters', { nonce: 'n'.repeat(9_000) }],
  ];
  it.each(rows)('%s', async (_, changed) => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await browser.signIn();
      const response = await browser.get(`/authorize?${authorizeQuery(changed)}`);
      const html = await response.text();
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(html).not.toMatch(/http-equiv="refresh"|evil\.example|"><b>/);
    }
  });

  it('a client or an address that is named twice', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    for (const [name, value] of [
      ['client_id', claude.id],
      ['redirect_uri', claude.redirect],
    ] as const) {
      const query = authorizeQuery();
      query.append(name, value);
      expect((await browser.get(`/authorize?${query}`)).status).toBe(400);
    }
  });
});

it('the log says why a request was refused, and the page says it in plain words', async () => {
  const at = await signInDoor();
  const browser = new TestBrowser(at);
  const rows: readonly [changed: Changed, why: string][] = [
    [{ client_id: 'abc' }, 'does not know the app'],
    [{ redirect_uri: 'https://evil.example/' }, 'an address that is not registered'],
    [{ code_challenge_method: 'plain' }, 'does not accept: code_challenge_method must be S256.'],
    [{ resource: 'https://other.example/mcp' }, 'add it again with the address https://'],
  ];
  for (const [changed, why] of rows) {
    const response = await browser.get(`/authorize?${authorizeQuery(changed)}`);
    expect(await response.text()).toContain(why);
    expect(at.log.at(-1)).toContain(why);
  }
});

describe('an error', () => {
  const rows: readonly [error: string, changed: Changed][] = [
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['interaction_required', { prompt: 'none' }],
    ['request_not_supported', { request: 'x' }],
    ['request_uri_not_supported', { request_uri: 'https://a.example' }],
  ];
  it.each(rows)('%s goes back for %j only when the owner is signed in', async (error, changed) => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    const path = `/authorize?${authorizeQuery(changed)}`;
    const shown = await browser.get(path);
    expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
    await browser.signIn();
    const back = await browser.get(path);
    const to = new URL(back.headers.get('location') ?? '');
    expect([back.status, `${to.origin}${to.pathname}`]).toEqual([303, claude.redirect]);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'a b&c',
      iss: 'https://vault.example.com',
    });
  });
});

describe('a client with a document of its own', () => {
  const id = 'https://app.example.com/client.json';
  const redirect_uri = 'https://app.example.com/callback';
  const documents = () => ({ json: { client_id: id, redirect_uris: [redirect_uri] } });

  it('is fetched only after the owner has signed in', async () => {
    const at = await signInDoor({ documents });
    const browser = new TestBrowser(at);
    const path = await browser.begin({ client_id: id, redirect_uri });
    expect(await (await browser.get(path)).text()).toContain('app.example.com');
    expect(at.fetched).toEqual([]);
    await browser.post(`${path}/sign-in`, { passphrase });
    const consent = await (await browser.get(path)).text();
    expect(at.fetched).toEqual([id]);
    expect(consent).toContain('app.example.com');
    expect(backIn(await (await browser.consent(path)).text()).host).toBe('app.example.com');
  });

  it('leads back with a page when its request turns out to be wrong', async () => {
    const at = await signInDoor({ documents });
    const browser = new TestBrowser(at);
    const path = await browser.begin({ client_id: id, redirect_uri, response_type: 'token' });
    await browser.post(`${path}/sign-in`, { passphrase });
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    const back = backIn(await page.text());
    expect(back.searchParams.get('error')).toBe('unsupported_response_type');
    expect(back.searchParams.get('iss')).toBe('https://vault.example.com');
    expect((await browser.get(path)).status).toBe(400);
  });

  it('is not believed when its address is not in the document', async () => {
    const at = await signInDoor({ documents });
    const browser = new TestBrowser(at);
    const other = 'https://evil.example/callback';
    const path = await browser.begin({ client_id: id, redirect_uri: other });
    await browser.post(`${path}/sign-in`, { passphrase });
    const page = await browser.get(path);
    expect([page.status, (await page.text()).includes('evil.example')]).toEqual([400, false]);
  });

  it('waits when the document cannot be had', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const query = authorizeQuery({ client_id: id, redirect_uri });
    expect((await browser.get(`/authorize?${query}`)).status).toBe(503);
  });
});

describe('a request that waits', () => {
  it('belongs to the browser that began it', async () => {
    const at = await signInDoor();
    const [one, other] = [new TestBrowser(at), new TestBrowser(at)];
    const early = await one.begin();
    await one.signIn();
    await other.signIn();
    const late = await one.begin();
    for (const path of [early, late]) {
      expect((await other.get(path)).status).toBe(400);
      expect((await other.post(path, { answer: 'allow' })).status).toBe(400);
      expect((await other.post(`${path}/sign-in`, { passphrase })).status).toBe(400);
      expect((await one.get(path)).status).toBe(200);
    }
  });

  it('is gone once it was answered, and after ten minutes', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    await browser.signIn();
    const answered = await browser.begin();
    expect((await browser.consent(answered)).status).toBe(200);
    expect((await browser.get(answered)).status).toBe(400);
    expect((await browser.post(answered, { answer: 'allow' })).status).toBe(400);
    const old = await browser.begin();
    at.clock.nowMs += 10 * minuteMs;
    expect((await browser.get(old)).status).toBe(400);
  });

  it('does not leave the owner who has signed in for it, however many strangers ask', async () => {
    const at = await signInDoor();
    const owner = new TestBrowser(at);
    await owner.signIn();
    const path = await owner.begin();
    for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
    expect((await owner.get(path)).status).toBe(200);
  });

  it('does not leave a browser that the owner has used before, either', async () => {
    const at = await signInDoor();
    const owner = new TestBrowser(at);
    await owner.signIn();
    owner.cookies.delete('__Host-vd_owner');
    const path = await owner.begin();
    for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
    expect((await owner.post(`${path}/sign-in`, { passphrase })).status).toBe(303);
    expect((await owner.get(path)).status).toBe(200);
  });

  it('that strangers have pushed out costs the owner one more try, not the sign-in', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    const path = await browser.begin();
    for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
    const wrong = await browser.post(`${path}/sign-in`, { passphrase: 'not this one, no' });
    expect(wrong.status).toBe(403);
    const late = await browser.post(`${path}/sign-in`, { passphrase });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('signed in')]);
    const next = await browser.begin();
    for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
    expect((await browser.consent(next)).status).toBe(200);
  });

  it('goes on after a wrong passphrase, with a new session at each sign-in', async () => {
    const at = await signInDoor();
    const browser = new TestBrowser(at);
    browser.cookies.set('__Host-vd_owner', 'A'.repeat(43));
    const path = await browser.begin();
    const wrong = await browser.post(`${path}/sign-in`, { passphrase: 'not this one, no' });
    expect(wrong.status).toBe(403);
    expect(await wrong.text()).toContain(`action="${path}/sign-in"`);
    await browser.post(`${path}/sign-in`, { passphrase, return: 'https://evil.example' });
    expect(browser.cookies.get('__Host-vd_owner')).not.toBe('A'.repeat(43));
    expect((await browser.get(path)).status).toBe(200);
  });
});

it('while there is no owner, /authorize says how to become one', async () => {
  const at = await signInDoor({ hasOwner: false });
  const response = await new TestBrowser(at).get(`/authorize?${authorizeQuery()}`);
  expect(await response.text()).toContain('/owner/set-up');
});

it('/authorize is for GET alone', async () => {
  const at = await signInDoor();
  const browser = new TestBrowser(at);
  expect((await browser.post('/authorize', {})).status).toBe(405);
  const head = await browser.send(`/authorize?${authorizeQuery()}`, { method: 'HEAD' });
  expect(head.status).toBe(405);
});
