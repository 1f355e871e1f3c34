import { beforeEach, describe, expect, it } from 'vitest';
import { claude, TestBrowser } from '../support/sign-in-door.ts';
import { expectError, expectPage, stepsSince } from './support/expected-answers.ts';
import { ExpectedAuthorize } from './support/expected-authorize.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { ownersBrowser, TrialClient } from './support/trial-client.ts';

// Rows 1 to 7 of the list of attacks: clients and addresses that `/authorize` and `/register` refuse.

const server = sharedServer();
let owner: TestBrowser;
let authorize: ExpectedAuthorize;
beforeEach(async () => {
  owner = await ownersBrowser(server());
  authorize = new ExpectedAuthorize(server(), owner);
});

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
    await authorize.refused(path, [id ?? '', claude.redirect]);
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
      await authorize.refused(thief.authorizePath(), [id]);
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
    await authorize.asked(client.authorizePath());
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
      await authorize.refused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
    await authorize.asked(client.authorizePath());
    // With one address alone, a client may leave it out; with two it may not.
    await authorize.asked(client.authorizePath({ redirect_uri: undefined }));
    const two = [registered, 'https://app.example/other'];
    const both = await TrialClient.register(server(), { redirect_uris: two });
    await authorize.refused(both.authorizePath({ redirect_uri: undefined }));
    for (const redirect_uri of two) await authorize.asked(both.authorizePath({ redirect_uri }));
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
      await authorize.refused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
    }
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await authorize.asked(client.authorizePath({ redirect_uri: `http://${host}:40123/cb` }));
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
      await authorize.refused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
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
      await authorize.asked(client.authorizePath({ redirect_uri: redirect }));
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
      await authorize.refused(client.authorizePath({ redirect_uri: redirect }), [redirect]);
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
      for (const browser of authorize.browsers()) {
        const page = await browser.get(path);
        expect(page.headers.get('set-cookie')).toBe(null);
        const text = await expectPage(page, { without: [redirect, 'app.example'] });
        expect(text).not.toMatch(/alert|onload|gnp/);
      }
    }
  });
});
