import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { VaultFolder } from '../../src/base/vault-path.ts';
import { BridgeDoor } from '../support/bridge-door.ts';
import { HeldDoor } from '../support/held-door.ts';
import { HeldService } from '../support/held-service.ts';
import { listenForTest } from '../support/raw-http.ts';
import { passphrase, TestBrowser } from '../support/sign-in-door.ts';
import { titleIn } from './support/pages-seen.ts';
import { SignInServer, type SignInServerOptions } from './support/sign-in-server.ts';
import { McpGuest, ownersBrowser, TrialClient, tokensIn } from './support/trial-client.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A server with a connector, and where its state is. */
async function connected(options: SignInServerOptions = {}) {
  const server = await SignInServer.start(options);
  const browser = await ownersBrowser(server);
  const client = new TrialClient(server);
  const tokens = await client.tokens(browser);
  const folder = join(server.env['XDG_STATE_HOME'] ?? '', 'vaultdoor');
  const guest = new McpGuest(server, tokens.access_token);
  return { server, browser, client, tokens, guest, folder };
}

/** A static token of the vault. */
async function staticToken(server: SignInServer): Promise<string> {
  const wanted = { name: 'static', effects: ['read'], folders: ['' as VaultFolder] } as const;
  return (await server.tokens.create(wanted)).token;
}

describe('the state of the program', () => {
  it('56: only its owner can read it, whatever the folder was before', async () => {
    const { server, folder, client, tokens } = await connected();
    const modes = () =>
      ['', 'oauth.json', 'owner.json'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes()).toEqual([0o700, 0o600, 0o600]);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'oauth.json'), 0o644);
    await tokensIn(await client.refresh(tokens.refresh_token));
    expect(modes()).toEqual([0o700, 0o600, 0o600]);
    // Tokens, cookies and the passphrase are kept as hashes, so a copy lets nobody in.
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(text.join()).not.toMatch(/vd[akrs]_/);
    expect(text.join()).toContain(createHash('sha256').update(tokens.access_token).digest('hex'));
    expect(await server.grants()).toHaveLength(1);
  });

  it('56: a reader never sees half of it, and what a crash left behind is not read', async () => {
    const { server, folder, client, tokens } = await connected();
    const file = join(folder, 'oauth.json');
    const whole = readFileSync(file, 'utf8');
    let isDone = false;
    const reads: string[] = [];
    const reading = (async () => {
      while (!isDone) reads.push(await readFile(file, 'utf8'));
    })();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.refresh(tokens.refresh_token)),
    );
    isDone = true;
    await reading;
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    for (const text of reads) expect(JSON.parse(text).grants).toHaveLength(1);
    expect(new Set(reads).size).toBeGreaterThan(1);
    // A power failure while the next version was written.
    writeFileSync(`${file}-0123456789ab.tmp`, whole.slice(0, whole.length / 2));
    await server.restart();
    const last = await tokensIn(answers.at(-1) as Response);
    expect(await new McpGuest(server, last.access_token).status()).toBe(200);
    expect((await client.refresh(last.refresh_token)).status).toBe(200);
  });

  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ['half of it is gone', (text) => text.slice(0, text.length / 2)],
    ['it is empty', () => ''],
    ['it is zeros', (text) => '\0'.repeat(text.length)],
    ['it is JSON of something else', () => '{"version":1}'],
    ['it is of a newer version', (text) => text.replace('"version":1', '"version":2')],
    ['a grant has no rights', (text) => text.replace(/"effects":\[[^\]]*\],?/, '')],
    [
      'a grant has an unknown right',
      (text) => text.replace(/"effects":\[[^\]]*\]/, '"effects":["root"]'),
    ],
  ];
  it.each(damages)(
    '56: %s: nobody comes in by signing in, static tokens go on',
    async (_, damage) => {
      const { server, browser, client, tokens, guest, folder } = await connected();
      const token = await staticToken(server);
      const file = join(folder, 'oauth.json');
      const damaged = damage(readFileSync(file, 'utf8'));
      writeFileSync(file, damaged);
      for (const isRestarted of [false, true]) {
        if (isRestarted) await server.restart();
        expect(await guest.status()).toBe(503);
        expect(await new McpGuest(server, token).status()).toBe(200);
        const refreshed = await client.refresh(tokens.refresh_token);
        expect([refreshed.status, await refreshed.json()]).toEqual([
          503,
          {
            error: 'temporarily_unavailable',
            error_description: 'This cannot be answered now; the log of the server says why.',
          },
        ]);
        expect(refreshed.headers.get('retry-after')).toMatch(/^\d+$/);
        const register = await server.postJson('/register', { redirect_uris: [client.redirect] });
        expect(register.status).toBe(503);
        expect((await browser.get('/owner')).status).toBe(503);
        const path = await browser.begin();
        const page = await browser.get(path);
        expect([page.status, (await page.text()).includes(folder)]).toEqual([503, false]);
      }
      // It is left as it is, for whoever mends it.
      expect(readFileSync(file, 'utf8')).toBe(damaged);
      const told = server.log.filter((line) => line.includes('"sign-in failed"'));
      expect(told.length).toBeGreaterThan(0);
      expect(told.join()).not.toContain('vd');
    },
  );

  it('56: while what is kept of the owner is damaged, nobody signs in or sets up; clients go on', async () => {
    const { server, browser, client, tokens, guest, folder } = await connected();
    const file = join(folder, 'owner.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    await server.restart();
    for (const path of ['/owner', '/owner/sign-in', '/owner/set-up', '/authorize?client_id=x']) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 503]);
    }
    expect((await browser.post('/owner/sign-in', { passphrase })).status).toBe(503);
    expect(await server.printed()).not.toHaveProperty('setUp');
    expect(await guest.status()).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('56: an older copy brings a revoked connection back, as docs/security.md says', async () => {
    const { server, client, tokens, guest, folder } = await connected();
    cpSync(join(folder, 'oauth.json'), join(folder, 'copy'));
    expect((await client.revoke(tokens.refresh_token)).status).toBe(200);
    expect(await guest.status()).toBe(401);
    cpSync(join(folder, 'copy'), join(folder, 'oauth.json'));
    expect(await guest.status()).toBe(200);
    expect(await server.grants()).toHaveLength(1);
    const docs = new URL('../../docs/security.md', import.meta.url);
    expect(readFileSync(docs, 'utf8')).toContain('brings revoked connections back');
  });

  it('56: after "owner reset" nobody is signed in, and clients and their connections go on', async () => {
    const { server, browser, client, tokens, guest } = await connected();
    const registered = await TrialClient.register(server);
    await server.owner.reset(); // As `vaultdoor owner reset` does, from a shell.
    expect(titleIn(await (await browser.get('/owner')).text())).not.toBe('Your connections');
    expect((await browser.post('/owner/sign-in', { passphrase })).status).toBe(200);
    expect((await server.books.owner.read()).owner).toBeUndefined();
    expect(await guest.status()).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    await server.owner.setPassphrase('another long passphrase');
    const again = new TestBrowser(server);
    expect((await again.get(registered.authorizePath())).status).toBe(303);
  });
});

