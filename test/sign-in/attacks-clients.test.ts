import { beforeEach, describe, expect, it } from 'vitest';
import { claude, TestBrowser } from '../support/sign-in-door.ts';
import {
  expectError,
  expectErrorBack,
  expectPage,
  sharedServer,
  stepsSince,
} from './support/expected-answers.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { ownersBrowser, TrialClient } from './support/trial-client.ts';

// Rows 1 to 9, 17, 19 and 20 of the list of attacks: what `/authorize` and `/register` refuse.

const server = sharedServer();
let owner: TestBrowser;
beforeEach(async () => {
  // Registrations are counted by the minute.
  server().pass(61_000);
  owner = await ownersBrowser(server());
});

/** Two browsers: nobody's, and the owner's. What must be refused is refused in both. */
const visitors = ['nobody', 'the owner'] as const;
const browserOf = (who: (typeof visitors)[number]): TestBrowser =>
  who === 'the owner' ? owner : new TestBrowser(server());

/** A request of a client that everybody is refused, with a page. */
async function expectRefused(path: string, without: readonly string[] = []): Promise<void> {
  for (const who of visitors) {
    const steps = stepsSince(server());
    await expectPage(await browserOf(who).get(path), { without });
    expect([who, steps()]).toEqual([who, ['authorize: page: 400']]);
  }
  expect(server().fetched).toEqual([]);
  expect(await server().grants()).toEqual([]);
}

/** A request that the owner is asked about. */
async function expectAsked(path: string): Promise<string> {
  const response = await owner.get(path);
  expect([response.status, await response.text()]).toEqual([303, '']);
  const page = response.headers.get('location') ?? '';
  expect(page).toMatch(/^\/authorize\/[\w-]{22,}$/);
  const text = await (await owner.get(page)).text();
  expect(text).toMatch(/name="answer"[^>]* value="allow"/);
  return text;
}

