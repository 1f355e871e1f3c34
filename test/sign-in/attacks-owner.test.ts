import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import type { OAuthCrypto } from '../../src/oauth/ports/oauth-crypto.ts';
import { passphrase, TestBrowser, tokensFor } from '../support/sign-in-door.ts';
import { alertIn, tries } from './support/pages-seen.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { McpGuest } from './support/trial-client.ts';

const minuteMs = 60_000;

describe('guessing the passphrase', () => {
  it('47: strangers behind a proxy have ten guesses together; the owner’s browser comes in', async () => {
    const server = await SignInServer.start();
    const known = new TestBrowser(server);
    await known.signIn();
    known.cookies.delete('__Host-vd_owner');
    for (let guess = 0; guess < 10; guess++) {
      const headers = { 'x-forwarded-for': `203.0.113.${guess}` };
      expect(await tries(new TestBrowser(server), `guess ${guess}`, headers)).toEqual({
        status: 403,
        wait: null,
        text: 'That passphrase is not right.',
      });
    }
    server.pass(minuteMs);
    const locked = {
      status: 429,
      wait: '540',
      text: 'There were too many wrong passphrases. Try again in 9 minutes.',
    };
    expect(await tries(new TestBrowser(server), 'guess 11')).toEqual(locked);
    // Not even the right one: whoever waits must not learn that it was.
    expect(await tries(new TestBrowser(server), passphrase)).toEqual(locked);
    const forged = new TestBrowser(server);
    const [id = '', time = ''] = known.cookies.get('__Host-vd_device')?.split('.') ?? [];
    forged.cookies.set('__Host-vd_device', `${id}.${time}.${'A'.repeat(43)}`);
    expect(await tries(forged, passphrase)).toEqual(locked);
    await known.signIn();
    server.pass(9 * minuteMs);
    expect((await tries(new TestBrowser(server), passphrase)).status).toBe(303);
    expect((await server.books.owner.read()).sessions).toHaveLength(3);
  });

  it('47: a known browser has ten guesses an hour of its own, and locks nobody else out', async () => {
    const server = await SignInServer.start();
    const known = new TestBrowser(server);
    await known.signIn();
    for (let guess = 0; guess < 10; guess++) {
      expect((await tries(known, `guess ${guess}`)).status).toBe(403);
    }
    expect(await tries(known, passphrase)).toMatchObject({ status: 429, wait: '3600' });
    expect((await tries(new TestBrowser(server), passphrase)).status).toBe(303);
    server.pass(60 * minuteMs);
    expect((await tries(known, passphrase)).status).toBe(303);
  });

  it('47: guesses at the same moment, and at the consent page, are counted too', async () => {
    const server = await SignInServer.start();
    const browsers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const browser = new TestBrowser(server);
        return { browser, path: await browser.begin() };
      }),
    );
    const statuses: number[] = [];
    for (const { browser, path } of browsers) {
      const response = await browser.post(`${path}/sign-in`, { passphrase: 'a guess' });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
    // The shell is not counted: it sets another passphrase whatever strangers do.
    await server.owner.setPassphrase('a new one from the shell');
    server.pass(limits.wrongFromOthersMs);
    expect((await tries(new TestBrowser(server), 'a new one from the shell')).status).toBe(303);
  });

  it('48: passphrases are checked one at a time, eight wait, and /mcp answers meanwhile', async () => {
    const held = heldScrypt();
    const server = await SignInServer.start({ crypto: held.crypto });
    const owner = new TestBrowser(server);
    held.opens();
    await owner.signIn();
    const { access_token: token } = await tokensFor(server, owner);
    held.closes();
    const calls = held.calls();
    const order: string[] = [];
    const flood = Array.from({ length: 30 }, async (_, at) => {
      const answer = await tries(new TestBrowser(server), `flood ${at}`);
      order.push(String(answer.status));
      return answer;
    });
    // All that are not let wait are answered while the first is still being checked.
    await held.until(() => order.length === 21);
    expect(order).toEqual(Array<string>(21).fill('429'));
    expect([held.running(), held.runningMax(), held.calls() - calls]).toEqual([1, 1, 1]);
    expect(await new McpGuest(server, String(token)).status()).toBe(200);
    order.push('mcp');
    expect(held.running()).toBe(1);
    held.opens();
    const answers = await Promise.all(flood);
    expect(order).toEqual([
      ...Array<string>(21).fill('429'),
      'mcp',
      ...Array<string>(9).fill('403'),
    ]);
    expect([held.runningMax(), held.calls() - calls]).toEqual([1, 9]);
    const busy = answers.filter(({ status }) => status === 429);
    expect(new Set(busy.map(({ wait, text }) => `${wait} ${text}`))).toEqual(
      new Set(['5 Too many are signing in at this moment. Try again in a few seconds.']),
    );
    // Those that were not checked do not count as wrong: nine have, so there is one more guess.
    expect((await tries(new TestBrowser(server), 'flood 31')).status).toBe(403);
    expect((await tries(new TestBrowser(server), 'flood 32')).status).toBe(429);
  });
});

