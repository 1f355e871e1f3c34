import { describe, expect, it } from 'vitest';
import {
  backIn,
  ordinaryYes,
  passphrase,
  postAsProgram,
  type SignInDoorOptions,
  signInDoor,
  TestBrowser,
  tokensFor,
  wordIn,
} from '../../../test/support/sign-in-door.ts';

const minuteMs = 60_000;

async function signedIn(options: SignInDoorOptions = {}) {
  const at = await signInDoor(options);
  const browser = new TestBrowser(at);
  await browser.signIn();
  return { at, browser };
}

describe('a form that is not ours', () => {
  const rows: readonly [what: string, headers: Readonly<Record<string, string | undefined>>][] = [
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['without an origin', { origin: undefined }],
    ['of a hidden origin', { origin: 'null' }],
    ['of plain http', { origin: 'http://vault.example.com' }],
    ['of a neighbour', { 'sec-fetch-site': 'same-site' }],
  ];
  it.each(rows)('%s is refused', async (_, headers) => {
    const { at, browser } = await signedIn();
    const path = await browser.begin();
    const word = wordIn(await (await browser.get(path)).text());
    const posts = [
      browser.post(path, { ...ordinaryYes, word }, headers),
      browser.post(`${path}/sign-in`, { passphrase }, headers),
      browser.post('/owner/sign-in', { passphrase }, headers),
      browser.post('/owner/revoke-all', { word }, headers),
    ];
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await at.grants.list()).toEqual([]);
  });

  it('has a word of another request, or none', async () => {
    const { browser } = await signedIn();
    const [path, other] = [await browser.begin(), await browser.begin()];
    const word = wordIn(await (await browser.get(other)).text());
    for (const sent of [word, '', 'x']) {
      const response = await browser.post(path, { ...ordinaryYes, word: sent });
      expect([response.status, (await response.text()).includes('vdk_')]).toEqual([403, false]);
    }
  });
});

describe('what the owner allows', () => {
  const rows: readonly [
    fields: Readonly<Record<string, string | readonly string[]>>,
    has: object,
  ][] = [
    [{ rights: 'read' }, { effects: ['read'] }],
    [{ rights: 'propose' }, { effects: ['read', 'propose'] }],
    [{ rights: 'delete' }, { effects: ['read', 'write', 'destroy'] }],
    [
      { where: 'folders', folder: ['Projects', '', ' Recipes/ '] },
      { folders: ['Projects', 'Recipes'] },
    ],
    [{ tools: ['notes', 'agent'] }, { tools: ['notes', 'agent'] }],
    [{ tools: [] }, { tools: ['notes'] }],
    [{ client_id: 'x', redirect_uri: 'https://evil.example' }, { client: { name: 'Claude' } }],
  ];
  it.each(rows)('%j', async (fields, has) => {
    const { at, browser } = await signedIn();
    expect(await tokensFor(at, browser, fields)).toHaveProperty('access_token');
    expect(await at.grants.list()).toMatchObject([has]);
  });

  it('holds until it is revoked, when the owner says so', async () => {
    const { at, browser } = await signedIn();
    await tokensFor(at, browser, { days: 'never' });
    const [grant] = await at.grants.list();
    expect(grant?.endsMs).toBeUndefined();
  });

  it.each([
    [{ rights: 'everything' }, 'what the app may do'],
    [{ rights: '' }, 'what the app may do'],
    [{ where: 'folders' }, 'at least one folder'],
    [{ where: 'folders', folder: '../x' }, 'x'],
    [{ where: 'folders', folder: '/' }, 'is the whole vault'],
    [{ where: 'folders', folder: ['Projects', './'] }, 'is the whole vault'],
    [
      { where: 'folders', folder: ['Projects', 'Projekts/A'] },
      'no folder “Projekts/A” in the vault',
    ],
    [{ where: 'all', folder: 'Projects' }, 'remove the names first'],
    [{ where: '' }, 'the whole vault or folders'],
    [{ days: '10000' }, 'for how long'],
    [{ grant: 'g0123456789abcdef' }, 'has ended'],
    [{ answer: '' }, 'Allow or Refuse'],
  ])('%j is shown again', async (fields, message) => {
    const { at, browser } = await signedIn();
    const path = await browser.begin();
    const response = await browser.consent(path, fields);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect((await browser.consent(path)).status).toBe(200);
    expect(at.log.join('\n')).not.toContain('Projects');
  });

  it('goes back as no where it is refused', async () => {
    const { browser } = await signedIn();
    const path = await browser.begin();
    const response = await browser.consent(path, { answer: 'refuse' });
    const back = backIn(await response.text());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a b&c',
      iss: 'https://vault.example.com',
    });
    expect((await browser.get(path)).status).toBe(400);
  });

  it('is not more than the server allows', async () => {
    const { browser } = await signedIn({ rights: ['read'] });
    const path = await browser.begin();
    const html = await (await browser.get(path)).text();
    expect(html).not.toMatch(/name="rights" value="(?:change|delete|propose)"/);
    expect((await browser.consent(path, { rights: 'change' })).status).toBe(400);
  });

  it('gets one code for two answers at the same moment', async () => {
    const { browser } = await signedIn();
    const path = await browser.begin();
    const word = wordIn(await (await browser.get(path)).text());
    const answers = [1, 2, 3].map(() => browser.post(path, { ...ordinaryYes, word }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 400, 400]);
  });
});

