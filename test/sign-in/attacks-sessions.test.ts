import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { claude, wordIn } from '../support/sign-in-door.ts';
import { expectError } from './support/expected-answers.ts';
import { sharedTrial, type Trial } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { McpGuest, type Tokens, TrialClient, tokensIn } from './support/trial-client.ts';

// Rows 30 and 31 of the list of attacks: sessions and streams that are open.

const trial = sharedTrial();
let { server, owner, client } = {} as Trial; // The server is shared; the others are new in each test.
beforeEach(async () => {
  ({ server, owner, client } = await trial());
});

type End = (tokens: Tokens, grant: string) => Promise<unknown>;
const endings: readonly (readonly [string, End])[] = [
  ['its client revokes the refresh token', (tokens) => client.revoke(tokens.refresh_token)],
  ['its client revokes the access token', (tokens) => client.revoke(tokens.access_token)],
  [
    'the owner revokes it on the page',
    async (_, id) => {
      const word = wordIn((await owner.open('/owner')).text);
      const page = await owner.post('/owner/revoke', { id, word });
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('disconnected'),
      ]);
    },
  ],
  [
    'another process ends it in the book',
    (_, id) =>
      server.books.oauth.change(id, (grant) => ({
        ...(grant && { keep: { ...grant, ended: { atMs: server.clock.nowMs, why: 'revoked' } } }),
        answer: undefined,
      })),
  ],
  ['it expires', async () => server.pass(91 * 24 * 3_600_000)],
];

it.each(endings)('30: ends soon, and its token with it, when %s', async (_, end) => {
  const tokens = await client.tokens(owner);
  const [grant] = await server.grants();
  const guest = new McpGuest(server, tokens.access_token);
  await guest.begin();
  const stream = await guest.stream();
  expect(stream.status).toBe(200);
  const ended = stream.text().then(
    () => 'ended',
    () => 'ended',
  );
  await end(tokens, grant?.id ?? '');
  expect(await guest.status()).toBe(401);
  await expectError(await client.refresh(tokens.refresh_token), 'invalid_grant');
  // The promise is a second, and this is how often the server looks; a slow machine may take longer.
  expect(limits.tokenLookMs).toBeLessThanOrEqual(500);
  const late = new Promise<string>((resolve) => setTimeout(resolve, 10_000, 'still open'));
  expect(await Promise.race([ended, late])).toBe('ended');
  expect((await guest.stream()).status).toBe(401);
});

it('30: an access token that ends by its age leaves the stream open, and the session goes on', async () => {
  const tokens = await client.tokens(owner);
  const guest = new McpGuest(server, tokens.access_token);
  const session = await guest.begin();
  const controller = new AbortController();
  const stream = await guest.stream();
  let isOpen = true;
  const reading = stream.body?.pipeTo(new WritableStream(), { signal: controller.signal }).then(
    () => (isOpen = false),
    () => (isOpen = false),
  );
  server.pass(25 * 3_600_000);
  expect(await guest.status()).toBe(401);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(isOpen).toBe(true);
  guest.token = (await tokensIn(await client.refresh(tokens.refresh_token))).access_token;
  expect(await guest.tools()).toContain('append_note');
  expect(guest.session).toBe(session);
  controller.abort();
  await reading;
});

it('31: of one grant is not found with the token of another', async () => {
  const mine = new McpGuest(server, (await client.tokens(owner)).access_token);
  const session = await mine.begin();
  const { token } = await server.tokens.create({
    name: 'other',
    effects: ['read', 'write'],
    folders: [''],
  } as never);
  const other = await TrialClient.register(server);
  const thieves = [
    (await client.tokens(owner, { grant: 'new' })).access_token,
    (await other.tokens(owner)).access_token,
    (await new TrialClient(server, claude).tokens(owner)).access_token,
    token,
  ];
  for (const each of thieves) {
    const thief = new McpGuest(server, each);
    expect(await thief.status()).toBe(200);
    thief.session = session;
    expect(await thief.status()).toBe(404);
    expect((await thief.stream()).status).toBe(404);
    const gone = await server.send({
      method: 'DELETE',
      path: '/mcp',
      headers: { authorization: `Bearer ${each}`, 'mcp-session-id': session },
    });
    expect(gone.status).toBe(404);
  }
  expect(await mine.status()).toBe(200);
  expect(await mine.tools()).toContain('append_note');
});

it('30: a server without the grant knows nothing of its tokens', async () => {
  const tokens = await client.tokens(owner);
  const other = await SignInServer.start();
  expect(await new McpGuest(other, tokens.access_token).status()).toBe(401);
});