describe('setting up', () => {
  const setUp = async (browser: TestBrowser, code: string, sent = passphrase) => {
    const fields = { code, passphrase: sent, again: sent };
    const response = await browser.post('/owner/set-up', fields);
    return { status: response.status, text: alertIn(await response.text()) };
  };
  const codeOf = async (server: SignInServer): Promise<string> =>
    (await server.printed())?.setUp?.code ?? '';
  const wrong = {
    status: 403,
    text: 'That set-up code is not right. If the server was started again since, the code that it printed last is the right one.',
  };
  const none = {
    status: 403,
    text: 'There is no set-up code that holds now. &quot;vaultdoor owner code&quot; on the server makes a new one.',
  };

  it('49: nobody becomes the owner without the printed code', async () => {
    const server = await SignInServer.start({ hasOwner: false });
    const browser = new TestBrowser(server);
    // Before a code was made, none is right.
    expect(await setUp(browser, '')).toEqual(none);
    const code = await codeOf(server);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
    for (const guess of ['', 'x', code.slice(0, -1), `${code}0`, '0000-0000-0000-0000-0000']) {
      expect(await setUp(browser, guess)).toEqual(wrong);
    }
    // A code in the address is not read.
    const fields = { passphrase, again: passphrase };
    expect((await browser.post(`/owner/set-up?code=${code}`, fields)).status).toBe(403);
    for (const path of ['/owner', '/owner/sign-in']) {
      const page = await (await browser.get(path)).text();
      expect(page).toContain('href="/owner/set-up"');
      expect(page).not.toContain(code);
    }
    expect((await tries(browser, passphrase)).status).toBe(200); // The page that says how.
    expect(await server.owner.hasOwner()).toBe(false);
    expect(browser.cookies.get('__Host-vd_owner')).toBeUndefined();
    // Weak passphrases, and two that differ, do not use the code up.
    expect((await setUp(browser, code, 'short')).status).toBe(400);
    expect((await setUp(browser, code, 'vault.example.com')).status).toBe(400);
    const differing = { code, passphrase, again: `${passphrase}!` };
    const differed = await browser.post('/owner/set-up', differing);
    expect(differed.status).toBe(400);
    // Whoever has typed the code need not type it again, and sees no passphrase.
    const text = await differed.text();
    expect(text).toContain(`value="${code}"`);
    expect(text).not.toContain(passphrase);
    expect(differed.headers.get('cache-control')).toBe('no-store');
    expect((await setUp(browser, code.replaceAll('-', ' ').toLowerCase())).status).toBe(303);
    expect(await server.owner.hasOwner()).toBe(true);
    expect(JSON.stringify(await server.books.owner.read())).not.toContain(code);
    expect(server.log.join()).not.toContain(code);
  });

  it('49: ten wrong codes use up the right one; a new one works', async () => {
    const server = await SignInServer.start({ hasOwner: false });
    const code = await codeOf(server);
    for (let guess = 0; guess < 10; guess++) {
      expect(await setUp(new TestBrowser(server), `guess ${guess}`)).toEqual(wrong);
    }
    expect(await setUp(new TestBrowser(server), code)).toEqual(none);
    const next = await server.owner.makeSetUpCode(); // As `vaultdoor owner code` does.
    expect(await setUp(new TestBrowser(server), code)).toEqual(wrong);
    expect((await setUp(new TestBrowser(server), next)).status).toBe(303);
  });

  it.each([
    [30 * minuteMs - 1, 303],
    [30 * minuteMs, 403],
  ])('49: after %d ms the answer to the code is %d', async (ms, status) => {
    const server = await SignInServer.start({ hasOwner: false });
    const code = await codeOf(server);
    server.pass(ms);
    expect((await setUp(new TestBrowser(server), code)).status).toBe(status);
  });

  it('49: of two who use the code at the same moment, one is the owner', async () => {
    const server = await SignInServer.start({ hasOwner: false });
    const code = await codeOf(server);
    const all = await Promise.all(
      ['first long passphrase', 'second long passphrase'].map((sent) =>
        setUp(new TestBrowser(server), code, sent),
      ),
    );
    const statuses = all.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(303);
    expect([403, 404]).toContain(statuses[1]);
    expect((await server.books.owner.read()).sessions).toHaveLength(1);
  });

  it('49: until then a client is told that there is no owner, and nothing waits', async () => {
    const server = await SignInServer.start({ hasOwner: false });
    const browser = new TestBrowser(server);
    await expect(browser.begin()).rejects.toThrow('no page: 200');
    expect((await server.send({ path: '/mcp', method: 'POST' })).status).toBe(401);
    expect(await server.grants()).toEqual([]);
  });

  it('50: after it, the page is gone, for the right code too', async () => {
    const server = await SignInServer.start({ hasOwner: false });
    const code = await codeOf(server);
    const owner = new TestBrowser(server);
    expect((await setUp(owner, code)).status).toBe(303);
    const before = await server.books.owner.read();
    for (const browser of [owner, new TestBrowser(server)]) {
      expect((await browser.get('/owner/set-up')).status).toBe(404);
      expect((await setUp(browser, code, 'quite another passphrase')).status).toBe(404);
    }
    expect(await server.books.owner.read()).toEqual(before);
    expect(await server.printed()).not.toHaveProperty('setUp');
    await expect(server.owner.makeSetUpCode()).rejects.toThrow('has an owner already');
  });
});

/** A crypto whose scrypt waits until a test opens it. */
function heldScrypt() {
  let isOpen = false;
  let [running, runningMax, calls] = [0, 0, 0];
  const waiting: (() => void)[] = [];
  const crypto: OAuthCrypto = {
    ...nodeOAuthCrypto,
    scrypt: async (text, salt, cost) => {
      calls += 1;
      running += 1;
      runningMax = Math.max(runningMax, running);
      if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      running -= 1;
      return nodeOAuthCrypto.scrypt(text, salt, cost);
    },
  };
  return {
    crypto,
    calls: () => calls,
    running: () => running,
    runningMax: () => runningMax,
    opens: () => {
      isOpen = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
    closes: () => {
      isOpen = false;
    },
    until: async (holds: () => boolean) => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
    },
  };
}