describe('clients', () => {
  it.each([
    undefined,
    '',
    'nobody',
    'vdc_',
    'vdc_nobody.0123456789012345678901',
    '../../etc/passwd',
    '__proto__',
    'https://evil.example',
    'https://evil.example/',
    'http://evil.example/client.json',
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
    'https://localhost/client.json',
    'https://printer.local/client.json',
    'https://metadata.internal/client.json',
    'https://intranet/client.json',
    'https://me@evil.example/client.json',
    'https://evil.example/client.json#a',
    'https://evil.example/client.json?a=1',
    'https://evil.example:8443/client.json',
    'https://evil.example/a/../client.json',
    'https://evil.example/a/%2e%2e/client.json',
    'https://Evil.example/client.json',
    'HTTPS://evil.example/client.json',
    `https://evil.example/${'a'.repeat(2_000)}`,
    'https://chatgpt.com/oauth/a/b/client.json/..',
  ])('1: the unknown client %j is refused with a page', async (id) => {
    const client = new TrialClient(server(), { ...claude, id: id ?? '' });
    const path = client.authorizePath({ client_id: id });
    await expectRefused(path, [id ?? '', claude.redirect]);
  });

  it('1: a client that is almost a known one is another client, looked up for the owner alone', async () => {
    const id = 'https://claude.ai/oauth/mcp-oauth-client-metadata/';
    const path = new TrialClient(server(), { ...claude, id }).authorizePath();
    const nobody = new TestBrowser(server());
    const waiting = (await nobody.get(path)).headers.get('location') ?? '';
    expect(await (await nobody.get(waiting)).text()).toContain('name="passphrase"');
    expect(server().fetched).toEqual([]);
    await expectPage(await owner.get(path), { status: 503, without: [id, claude.redirect] });
    expect(server().fetched.splice(0)).toEqual([id]);
  });

  it('2: a forged or cut id of a registered client is refused everywhere', async () => {
    const client = await TrialClient.register(server());
    const other = await TrialClient.register(server(), { redirect_uris: ['https://b.example/b'] });
    const foreign = await TrialClient.register(await SignInServer.start());
    const [body = '', signature = ''] = client.id.split('.');
    const [otherBody = ''] = other.id.split('.');
    const json = Buffer.from(body.slice(4), 'base64url').toString();
    const rewritten = json.replace('http://127.0.0.1:6276', 'https://evil.example');
    expect(rewritten).not.toBe(json);
    const last = signature.at(-1) === 'A' ? 'B' : 'A';
    const forged = [
      foreign.id,
      client.id.slice(0, -1),
      client.id.slice(0, 40),
      body,
      `${body}.`,
      `${client.id}A`,
      ` ${client.id}`,
      `${body}.${signature.slice(0, -1)}${last}`,
      `${body}.${'A'.repeat(22)}`,
      `${otherBody}.${signature}`,
      `${body.replace('vdc_', 'vdx_')}.${signature}`,
      `vdc_${Buffer.from(rewritten).toString('base64url')}.${signature}`,
      `vdc_.${signature}`,
      `${body}.${signature}\u0000`,
      client.id.toUpperCase(),
    ];
    for (const id of forged) {
      const thief = new TrialClient(server(), { id, redirect: client.redirect });
      await expectRefused(thief.authorizePath(), [id]);
      for (const answer of [
        await thief.exchange('vdk_x'),
        await thief.refresh('vdr_x'),
        await thief.revoke('vdr_x'),
      ]) {
        expect(answer.headers.get('www-authenticate')).toBe(null);
        await expectError(answer, 'invalid_client', { status: 401 });
      }
      const basic = Buffer.from(`${encodeURIComponent(id)}:x`).toString('base64');
      const fields = thief.refreshFields('vdr_x', { client_id: undefined });
      const answer = await server().post('/token', fields, { authorization: `Basic ${basic}` });
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="vaultdoor"');
      await expectError(answer, 'invalid_client', { status: 401 });
    }
    await expectAsked(client.authorizePath());
  });

  it('2: a client with a secret must show it, in one way', async () => {
    const methods = ['client_secret_post', 'client_secret_basic', undefined] as const;
    for (const method of methods) {
      const client = await TrialClient.register(server(), { token_endpoint_auth_method: method });
      const { id, secret = '' } = client;
      expect(secret).toMatch(/^vds_[\w-]{43}$/);
      const basic = (user: string, password: string): { authorization: string } => ({
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      });
      const without = { client_id: undefined, client_secret: undefined };
      const post = (more: Record<string, string | undefined>, headers = {}): Promise<Response> =>
        server().post('/token', client.refreshFields('vdr_x', more), headers);
      for (const wrong of [undefined, '', 'x', secret.slice(0, -1), `${secret}x`]) {
        const status = { status: 401 };
        await expectError(await post({ client_secret: wrong }), 'invalid_client', status);
        const answer = await post(without, basic(id, wrong ?? ''));
        await expectError(answer, 'invalid_client', status);
      }
      // Right ones come as far as the refresh token, which is wrong.
      await expectError(await post({}), 'invalid_grant');
      await expectError(await post(without, basic(id, secret)), 'invalid_grant');
      const encoded = basic(encodeURIComponent(id), encodeURIComponent(secret));
      await expectError(await post(without, encoded), 'invalid_grant');
      await expectError(await post({}, basic(id, secret)), 'invalid_request');
      const other = { ...without, client_id: claude.id };
      await expectError(await post(other, basic(id, secret)), 'invalid_request');
    }
  });
});

