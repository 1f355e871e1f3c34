import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { PasskeyDevice } from '../support/passkey-device.ts';
import { backIn, passphrase, TestBrowser, wordIn } from '../support/sign-in-door.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { McpGuest, TrialClient, tokensIn } from './support/trial-client.ts';

/** Every answer of a server with its head, as one text. */
function heard(server: SignInServer): { readonly path: string; readonly text: string }[] {
  const answers: { path: string; text: string }[] = [];
  const send = server.send.bind(server);
  server.send = async (sent) => {
    const response = await send(sent);
    const text = await response.text();
    const path = sent.path.replace(/\?.*/, '').replace(/(?<=^\/authorize\/)[^/]+/, '<id>');
    const head = JSON.stringify([...response.headers]);
    answers.push({ path: `${response.status} ${path}`, text: `${head}\n${text}` });
    const { status, headers } = response;
    return new Response([204, 303].includes(status) ? null : text, { status, headers });
  };
  return answers;
}

/** All files below a folder, as text. */
function textsIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, 'latin1')] as const);
}

it('55: no secret is in the log, the history, a file or a page that is not its own', async () => {
  const server = await SignInServer.start({ hasOwner: false });
  const answers = heard(server);
  const secrets: Record<string, { readonly value: string; readonly at: readonly string[] }> = {};
  const code = (await server.printed())?.setUp?.code ?? '';
  secrets['set-up code'] = { value: code, at: [] };

  // The owner: a wrong code, set-up, a wrong passphrase, a passkey.
  const browser = new TestBrowser(server);
  const again = { passphrase, again: passphrase };
  await browser.post('/owner/set-up', { code: 'WRONG-CODE-OF-A-STRANGER', ...again });
  expect((await browser.post('/owner/set-up', { code, ...again })).status).toBe(303);
  secrets['first session'] = { value: cookie(browser, 'owner'), at: ['303 /owner/set-up'] };
  const mistyped = 'seven quiet herons by the wier';
  await browser.post('/owner/sign-in', { passphrase: mistyped });
  const ownerWord = wordIn(await (await browser.get('/owner')).text());
  const device = new PasskeyDevice(server.issuer.origin);
  const options = await browser.postJson('/owner/passkeys/options', { word: ownerWord });
  const credential = device.create((await options.json()) as object);
  const added = { word: ownerWord, name: 'Phone', credential };
  expect((await browser.postJson('/owner/passkeys/add', added)).status).toBe(200);
  const phone = new TestBrowser(server);
  await phone.get('/owner');
  secrets['browser'] = { value: cookie(phone, 'browser'), at: ['200 /owner'] };
  const asked = await phone.postJson('/owner/passkeys/request', {});
  const answer = { credential: device.get((await asked.json()) as object) };
  expect((await phone.postJson('/owner/passkeys/sign-in', answer)).status).toBe(200);
  secrets['second session'] = {
    value: cookie(phone, 'owner'),
    at: ['200 /owner/passkeys/sign-in'],
  };
  secrets['device'] = { value: cookie(phone, 'device'), at: ['200 /owner/passkeys/sign-in'] };

  // A connector: registration, refusals, consent, exchange, refresh, work, replay, revocation.
  const client = await TrialClient.register(server, {
    redirect_uris: ['https://connector.example/callback?keep=this'],
    token_endpoint_auth_method: 'client_secret_post',
  });
  secrets['client secret'] = { value: client.secret ?? '', at: ['201 /register'] };
  await browser.get(client.authorizePath({ redirect_uri: 'https://evil.example/callback' }));
  await browser.get(client.authorizePath({ code_challenge_method: 'plain' }));
  const state = 'state-of-the-client-8471';
  const path = (await browser.get(client.authorizePath({ state }))).headers.get('location') ?? '';
  await browser.post(path, { word: 'wrong', answer: 'allow', rights: 'change' });
  const page = await browser.consent(path, {});
  const vdk = backIn(await page.text()).searchParams.get('code') ?? '';
  secrets['code'] = { value: vdk, at: ['200 /authorize/<id>'] };
  secrets['verifier'] = { value: client.verifier, at: [] };
  expect((await client.exchange(vdk, { client_secret: 'vds_wrong' })).status).toBe(401);
  expect((await client.exchange(vdk, { resource: 'https://evil.example/mcp' })).status).toBe(400);
  const first = await tokensIn(await client.exchange(vdk));
  const second = await tokensIn(await client.refresh(first.refresh_token));
  for (const [name, value] of [
    ['first access', first.access_token],
    ['first refresh', first.refresh_token],
    ['second access', second.access_token],
    ['second refresh', second.refresh_token],
  ] as const) {
    secrets[name] = { value, at: ['200 /token'] };
  }
  const guest = new McpGuest(server, second.access_token);
  await guest.begin();
  const note = { name: 'Connector', content: 'written by a connector' };
  const written = await guest.call('create_note', note);
  expect(JSON.stringify(written)).not.toContain('isError":true');
  const history = JSON.stringify(await guest.call('list_changes', {}));
  expect(history).toContain('Connector');
  for (const token of [second.refresh_token, vdk, `${second.access_token}x`]) {
    expect(await new McpGuest(server, token).status()).toBe(401);
  }
  server.pass(limits.refreshGraceMs + 1);
  expect((await client.refresh(first.refresh_token)).status).toBe(400); // Replayed.
  expect(await guest.status()).toBe(401);
  expect((await client.revoke(second.refresh_token)).status).toBe(200);
  expect((await client.exchange(vdk)).status).toBe(400);
  const leaving = wordIn(await (await browser.get('/owner')).text());
  expect((await browser.post('/owner/sign-out', { word: leaving })).status).toBe(303);

  // Where each secret was, and nowhere else.
  const log = server.log.join('\n');
  const files = [...textsIn(server.env['XDG_STATE_HOME'] ?? ''), ...textsIn(server.vault)];
  expect(files.length).toBeGreaterThan(10);
  secrets['passphrase'] = { value: passphrase, at: [] };
  secrets['mistyped passphrase'] = { value: mistyped, at: [] };
  for (const [name, { value, at }] of Object.entries(secrets)) {
    expect(value.length, name).toBeGreaterThan(20);
    const seen = answers.filter(({ text }) => text.includes(value)).map((one) => one.path);
    expect([name, seen]).toEqual([name, at]);
    expect([name, log.includes(value), history.includes(value)]).toEqual([name, false, false]);
    const kept = files.filter(([, text]) => text.includes(value)).map(([file]) => file);
    expect([name, kept]).toEqual([name, []]);
  }
  // Nor is anything else of their kind, a query, or an address that a client gave.
  expect(log).not.toMatch(
    /vd[akrsc]_|connector\.example|evil\.example|state-of-the-client|keep=this/,
  );
  expect(history).not.toMatch(/vd[akrsc]_/);
  const pages = answers.filter(({ path: at }) => !/^20[01] \/(token|register)$/.test(at));
  const tokens = pages.filter(({ text }) => /vd[arsc]_/.test(text)).map((one) => one.path);
  expect(tokens).toEqual([]);
  // Every step is there, each in one line.
  const steps = server.log.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const signIn = steps.filter(({ event }) => event === 'sign-in');
  expect(new Set(signIn.map(({ step }) => step))).toEqual(
    new Set(['owner', 'register', 'authorize', 'consent', 'token', 'refresh', 'revoke']),
  );
  const said = signIn.map(({ step, client: by, answer: was }) => [step, by, was].join(', '));
  expect(said).toEqual(
    expect.arrayContaining([
      'register, Trial client, registered',
      'consent, Trial client, code',
      'token, , 401 invalid_client',
      'token, Trial client, 400 invalid_target',
      'token, Trial client, tokens',
      'refresh, Trial client, tokens',
      'refresh, Trial client, 400 invalid_grant',
      'revoke, Trial client, done',
      'owner, , signed in with a passkey',
    ]),
  );
  const requests = answers.filter(({ path: at }) => !at.endsWith(' /mcp')).length;
  expect(signIn).toHaveLength(requests);
});

it('55: the callback gets no Referer, and no address of ours has a secret in it', async () => {
  const server = await SignInServer.start();
  const answers = heard(server);
  const browser = new TestBrowser(server);
  await browser.signIn();
  const page = await browser.consent(await browser.begin(), {});
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  const links = answers.flatMap(({ text }) => [...text.matchAll(/(?:href|action|src)="([^"]*)"/g)]);
  const own = links.map(([, link = '']) => link).filter((link) => link.startsWith('/'));
  for (const link of own) expect(link).toMatch(/^\/(owner|authorize)(\/[\w.-]+)*(\?v=[\w.]+)?$/);
});

function cookie(browser: TestBrowser, name: string): string {
  return browser.cookies.get(`__Host-vd_${name}`) ?? '';
}
