import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  backIn,
  claude,
  ordinaryYes,
  passphrase,
  TestBrowser,
  tokensFor,
  verifier,
  wordIn,
} from '../support/sign-in-door.ts';
import { exchange, waitingRequest } from './support/pages-seen.ts';
import { sharedServer } from './support/shared-server.ts';

const evil = 'https://evil.example';

const shared = sharedServer();

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
      const { server, browser, path, word } = await waitingRequest(shared());
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
    const { server, browser, path } = await waitingRequest(shared());
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
    const { server, browser, path, word } = await waitingRequest(shared());
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