describe('a clock that is set back', () => {
  it('57: an access token does not hold for longer', async () => {
    const { server, guest } = await connected();
    server.pass(23 * hourMs);
    expect(await guest.status()).toBe(200);
    server.pass(-20 * hourMs);
    expect(await guest.status()).toBe(200);
    server.pass(hourMs - 1);
    expect(await guest.status()).toBe(200);
    server.pass(1);
    expect(await guest.status()).toBe(401);
    server.pass(-365 * dayMs);
    expect(await guest.status()).toBe(401);
  });

  it('57: nor after a restart, when it was set back by more than the token holds', async () => {
    const { server, guest, client, tokens } = await connected();
    expect(await guest.status()).toBe(200);
    server.pass(-dayMs);
    await server.restart();
    expect(await guest.status()).toBe(401);
    // The client refreshes, and is not asked to sign in.
    const next = await tokensIn(await client.refresh(tokens.refresh_token));
    expect(await new McpGuest(server, next.access_token).status()).toBe(200);
  });

  it.each([
    [limits.codeMs - 1, 200],
    [limits.codeMs, 400],
  ])('57: a code ends: %d ms after it was made the answer is %d', async (ms, status) => {
    const { server, browser, client, guest } = await connected();
    const code = await client.code(browser);
    server.pass(-hourMs);
    expect(await guest.status()).toBe(200); // The server looks at the clock.
    server.pass(ms);
    expect((await client.exchange(code)).status).toBe(status);
  });

  it('57: a grant ends when the owner has said, and a spent refresh token stays spent', async () => {
    const { server, browser } = await connected();
    const client = await TrialClient.register(server);
    const tokens = await client.tokens(browser, { days: '1' });
    server.pass(20 * hourMs);
    const next = await tokensIn(await client.refresh(tokens.refresh_token));
    expect(next.expires_in).toBe(4 * 3_600);
    expect(await new McpGuest(server, next.access_token).status()).toBe(200);
    server.pass(-10 * hourMs);
    expect(await new McpGuest(server, next.access_token).status()).toBe(200);
    server.pass(limits.refreshGraceMs + 1);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
    expect(await new McpGuest(server, next.access_token).status()).toBe(401);
  });

  it('57: the owner’s session and set-up code do not hold for longer', async () => {
    const { server, browser } = await connected();
    const title = async () => titleIn(await (await browser.get('/owner')).text());
    expect(await title()).not.toBe('Sign in');
    server.pass(-dayMs);
    expect(await title()).not.toBe('Sign in');
    server.pass(limits.ownerIdleMs);
    expect(await title()).toBe('Sign in');

    const fresh = await SignInServer.start({ hasOwner: false });
    const code = (await fresh.printed())?.setUp?.code ?? '';
    fresh.pass(-dayMs);
    const stranger = new TestBrowser(fresh);
    const again = { passphrase, again: passphrase };
    // The server looks at the clock.
    expect((await stranger.post('/owner/set-up', { code: 'x', ...again })).status).toBe(403);
    fresh.pass(limits.setUpCodeMs);
    expect((await stranger.post('/owner/set-up', { code, ...again })).status).toBe(403);
    expect(await fresh.owner.hasOwner()).toBe(false);
  });

  it('57: guesses are counted on', async () => {
    const { server } = await connected();
    const guess = async () =>
      (await new TestBrowser(server).post('/owner/sign-in', { passphrase: 'a guess' })).status;
    for (let count = 0; count < 10; count++) expect(await guess()).toBe(403);
    server.pass(-dayMs);
    expect(await guess()).toBe(429);
    server.pass(limits.wrongFromOthersMs);
    expect(await guess()).toBe(403);
  });
});