describe('redirect addresses', () => {
  it('3: an address that only resembles the registered one is refused', async () => {
    const registered = 'https://app.example/cb/x?a=1';
    const client = await TrialClient.register(server(), { redirect_uris: [registered] });
    const others = [
      'https://evil.example/cb/x?a=1',
      'https://app.example.evil.example/cb/x?a=1',
      'https://sub.app.example/cb/x?a=1',
      'https://app.example./cb/x?a=1',
      'https://app.example:443/cb/x?a=1',
      'https://app.example:8443/cb/x?a=1',
      'http://app.example/cb/x?a=1',
      'HTTPS://app.example/cb/x?a=1',
      'https://APP.example/cb/x?a=1',
      'https://app.example/CB/x?a=1',
      'https://app.example/cb/x/?a=1',
      'https://app.example/cb/x/../x?a=1',
      'https://app.example/cb/y/../x?a=1',
      'https://app.example/cb/%2e/x?a=1',
      'https://app.example/cb/y/%2e%2e/x?a=1',
      'https://app.example/cb%2Fx?a=1',
      'https://app.example//cb/x?a=1',
      'https://app.example/cb/x',
      'https://app.example/cb/x?',
      'https://app.example/cb/x?a=2',
      'https://app.example/cb/x?a=1&b=2',
      'https://app.example/cb/x?a=1#',
      'https://app.example/cb/x?a=1 ',
      ' https://app.example/cb/x?a=1',
      'https://me@app.example/cb/x?a=1',
      'https://me:me@app.example/cb/x?a=1',
      'https://app.example@evil.example/cb/x?a=1',
      'https://evil.example\\@app.example/cb/x?a=1',
      'https:app.example/cb/x?a=1',
      'https:/app.example/cb/x?a=1',
      'https:\\\\app.example/cb/x?a=1',
      '//app.example/cb/x?a=1',
      '/cb/x?a=1',
      'https://xn--pp-yia.example/cb/x?a=1',
      'https://аpp.example/cb/x?a=1',
      'https://*/cb/x?a=1',
      '',
    ];
    for (const redirect of others.filter((each) => each !== '')) {
      await expectRefused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
    await expectAsked(client.authorizePath());
    // With one address alone, a client may leave it out; with two it may not.
    await expectAsked(client.authorizePath({ redirect_uri: undefined }));
    const two = [registered, 'https://app.example/other'];
    const both = await TrialClient.register(server(), { redirect_uris: two });
    await expectRefused(both.authorizePath({ redirect_uri: undefined }));
    for (const redirect_uri of two) await expectAsked(both.authorizePath({ redirect_uri }));
  });

  const almostLoopback = [
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://evil.localhost/cb',
    'http://localhost./cb',
    'http://127.1/cb',
    'http://127.0.1/cb',
    'http://127.0.0.2/cb',
    'http://2130706433/cb',
    'http://0x7f.0.0.1/cb',
    'http://0177.0.0.1/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[::ffff:7f00:1]/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://[::]/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://localhost:1@evil.example/cb',
    'http://evil.example/cb',
    'http://192.168.1.2/cb',
    'http:localhost/cb',
    'http:///localhost/cb',
    'http://localhost\\@evil.example/cb',
    'http://LOCALHOST/cb',
    'HTTP://localhost/cb',
    'http://localhost:99999/cb',
    'http://localhost:/cb',
  ];

  it('4: an address that only resembles this computer is refused at registration and later', async () => {
    const client = await TrialClient.register(server(), {
      redirect_uris: ['http://127.0.0.1/cb', 'http://localhost/cb', 'http://[::1]/cb'],
    });
    for (const redirect of almostLoopback) {
      server().pass(2_000);
      const answer = await server().postJson('/register', { redirect_uris: [redirect] });
      const { error_description: why } = await expectError(answer, 'invalid_redirect_uri');
      expect(why).not.toContain(redirect);
      await expectRefused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await expectAsked(client.authorizePath({ redirect_uri: `http://${host}:40123/cb` }));
    }
  });

  it('5: on this computer any port will do, but no other host form, path or query', async () => {
    const uris = ['http://127.0.0.1:33418/cb?a=1', 'http://127.0.0.1/'];
    const client = await TrialClient.register(server(), { redirect_uris: uris });
    const wrong = [
      'http://localhost:33418/cb?a=1',
      'http://[::1]:33418/cb?a=1',
      'http://127.0.0.1:33418/cb',
      'http://127.0.0.1:33418/cb?a=2',
      'http://127.0.0.1:33418/cb/?a=1',
      'http://127.0.0.1:33418/CB?a=1',
      'http://127.0.0.1:33418/x/../cb?a=1',
      'http://127.0.0.1:33418/%63b?a=1',
      'https://127.0.0.1:33418/cb?a=1',
      'http://me@127.0.0.1:33418/cb?a=1',
      'http://127.0.0.1:33418/cb?a=1#',
      'http://127.0.0.1//',
      'http://localhost/',
      'http://localhost',
    ];
    for (const redirect of wrong) {
      await expectRefused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
    const right = [
      ...uris,
      'http://127.0.0.1:1/cb?a=1',
      'http://127.0.0.1:65535/cb?a=1',
      'http://127.0.0.1/cb?a=1',
      'http://127.0.0.1',
      'http://127.0.0.1:40123',
      'http://127.0.0.1:40123/',
    ];
    for (const redirect of right) {
      await expectAsked(client.authorizePath({ redirect_uri: redirect }));
    }
  });

  const forbidden = [
    ...['javascript:alert(1)', 'JavaScript:alert(1)', 'javascript://app.example/%0aalert(1)'],
    ...['data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:https://a.example/x'],
    ...['about:blank', 'view-source:https://a.example', 'ws://a.example', 'wss://a.example/x'],
    ...['ftp://a.example/x', 'mailto:a@a.example', 'tel:112', 'filesystem:https://a.example/x'],
    ...['intent://a#Intent;end', 'intent:x', 'content://a/x', 'chrome://settings'],
    ...['chrome-extension://abc/x', 'ms-settings:privacy', 'ms-word:ofe|u|https://a.example'],
    ...['a:b', 'cursor', ':x', '1a:b'],
  ];

  it('6: an address with a scheme that runs, reads or opens something is dropped at registration', async () => {
    for (const redirect of forbidden) {
      server().pass(3_000);
      const steps = stepsSince(server());
      const alone = await server().postJson('/register', { redirect_uris: [redirect] });
      await expectError(alone, 'invalid_redirect_uri');
      expect(steps()).toEqual(['register: 400 invalid_redirect_uri']);
      const good = 'cursor://anysphere.cursor-mcp/oauth/callback';
      const answer = await server().postJson('/register', {
        redirect_uris: [redirect, good],
        token_endpoint_auth_method: 'none',
      });
      const { redirect_uris: kept, client_id: id } = JSON.parse(await answer.text());
      expect([redirect, answer.status, kept]).toEqual([redirect, 201, [good]]);
      const client = new TrialClient(server(), { id, redirect: good });
      await expectRefused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
  });

  it('7: an address with a fragment, a line break, a NUL or quotes is refused, and never repeated', async () => {
    const base = 'https://app.example/cb';
    const client = await TrialClient.register(server(), { redirect_uris: [base] });
    const bad = [
      `${base}#`,
      `${base}#a`,
      `${base}\r\nSet-Cookie: a=b`,
      `${base}\n`,
      `${base}\r`,
      `${base}\t`,
      `${base}\u0000`,
      `${base}"><script>alert(1)</script>`,
      `${base}'onload='x`,
      `${base}<b>`,
      `${base} x`,
      `${base}\\x`,
      `${base}\u202egnp`,
      `${base}\u00e9`,
      `${base}\ud83d\ude00`,
    ];
    for (const redirect of bad) {
      const answer = await server().postJson('/register', { redirect_uris: [redirect] });
      const { error_description: why } = await expectError(answer, 'invalid_redirect_uri');
      expect(why).not.toContain(redirect.slice(base.length));
      const path = client.authorizePath({ redirect_uri: redirect });
      for (const who of visitors) {
        const page = await browserOf(who).get(path);
        expect(page.headers.get('set-cookie')).toBe(null);
        const text = await expectPage(page, { without: [redirect, 'app.example'] });
        expect(text).not.toMatch(/alert|onload|gnp/);
      }
    }
  });
});

describe('requests', () => {
  /** Requests that are wrong, of a client that is right; and the error that it is told. */
  const wrong: readonly (readonly [string, Record<string, string | undefined>, string])[] = [
    [
      '9: no PKCE',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['9: no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['9: an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['9: no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['9: the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['9: the method s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['9: the method S512', { code_challenge_method: 'S512' }, 'invalid_request'],
    ['9: a short challenge', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    ['9: a long challenge', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
    ['9: a padded challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['9: a challenge in base64', { code_challenge: `${'a'.repeat(41)}+/` }, 'invalid_request'],
    [
      '9: a challenge with a line break',
      { code_challenge: `${'a'.repeat(43)}\n` },
      'invalid_request',
    ],
    ['17: another server', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['17: plain http', { resource: 'http://vault.example.com/mcp' }, 'invalid_target'],
    ['17: another port', { resource: 'https://vault.example.com:8443/mcp' }, 'invalid_target'],
    ['17: another path', { resource: 'https://vault.example.com/other' }, 'invalid_target'],
    ['17: a longer path', { resource: 'https://vault.example.com/mcp/x' }, 'invalid_target'],
    ['17: two final slashes', { resource: 'https://vault.example.com/mcp//' }, 'invalid_target'],
    ['17: a fragment', { resource: 'https://vault.example.com/mcp#a' }, 'invalid_target'],
    ['17: a query', { resource: 'https://vault.example.com/mcp?a' }, 'invalid_target'],
    ['17: userinfo', { resource: 'https://me@vault.example.com/mcp' }, 'invalid_target'],
    [
      '17: a longer name',
      { resource: 'https://vault.example.com.evil.example/mcp' },
      'invalid_target',
    ],
    ['17: no URL', { resource: 'vault.example.com' }, 'invalid_target'],
    ['20: token', { response_type: 'token' }, 'unsupported_response_type'],
    ['20: id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['20: code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['20: code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['20: none', { response_type: 'none' }, 'unsupported_response_type'],
    ['20: CODE', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['20: no type', { response_type: undefined }, 'invalid_request'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['prompt none', { prompt: 'none' }, 'interaction_required'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
  ];

  it.each(wrong)('%s: the client is told %3$s, and only for the owner', async (_, more, error) => {
    const client = new TrialClient(server());
    const path = client.authorizePath(more);
    const steps = stepsSince(server());
    // Row 8: for anybody else the server must not redirect anywhere.
    await expectPage(await new TestBrowser(server()).get(path), { without: [claude.redirect] });
    const { redirect } = client;
    await expectErrorBack(await owner.get(path), { error, redirect });
    expect(steps()).toEqual(['authorize: page: 400', `authorize: ${error}`]);
  });

  it('8: what is wrong with a request of a registered client is shown to strangers, not redirected', async () => {
    const client = await TrialClient.register(server(), {
      redirect_uris: ['https://evil.example/phishing'],
    });
    for (const [, more] of wrong) {
      const page = await new TestBrowser(server()).get(client.authorizePath(more));
      await expectPage(page, { without: ['evil.example'] });
    }
    for (const scope of ['nonsense', 'openid profile', '"><script>', 'x'.repeat(3_000)]) {
      const nobody = new TestBrowser(server());
      const began = await nobody.get(client.authorizePath({ scope }));
      expect(began.headers.get('location')).toMatch(/^\/authorize\/[\w-]+$/);
      const page = await nobody.get(began.headers.get('location') ?? '');
      const text = await page.text();
      expect([page.status, text.includes('name="passphrase"')]).toEqual([200, true]);
      expect(text).not.toContain('evil.example');
    }
    const long = client.authorizePath({ state: 'x'.repeat(2_001) });
    await expectPage(await new TestBrowser(server()).get(long), { without: ['xxxx'] });
    await expectErrorBack(await owner.get(long), {
      error: 'invalid_request',
      redirect: client.redirect,
      state: null,
    });
    await expectRefused(client.authorizePath({ state: 'x'.repeat(9_000) }), ['xxxx']);
  });

  it.each([
    'https://vault.example.com/mcp',
    'https://vault.example.com/mcp/',
    'https://vault.example.com',
    'https://vault.example.com/',
    'HTTPS://Vault.Example.COM/mcp',
    undefined,
    '',
  ])('17: the resource %j is ours', async (resource) => {
    const client = new TrialClient(server());
    const path = client.authorizePath({ resource });
    await expectAsked(path);
    await expectAsked(`${path}&resource=https%3A%2F%2Fvault.example.com%2Fmcp`);
    const foreign = `${path}&resource=https%3A%2F%2Fevil.example%2Fmcp`;
    const { redirect } = client;
    await expectErrorBack(await owner.get(foreign), { error: 'invalid_target', redirect });
  });

  it('19: a parameter of /authorize that comes twice is refused; resource may', async () => {
    const client = new TrialClient(server());
    const { redirect } = client;
    const path = client.authorizePath({ scope: 'vault:read' });
    const again = (name: string, value: string): string =>
      `${path}&${name}=${encodeURIComponent(value)}`;
    await expectRefused(again('client_id', client.id), [redirect]);
    await expectRefused(again('client_id', 'other'), [redirect]);
    await expectRefused(again('redirect_uri', redirect), [redirect]);
    await expectRefused(again('redirect_uri', 'https://evil.example'), ['evil.example']);
    const rows = { response_type: 'code', code_challenge: client.challenge, scope: 'vault:read' };
    const more = { code_challenge_method: 'S256' };
    for (const [name, value] of Object.entries({ ...rows, ...more })) {
      const steps = stepsSince(server());
      await expectPage(await new TestBrowser(server()).get(again(name, value)));
      await expectErrorBack(await owner.get(again(name, value)), {
        error: 'invalid_request',
        redirect,
      });
      expect(steps()).toEqual(['authorize: page: 400', 'authorize: invalid_request']);
    }
    for (const name of ['prompt', 'nonce', 'response_mode', 'anything']) {
      const twice = `${again(name, 'query')}&${name}=query`;
      await expectErrorBack(await owner.get(twice), { error: 'invalid_request', redirect });
    }
    const states = { error: 'invalid_request', redirect, state: null };
    await expectErrorBack(await owner.get(again('state', 'st')), states);
    const ours = 'https://vault.example.com/mcp';
    await expectAsked(`${again('resource', ours)}&resource=${encodeURIComponent(ours)}`);
  });
});
