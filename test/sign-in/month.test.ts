import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { FrontDoor } from '../../src/net/front-door.ts';
import { openOAuthBook } from '../../src/node/oauth/oauth-book-file.ts';
import type { Grant } from '../../src/oauth/ports/oauth-book.ts';
import { memoryOAuthBook } from '../support/memory-oauth-book.ts';
import {
  authorizeQuery,
  claude,
  passphrase,
  postAsProgram,
  type SignInDoor,
  signInDoor,
  TestBrowser,
  tokensFor,
} from '../support/sign-in-door.ts';
import { tempFolder } from '../support/temp-folder.ts';

const hourMs = 3_600_000;

/** The whole server without sockets, over one file, which can be restarted. */
class MonthServer {
  readonly folder = tempFolder();
  readonly file = join(this.folder, 'oauth.json');
  /** Lines of the log that were counted and thrown away, and the longest of them. */
  lines = 0;
  lineCharsMax = 0;
  requests = 0;
  #at: SignInDoor | undefined;
  #front: FrontDoor | undefined;

  get at(): SignInDoor {
    if (this.#at === undefined) throw new Error('not started');
    return this.#at;
  }

  /** Starts it, for the second time with what is in the file. */
  async start(): Promise<void> {
    this.countLog();
    const book = memoryOAuthBook();
    for (const grant of await this.written()) {
      await book.change(grant.id, () => ({ keep: grant, answer: undefined }));
    }
    const at = await signInDoor({ book, ...(this.#at && { after: this.#at }) });
    this.#at = at;
    this.#front = new FrontDoor({
      allowHosts: [],
      publicUrls: [at.issuer.url],
      tokens: 'asked',
      book: { find: async () => undefined },
      signIn: {
        prefix: 'vda_',
        book: {
          find: async (sha256) => {
            const found = await at.grants.findAccess(sha256);
            if (found === undefined || found === 'ended') return found;
            return { id: found.id, scopes: found };
          },
        },
        challenge: () => 'Bearer realm="vaultdoor"',
      },
      scopes: allScopes,
      nowMs: () => at.clock.nowMs,
    });
  }

  /**
   * The grants, after they were written to the file and read again. Between two restarts they are in
   * memory: waiting for the disk a thousand times would take half a minute.
   */
  async written(): Promise<readonly Grant[]> {
    const parts = { file: this.file, alone: <T>(_: string, work: () => Promise<T>) => work() };
    const book = openOAuthBook(parts);
    for (const grant of (await this.#at?.book.grants()) ?? []) {
      await book.change(grant.id, () => ({ keep: grant, answer: undefined }));
    }
    return openOAuthBook(parts).grants();
  }

  /** What the front door says to an access token: the id of its grant, or the status of a refusal. */
  async knock(token: string): Promise<string | number | undefined> {
    const headers = new Headers({
      host: this.at.issuer.host,
      authorization: `Bearer ${token}`,
    });
    const head = { method: 'POST', path: '/mcp', headers, address: '127.0.0.1' };
    const admitted = await this.#front?.admit(head);
    return admitted !== undefined && 'status' in admitted ? admitted.status : admitted?.token;
  }

  async refresh(token: string): Promise<{ readonly access: string; readonly refresh: string }> {
    this.requests += 1;
    const { response, json } = await postAsProgram(this.at, '/token', {
      grant_type: 'refresh_token',
      client_id: claude.id,
      refresh_token: token,
    });
    expect([response.status, json['error']]).toEqual([200, undefined]);
    return { access: String(json['access_token']), refresh: String(json['refresh_token']) };
  }

  /** What strangers do on a day: nothing of it may be kept. */
  async strangers(): Promise<void> {
    const { at } = this;
    const stranger = new TestBrowser(at);
    for (let count = 0; count < 5; count++) {
      expect((await stranger.get(`/authorize?${authorizeQuery()}`)).status).toBe(303);
      await stranger.post('/owner/sign-in', { passphrase: `a guess, number ${count}` });
      const redirect_uris = ['https://stranger.example/callback'];
      const registered = await stranger.postJson('/register', { redirect_uris });
      expect(registered.status).toBe(201);
      await this.knock(`vda_${'x'.repeat(43)}`);
      this.requests += 3;
    }
  }

  countLog(): void {
    const lines = this.#at?.log.splice(0) ?? [];
    this.lines += lines.length;
    this.lineCharsMax = Math.max(this.lineCharsMax, ...lines.map((line) => line.length));
  }
}

/** What is in use after all garbage is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('a connector refreshes for a month, is never asked to sign in again, and nothing grows', async () => {
  const server = new MonthServer();
  await server.start();
  const browser = new TestBrowser(server.at);
  await browser.signIn();
  const first = await tokensFor(server.at, browser);
  server.requests += 5; // Signing in, the request, the page, the consent, the code.
  let access = String(first['access_token']);
  let refresh = String(first['refresh_token']);
  const grant = await server.knock(access);
  expect(grant).toMatch(/^g[0-9a-f]{16}$/);
  let [bytesMax, pairsMax, heapAtTenDays] = [0, 0, 0];
  for (let hour = 1; hour <= 720; hour++) {
    server.at.clock.nowMs += hourMs;
    if (hour % 60 === 0) await server.start();
    expect(await server.knock(access)).toBe(grant);
    if (hour % 24 === 0) await server.strangers();
    if (hour % 35 === 0) {
      await server.refresh(refresh); // The answer gets lost, and the client tries again later.
      server.at.clock.nowMs += limits.refreshGraceMs + 1;
    }
    // Every sixth time from four calls at once, of which the last to write keeps its tokens.
    const atOnce = Array.from({ length: hour % 6 === 0 ? 4 : 1 }, () => server.refresh(refresh));
    const pairs = await Promise.all(atOnce);
    for (const one of pairs) expect(await server.knock(one.access)).toBe(grant);
    ({ access, refresh } = pairs.at(-1) ?? { access: '', refresh: '' });
    if (hour % 30 === 0) {
      await server.written();
      bytesMax = Math.max(bytesMax, statSync(server.file).size);
    }
    const [kept, ...others] = await server.at.book.grants();
    expect([kept?.id, others]).toEqual([grant, []]);
    pairsMax = Math.max(pairsMax, kept?.pairs.length ?? 0);
    server.countLog();
    if (hour === 240) heapAtTenDays = heapBytes();
  }
  expect(pairsMax).toBeLessThanOrEqual(limits.livePairsMax + limits.endedPairsMax);
  expect(bytesMax).toBeLessThan(100_000);
  expect(readdirSync(server.folder)).toEqual(['oauth.json']);
  expect(heapBytes() - heapAtTenDays).toBeLessThan(3_000_000);
  // One line for each request, none longer than a line of a screen or two; nothing else.
  expect([server.lines, server.lineCharsMax < 200]).toEqual([server.requests, true]);
  expect(server.at.ownerBook.page.sessions.length).toBeLessThanOrEqual(limits.ownerSessionsMax);
  expect(await new TestBrowser(server.at).post('/owner/sign-in', { passphrase })).toMatchObject({
    status: 303,
  });
});