describe('deleting', () => {
  it('is never selected at first', async () => {
    const { browser } = await signedIn();
    const path = await browser.begin({ scope: 'vault:read vault:write vault:delete' });
    const html = await (await browser.get(path)).text();
    expect(html).toMatch(/value="change" checked/);
    expect(html).not.toMatch(/value="delete" checked/);
  });

  it('needs the passphrase once more after ten minutes', async () => {
    const { at, browser } = await signedIn();
    at.clock.nowMs += 11 * minuteMs;
    const path = await browser.begin();
    const without = await browser.consent(path, { rights: 'delete' });
    expect(without.status).toBe(403);
    const wrong = await browser.consent(path, { rights: 'delete', passphrase: 'a wrong one here' });
    expect(wrong.status).toBe(403);
    const before = browser.cookies.get('__Host-vd_owner');
    const right = await browser.consent(path, { rights: 'delete', passphrase });
    expect(backIn(await right.text()).searchParams.get('code')).toMatch(/^vdk_/);
    expect(browser.cookies.get('__Host-vd_owner')).not.toBe(before);
    expect((await browser.consent(await browser.begin(), { rights: 'read' })).status).toBe(200);
  });
});

describe('a client that is connected already', () => {
  it('is asked about again, and can be changed in place', async () => {
    const { at, browser } = await signedIn();
    const first = await tokensFor(at, browser, { rights: 'read' });
    const [{ id } = { id: '' }] = await at.grants.list();
    const html = await (await browser.get(await browser.begin())).text();
    expect(html).toContain(`value="${id}" checked`);
    await tokensFor(at, browser, { grant: id });
    expect(await at.grants.list()).toMatchObject([{ id, effects: ['read', 'write'] }]);
    const again = await postAsProgram(at, '/token', {
      grant_type: 'refresh_token',
      client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      refresh_token: String(first['refresh_token']),
    });
    expect(again.json['scope']).toBe('vault:read vault:write');
  });

  it('gets another connection, by default when it asks for nothing more', async () => {
    const { at, browser } = await signedIn();
    await tokensFor(at, browser);
    const html = await (await browser.get(await browser.begin())).text();
    expect(html).toMatch(/value="new" checked/);
    await tokensFor(at, browser, { grant: 'new' });
    expect(await at.grants.list()).toHaveLength(2);
  });
});