describe('tokens that have ended', () => {
  it('60: twelve of them from one address get 401 each, and lock nobody out', async () => {
    const { server, client, tokens, browser } = await connected();
    const token = await staticToken(server);
    const old = [tokens.access_token];
    for (let count = 1; count < 12; count++) {
      old.push((await tokensIn(await client.refresh(tokens.refresh_token))).access_token);
    }
    const other = await TrialClient.register(server);
    const revoked = await other.tokens(browser);
    await other.revoke(revoked.refresh_token);
    server.pass(dayMs);
    const again = await ownersBrowser(server);
    const live = await client.tokens(again);
    const knock = async (one: string) => {
      const response = await new McpGuest(server, one).send({ id: 1, method: 'tools/list' });
      await response.text();
      return [response.status, response.headers.get('www-authenticate')];
    };
    const challenge =
      'Bearer realm="vaultdoor", error="invalid_token", error_description="The token is unknown, revoked or too old", resource_metadata="https://vault.example.com/.well-known/oauth-protected-resource/mcp", scope="vault:read vault:write"';
    for (const one of [...old, revoked.access_token]) {
      expect(await knock(one)).toEqual([401, challenge]);
    }
    // Unknown ones do count.
    const unknown = (at: number) => `vda_${String(at).padStart(43, 'x')}`;
    for (let at = 0; at < 10; at++) expect((await knock(unknown(at)))[0]).toBe(401);
    expect(await knock(unknown(10))).toEqual([429, null]);
    // Then, too, clients that must refresh are told so, and those that come in come in.
    expect(await knock(old[0] ?? '')).toEqual([401, challenge]);
    expect((await knock(live.access_token))[0]).toBe(200);
    expect((await knock(token))[0]).toBe(200);
    expect((await client.refresh(live.refresh_token)).status).toBe(200);
  });
});

describe('other doors', () => {
  it('62: Bridge v1 takes no token of a client that has signed in', async () => {
    const { tokens } = await connected();
    const service = new HeldService();
    const token = createHash('sha256').update('0123456789abcdef0123').digest();
    const { http } = new BridgeDoor(service, { token });
    const listener = await listenForTest({
      handler: {
        admit: (head) => http.admit(head),
        bodyBytesMax: () => http.bodyBytesMax(),
        handle: (request) => http.handle(request),
        refuse: (refusal) => http.refuse(refusal),
      },
    });
    const ask = async (sent: string) => {
      const url = `http://127.0.0.1:${listener.port}/bridge/v1/tools`;
      const bearer = await fetch(url, { headers: { authorization: `Bearer ${sent}` } });
      const key = await fetch(url, { headers: { 'x-obsiscripta-api-key': sent } });
      await Promise.all([bearer.text(), key.text()]);
      return [bearer.status, key.status];
    };
    expect(await ask(tokens.access_token)).toEqual([401, 401]);
    expect(await ask(tokens.refresh_token)).toEqual([401, 401]);
    expect(await ask('0123456789abcdef0123')).toEqual([200, 200]);
    await listener.close(0);
  });

  it('62: the remote daemon takes none either', async () => {
    const { tokens } = await connected();
    const door = new HeldDoor();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const wire = await door.connect();
      expect((await wire.call('auth', { token })).error?.code).toBe(-32001);
      await wire.closed;
    }
    expect(door.service.begun).toEqual([]);
    expect(door.log.join()).not.toMatch(/vd[ar]_/);
  });
});
